package text

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"finsvc/ledger"
)

const (
	SampleSize  = 64 << 10 // bytes looked at to tell valid UTF-8
	guessSize   = 16 << 10 // bytes of the sample that the slower detection gets
	UTF8Name    = "utf-8"
	ASCIIName   = "us-ascii"
	confidence  = 20 // least score of a detected character set, of 100
	margin      = 15 // by which it must be likelier than Windows-1252
	replacement = "\uFFFD"
)

// Decoder reads bytes of any character set as UTF-8, in constant memory. A byte order mark decides;
// else the told character set; else plain ASCII passes until the first byte beyond it, and the sample
// that begins there decides.
//
// In UTF-8 bytes pass unchecked, so that a broken one is found in its row; elsewhere an undecodable
// byte becomes U+FFFD, and lossy is true.
type Decoder struct {
	src   *bufio.Reader
	out   io.Reader // nil while nothing has been decided
	Name  string
	Lossy bool
}

func NewDecoder(r io.Reader, told encoding.Encoding) *Decoder {
	d := &Decoder{src: bufio.NewReaderSize(r, SampleSize), Name: ASCIIName}
	start, _ := d.src.Peek(guessSize)
	switch {
	case bytes.HasPrefix(start, []byte("\xEF\xBB\xBF")):
		_, _ = d.src.Discard(3)
		d.use(unicode.UTF8)
	case bytes.HasPrefix(start, []byte("\xFF\xFE")):
		_, _ = d.src.Discard(2)
		d.use(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM))
	case bytes.HasPrefix(start, []byte("\xFE\xFF")):
		_, _ = d.src.Discard(2)
		d.use(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM))
	case told != nil:
		d.use(told)
	default:
		d.useUTF16(start)
	}
	return d
}

// useUTF16 recognises UTF-16 without a mark: digits and separators, which every file has, are two bytes there, one of
// them zero and always the same one. In other scripts a few letters have a zero on the other side.
func (d *Decoder) useUTF16(start []byte) {
	var zeros, others [2]int // by the place in the pair: zeros beside a character of plain text, and all other zeros
	for i := 0; i+1 < len(start); i += 2 {
		for side, pair := range [2][2]byte{{start[i], start[i+1]}, {start[i+1], start[i]}} {
			switch plain := pair[1] >= ' ' && pair[1] < 0x7F || pair[1] >= 0xA0 || pair[1] == '\n' || pair[1] == '\r' ||
				pair[1] == '\t'; {
			case pair[0] != 0:
			case plain:
				zeros[side]++
			default:
				others[side]++
			}
		}
	}
	const few = 8
	for side, order := range [2]unicode.Endianness{unicode.BigEndian, unicode.LittleEndian} {
		if n := zeros[side]; n > len(start)/16 && n > few*(zeros[1-side]+others[0]+others[1]) && len(start) >= few {
			d.use(unicode.UTF16(order, unicode.IgnoreBOM))
			return
		}
	}
}

func (d *Decoder) use(e encoding.Encoding) {
	d.Name, _ = htmlindex.Name(e)
	if d.Name == "" {
		d.Name = strings.ToLower(fmt.Sprint(e))
	}
	if e == unicode.UTF8 {
		d.out = d.src
		return
	}
	d.Lossy = true
	d.out = e.NewDecoder().Reader(d.src)
}

// Read gives decoded text.
func (d *Decoder) Read(p []byte) (int, error) {
	if d.out != nil {
		return d.out.Read(p)
	}
	if _, err := d.src.Peek(1); err != nil {
		return 0, err
	}
	window, _ := d.src.Peek(min(d.src.Buffered(), len(p)))
	n := copy(p, window[:asciiPrefix(window)])
	if n == 0 && len(p) > 0 {
		d.decide()
		return d.out.Read(p)
	}
	return d.src.Discard(n)
}

// decide looks at the text from the first byte beyond ASCII on.
func (d *Decoder) decide() {
	sample, _ := d.src.Peek(SampleSize)
	if validUTF8(sample, len(sample) == SampleSize) || mostlyUTF8(sample) {
		d.use(unicode.UTF8)
		return
	}
	d.use(likeliest(sample[:min(len(sample), guessSize)]))
}

// likeliest names the likeliest character set. Windows-1252, the usual one of exports that do not say, is
// preferred where it is about as likely (French is easily taken for Romanian) and where nothing is
// likely at all, unless the bytes can only be a script of many characters: then GB 18030.
func likeliest(sample []byte) encoding.Encoding {
	found, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil || len(found) == 0 {
		return charmap.Windows1252
	}
	best, latin := found[0], 0
	single := false // some character set of one byte for each character is possible
	for _, f := range found {
		if f.Charset == "ISO-8859-1" || f.Charset == "windows-1252" {
			latin = max(latin, f.Confidence)
		}
		single = single || strings.HasPrefix(f.Charset, "ISO-8859") || strings.HasPrefix(f.Charset, "windows")
	}
	likely, err := LookupEncoding(best.Charset)
	switch {
	case best.Confidence >= confidence && best.Confidence-latin > margin && err == nil:
		return likely
	case !single:
		return simplifiedchinese.GB18030
	}
	return charmap.Windows1252
}

// LookupEncoding finds a character set by any of its usual names. ISO-8859-1 is read as Windows-1252,
// as everywhere on the web.
func LookupEncoding(name string) (encoding.Encoding, error) {
	if strings.EqualFold(name, "GB-18030") { // as the detector calls it
		name = "gb18030"
	}
	if e, err := htmlindex.Get(name); err == nil && e != encoding.Replacement {
		return e, nil
	}
	if e, err := ianaindex.IANA.Encoding(name); err == nil && e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("must be the name of a character set such as utf-8, windows-1252 or gb18030, got %s",
		ledger.Quote(name))
}

// validUTF8 checks a sample; when it was cut from a longer text, the last character may be incomplete.
func validUTF8(sample []byte, cut bool) bool {
	for n := 0; cut && n < utf8.UTFMax-1 && !utf8.Valid(sample); n++ {
		sample = sample[:len(sample)-1]
	}
	return utf8.Valid(sample)
}

// mostlyUTF8 reports whether a sample is UTF-8 in which a few characters are broken, such as those at which a bank has
// cut texts short: in other character sets hardly any bytes make characters of UTF-8.
func mostlyUTF8(sample []byte) bool {
	const times = 4
	whole, broken := 0, 0
	for len(sample) > 0 {
		r, size := utf8.DecodeRune(sample)
		if size > 1 {
			whole++
		}
		if r == utf8.RuneError && size == 1 {
			broken++
		}
		sample = sample[size:]
	}
	return whole >= times*broken
}

// asciiPrefix counts the bytes before the first one beyond ASCII.
func asciiPrefix(text []byte) int {
	n := 0
	for ; n+8 <= len(text); n += 8 {
		if binary.LittleEndian.Uint64(text[n:])&0x8080808080808080 != 0 {
			break
		}
	}
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// Broken reports whether a text has bytes that could not be decoded, or NUL.
func Broken(text string, lossy bool) bool {
	return strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) || lossy && strings.Contains(text, replacement)
}
