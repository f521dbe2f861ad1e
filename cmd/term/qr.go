package term

import (
	"strings"

	"rsc.io/qr"
)

// QR draws a text as a QR code for a terminal: two rows of it in each line, black on white whatever the colours of the
// terminal are, with the margin that cameras need.
func QR(text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	const margin, blackOnWhite, usual = 2, "\x1b[30;107m", "\x1b[0m"
	var b strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		b.WriteString(blackOnWhite)
		for x := -margin; x < code.Size+margin; x++ {
			switch upper, lower := code.Black(x, y), code.Black(x, y+1); {
			case upper && lower:
				b.WriteString("█")
			case upper:
				b.WriteString("▀")
			case lower:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString(usual + "\n")
	}
	return b.String(), nil
}
