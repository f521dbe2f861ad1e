package chart

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestColour(t *testing.T) {
	t.Parallel()
	for hex, want := range map[string][2]string{
		"#1b5e8c": {"#1b5e8c", "#2c6a94"}, // a blue of the page is right by day and a little brighter by night
		"#000000": {"#000000", "#676767"},
		"#ffffff": {"#8c8c8c", "#ffffff"},
		"#FFFF00": {"#949400", "#ffff00"},
		"#e99537": {"#c57e2f", "#e99537"},
	} {
		light, dark, ok := Colour(hex)
		if !ok || light != want[0] || dark != want[1] {
			t.Errorf("Colour(%s) = %s, %s, %t, want %s, %s", hex, light, dark, ok, want[0], want[1])
		}
	}
	for _, hex := range []string{"", "red", "#123", "#12345g", "#1234567", "123456#", "#+12345", "#-12345", "#12_456", "url(#a)", "\"></a"} {
		if light, dark, ok := Colour(hex); ok || light+dark != "" {
			t.Errorf("Colour(%q) = %s, %s", hex, light, dark)
		}
	}
}

// TestEveryColourCanBeSeen on both papers.
func TestEveryColourCanBeSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		channel := rapid.Int64Range(0, 255)
		c := rgb{channel.Draw(r, "red"), channel.Draw(r, "green"), channel.Draw(r, "blue")}
		light, dark, ok := Colour(c.String())
		onLight, isLight := parseColour(light)
		onDark, isDark := parseColour(dark)
		if !ok || !isLight || !isDark || !onLight.contrasts(lightPaper) || !onDark.contrasts(darkPaper) {
			r.Fatalf("%s: %s, %s", c, light, dark)
		}
		if c.contrasts(lightPaper) && onLight != c || c.contrasts(darkPaper) && onDark != c {
			r.Fatalf("%s was changed to %s, %s for nothing", c, light, dark)
		}
	})
}

// TestContrast: black on white is 21 to one, and the colours of the page have the contrast that was measured.
func TestContrast(t *testing.T) {
	t.Parallel()
	of := func(hex string) int64 {
		c, _ := parseColour(hex)
		return c.luminance()
	}
	const twentieth = 50_000_000
	for _, c := range []struct {
		ink, paper string
		tenths     int64
	}{{"#ffffff", "#000000", 210}, {"#1b5e8c", lightPaper, 65}, {"#8cc4f0", darkPaper, 96}, {"#9a4a1c", lightPaper, 58}, {"#1e2530", lightPaper, 144}} {
		a, b := of(c.ink), of(c.paper)
		if got := (10*(max(a, b)+twentieth) + (min(a, b)+twentieth)/2) / (min(a, b) + twentieth); got != c.tenths {
			t.Errorf("%s on %s: %d tenths, want %d", c.ink, c.paper, got, c.tenths)
		}
	}
}

// TestLightOfChannels proves the table: where it is a power, ((c/255+0.055)/1.055)^2.4, the fifth power of the light is the
// twelfth of that quotient, which whole numbers can compare.
func TestLightOfChannels(t *testing.T) {
	t.Parallel()
	power := func(base, exponent int64) *big.Int {
		return new(big.Int).Exp(big.NewInt(base), big.NewInt(exponent), nil)
	}
	for c := range int64(256) {
		got := linear(c)
		if c <= 10 { // c/255 is at most 0.04045
			// c/255/12.92 of 100,000, rounded
			if want := (2*c*100000*100 + 255*1292) / (2 * 255 * 1292); got != want {
				t.Errorf("light of %d: %d, want %d", c, got, want)
			}
			continue
		}
		// (got ± 1/2)^5 / 100000^5 lies around ((1000c + 55*255) / (1055*255))^12.
		exact := new(big.Int).Mul(power(1000*c+55*255, 12), power(200000, 5))
		below := new(big.Int).Mul(power(2*got-1, 5), power(1055*255, 12))
		above := new(big.Int).Mul(power(2*got+1, 5), power(1055*255, 12))
		if below.Cmp(exact) > 0 || above.Cmp(exact) < 0 {
			t.Errorf("light of %d: %d is not the nearest", c, got)
		}
	}
}
