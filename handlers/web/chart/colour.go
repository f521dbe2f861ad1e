package chart

import (
	"fmt"
	"html/template"
	"strconv"
)

// Papers of the two schemes, on which everything is drawn.
const (
	lightPaper = "#faf7f0"
	darkPaper  = "#14171c"
)

// Colour makes a colour of the user, #rrggbb, visible on the page: at least three to one against the light paper and the dark one,
// by the measure of WCAG. A colour that is visible as it is stays as it is; any other goes as little as that takes
// towards black or white. It reports false for what is no colour.
func Colour(hex string) (light, dark string, ok bool) {
	c, ok := parseColour(hex)
	if !ok {
		return "", "", false
	}
	onLight, onDark := c, c
	white, black := rgb{255, 255, 255}, rgb{}
	for i := int64(1); !onLight.contrasts(lightPaper); i++ {
		onLight = c.towards(black, i)
	}
	for i := int64(1); !onDark.contrasts(darkPaper); i++ {
		onDark = c.towards(white, i)
	}
	return onLight.String(), onDark.String(), true
}

// fills draws a shape by its attributes: once for each scheme in the colour of the user, or once by a class where there is none.
// The one for light pages is last and lies above where no style sheet hides either.
func fills(colour, class string, shape func(fill template.HTML)) {
	light, dark, ok := Colour(colour)
	switch {
	case !ok:
		shape(template.HTML(` class="` + class + `"`))
	case light == dark:
		shape(template.HTML(` fill="` + light + `"`))
	default:
		shape(template.HTML(` class="chart-dark" fill="` + dark + `"`))
		shape(template.HTML(` class="chart-light" fill="` + light + `"`))
	}
}

// rgb is a colour: red, green, blue.
type rgb [3]int64

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

func parseColour(hex string) (rgb, bool) {
	if len(hex) != 7 || hex[0] != '#' {
		return rgb{}, false
	}
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		return rgb{}, false
	}
	return rgb{int64(n >> 16), int64(n >> 8 & 255), int64(n & 255)}, true
}

// towards mixes a colour with so many of 64 parts of another.
func (c rgb) towards(other rgb, parts int64) rgb {
	for i := range c {
		c[i] += (other[i] - c[i]) * parts / 64
	}
	return c
}

// contrasts reports whether a colour is at least three to one against paper: (L+0.05)/(l+0.05) of the lighter and the darker.
func (c rgb) contrasts(paper string) bool {
	p, _ := parseColour(paper)
	lighter, darker := max(c.luminance(), p.luminance()), min(c.luminance(), p.luminance())
	const twentieth = 10000 * 100000 / 20
	return lighter+twentieth >= 3*(darker+twentieth)
}

// luminance is the relative luminance of WCAG, of 10,000 times 100,000.
func (c rgb) luminance() int64 { return 2126*linear(c[0]) + 7152*linear(c[1]) + 722*linear(c[2]) }

// linear is the light of a channel of sRGB, of 100,000: c/12.92 up to 0.04045, above ((c+0.055)/1.055)^2.4.
func linear(channel int64) int64 {
	return [256]int64{
		0, 30, 61, 91, 121, 152, 182, 212, 243, 273, 304, 335, 368, 402, 439, 478,
		518, 561, 605, 651, 700, 750, 802, 857, 913, 972, 1033, 1096, 1161, 1229, 1298, 1370,
		1444, 1521, 1600, 1681, 1764, 1850, 1938, 2029, 2122, 2217, 2315, 2416, 2519, 2624, 2732, 2843,
		2956, 3071, 3190, 3310, 3434, 3560, 3689, 3820, 3955, 4092, 4231, 4374, 4519, 4667, 4817, 4971,
		5127, 5286, 5448, 5613, 5781, 5951, 6125, 6301, 6480, 6663, 6848, 7036, 7227, 7421, 7619, 7819,
		8022, 8228, 8438, 8650, 8866, 9084, 9306, 9531, 9759, 9990, 10224, 10462, 10702, 10946, 11193, 11444,
		11697, 11954, 12214, 12477, 12744, 13014, 13287, 13563, 13843, 14126, 14413, 14703, 14996, 15293, 15593, 15896,
		16203, 16513, 16827, 17144, 17465, 17789, 18116, 18447, 18782, 19120, 19462, 19807, 20156, 20508, 20864, 21223,
		21586, 21953, 22323, 22697, 23074, 23455, 23840, 24228, 24620, 25016, 25415, 25818, 26225, 26636, 27050, 27468,
		27889, 28315, 28744, 29177, 29614, 30054, 30499, 30947, 31399, 31855, 32314, 32778, 33245, 33716, 34191, 34670,
		35153, 35640, 36131, 36625, 37124, 37626, 38133, 38643, 39157, 39676, 40198, 40724, 41254, 41789, 42327, 42869,
		43415, 43966, 44520, 45079, 45641, 46208, 46778, 47353, 47932, 48515, 49102, 49693, 50289, 50888, 51492, 52100,
		52712, 53328, 53948, 54572, 55201, 55834, 56471, 57112, 57758, 58408, 59062, 59720, 60383, 61050, 61721, 62396,
		63076, 63760, 64448, 65141, 65837, 66539, 67244, 67954, 68669, 69387, 70110, 70838, 71569, 72306, 73046, 73791,
		74540, 75294, 76052, 76815, 77582, 78354, 79130, 79910, 80695, 81485, 82279, 83077, 83880, 84687, 85499, 86316,
		87137, 87962, 88792, 89627, 90466, 91310, 92158, 93011, 93869, 94731, 95597, 96469, 97345, 98225, 99110, 100000,
	}[channel]
}
