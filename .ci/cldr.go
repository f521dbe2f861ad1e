//go:build ignore

// Cldr reduces Unicode's CLDR data to what printing money needs: embed/cldr/money.json.gz, with the
// licence beside it. Run it in the project's folder, after fetching the data into a folder FOLDER:
//
//	npm install --ignore-scripts --prefix FOLDER cldr-core@48.2.0 cldr-numbers-full@48.2.0
//	go run .ci/cldr.go FOLDER/node_modules embed/cldr
//
// The output depends on the data alone. To prove that the committed file is fresh, write to another
// folder and compare what is inside (the packed bytes may change with the version of Go):
//
//	mkdir -p OTHER && go run .ci/cldr.go FOLDER/node_modules OTHER
//	cmp OTHER/LICENSE embed/cldr/LICENSE
//	gzip -dc OTHER/money.json.gz > OTHER/new && gzip -dc embed/cldr/money.json.gz | cmp - OTHER/new
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

const (
	version = "48.2.0"
	root    = "und"
)

// output is the file. Every tag is in lower case.
type output struct {
	Version string            `json:"version"`
	Parents map[string]string `json:"parents"` // where it is not the tag without its last part
	Aliases map[string]string `json:"aliases"` // first one or two parts of a tag, and what they stand for
	Locales map[string]locale `json:"locales"` // only what differs from the parent
}

// locale is how one locale prints money; the formatter reads the same members.
type locale struct {
	Pattern  string            `json:"pattern,omitempty"`
	Decimal  string            `json:"decimal,omitempty"`
	Group    string            `json:"group,omitempty"`
	Minimum  string            `json:"minimum,omitempty"`  // fewest digits before the first group separator
	Symbols  map[string]string `json:"symbols,omitempty"`  // by code, where it is not the code
	Patterns map[string]string `json:"patterns,omitempty"` // by code, where it is not the locale's
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: go run .ci/cldr.go NODE_MODULES FOLDER")
	}
	if err := run(source(os.Args[1]), os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(from source, folder string) error {
	out, err := reduce(from)
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(from.path("cldr-numbers-full/LICENSE"))
	if err != nil {
		return err
	}
	packed, err := pack(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "LICENSE"), licence, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "money.json.gz"), packed, 0o644)
}

func pack(out output) ([]byte, error) {
	text, err := json.Marshal(out) // sorts the members of maps
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

func reduce(from source) (output, error) {
	out := output{Version: version, Aliases: map[string]string{}, Locales: map[string]locale{}}
	full, err := from.locales()
	if err != nil {
		return out, err
	}
	out.Parents, err = from.parents()
	if err != nil {
		return out, err
	}
	for tag, l := range full {
		out.Locales[tag] = l
		if tag != root {
			out.Locales[tag] = l.minus(full[out.ancestor(tag, full)])
		}
	}
	return out, from.aliases(full, out.Aliases)
}

// ancestor is the nearest locale above the tag that has data.
func (o output) ancestor(tag string, full map[string]locale) string {
	for {
		tag = o.parent(tag)
		if _, ok := full[tag]; ok {
			return tag
		}
	}
}

func (o output) parent(tag string) string {
	if parent, ok := o.Parents[tag]; ok {
		return parent
	}
	return shorter(tag)
}

func shorter(tag string) string {
	if i := strings.LastIndexByte(tag, '-'); i >= 0 {
		return tag[:i]
	}
	return root
}

// minus is what differs from the parent. What only the parent has is made the ordinary case again: the
// code for a symbol, the locale's own pattern.
func (l locale) minus(parent locale) locale {
	return locale{
		Pattern:  unless(l.Pattern, parent.Pattern),
		Decimal:  unless(l.Decimal, parent.Decimal),
		Group:    unless(l.Group, parent.Group),
		Minimum:  unless(l.Minimum, parent.Minimum),
		Symbols:  change(l.Symbols, parent.Symbols, func(code string) string { return code }),
		Patterns: change(l.Patterns, parent.Patterns, func(string) string { return l.Pattern }),
	}
}

func change(own, parent map[string]string, ordinary func(code string) string) map[string]string {
	out := map[string]string{}
	for code, value := range own {
		if parent[code] != value {
			out[code] = value
		}
	}
	for code, value := range parent {
		if _, ok := own[code]; !ok && value != ordinary(code) {
			out[code] = ordinary(code)
		}
	}
	return out
}

func unless(value, same string) string {
	if value == same {
		return ""
	}
	return value
}

// source is the folder that holds the unpacked packages.
type source string

func (s source) path(name string) string { return filepath.Join(string(s), filepath.FromSlash(name)) }

func (s source) read(name string, into any) error {
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (s source) locales() (map[string]locale, error) {
	if err := s.checkVersions(); err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(s.path("cldr-numbers-full/main"))
	if err != nil {
		return nil, err
	}
	full := map[string]locale{}
	for _, f := range folders {
		l, err := s.locale(f.Name())
		if err != nil {
			return nil, err
		}
		full[strings.ToLower(f.Name())] = l
	}
	return full, nil
}

func (s source) checkVersions() error {
	for _, name := range []string{"cldr-core", "cldr-numbers-full"} {
		var about struct{ Version string }
		if err := s.read(name+"/package.json", &about); err != nil {
			return err
		}
		if about.Version != version {
			return fmt.Errorf("%s is version %s, want %s", name, about.Version, version)
		}
	}
	return nil
}

// numbers are the members of numbers.json that are used, always the ones for the digits 0-9.
type numbers struct {
	Minimum string `json:"minimumGroupingDigits"`
	Symbols struct {
		Decimal, Group, CurrencyDecimal, CurrencyGroup string
	} `json:"symbols-numberSystem-latn"`
	Formats struct {
		Standard string
	} `json:"currencyFormats-numberSystem-latn"`
}

// currencies are the members of currencies.json that are used.
type currencies struct {
	Currencies map[string]struct{ Symbol, Pattern, Decimal string }
}

func (s source) locale(tag string) (locale, error) {
	n, err := readMain[numbers](s, tag, "numbers.json")
	if err != nil {
		return locale{}, err
	}
	c, err := readMain[currencies](s, tag, "currencies.json")
	return locale{
		Pattern: positive(n.Formats.Standard), Minimum: n.Minimum,
		Decimal: point(cmp.Or(n.Symbols.CurrencyDecimal, n.Symbols.Decimal)),
		Group:   cmp.Or(n.Symbols.CurrencyGroup, n.Symbols.Group),
		Symbols: c.symbols(), Patterns: c.patterns(),
	}, err
}

func readMain[T any](s source, tag, name string) (T, error) {
	var file struct {
		Main map[string]struct{ Numbers T }
	}
	err := s.read("cldr-numbers-full/main/"+tag+"/"+name, &file)
	return file.Main[tag].Numbers, err
}

// positive leaves out the pattern for negative amounts: their minus always stands in front.
func positive(pattern string) string {
	pattern, _, _ = strings.Cut(pattern, ";")
	return pattern
}

// point is the decimal separator. Western Balochi alone has the Arabic one beside Latin digits: a program
// that strips symbols would strip it too, and read the amount a hundredfold.
func point(separator string) string {
	if separator == "," {
		return ","
	}
	return "."
}

// symbols are those that differ from the code. The escudo of Cape Verde has "$" for its decimal separator
// and nothing visible for a symbol, which no program would read rightly: it gets its code.
func (c currencies) symbols() map[string]string {
	out := map[string]string{}
	for code, currency := range c.Currencies {
		if currency.Symbol != "" && currency.Symbol != code && currency.Decimal != "$" {
			out[code] = currency.Symbol
		}
	}
	return out
}

// patterns are those of single currencies, such as the euro's in the English of the continent.
func (c currencies) patterns() map[string]string {
	out := map[string]string{}
	for code, currency := range c.Currencies {
		if currency.Pattern != "" {
			out[code] = positive(currency.Pattern)
		}
	}
	return out
}

func (s source) parents() (map[string]string, error) {
	var file struct {
		Supplemental struct {
			ParentLocales struct{ ParentLocale map[string]string }
		}
	}
	if err := s.read("cldr-core/supplemental/parentLocales.json", &file); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for tag, parent := range file.Supplemental.ParentLocales.ParentLocale {
		out[strings.ToLower(tag)] = strings.ToLower(parent)
	}
	return out, nil
}

// aliases adds the old names of languages that have data (iw is he), and the regions where a language
// is not written as it is elsewhere (zh-TW is zh-Hant-TW).
func (s source) aliases(full map[string]locale, out map[string]string) error {
	var names struct {
		Supplemental struct {
			Metadata struct {
				Alias struct {
					LanguageAlias map[string]struct {
						Replacement string `json:"_replacement"`
					}
				}
			}
		}
	}
	if err := s.read("cldr-core/supplemental/aliases.json", &names); err != nil {
		return err
	}
	for tag, alias := range names.Supplemental.Metadata.Alias.LanguageAlias {
		addAlias(full, out, tag, alias.Replacement)
	}
	var likely struct {
		Supplemental struct{ LikelySubtags map[string]string }
	}
	if err := s.read("cldr-core/supplemental/likelySubtags.json", &likely); err != nil {
		return err
	}
	for tag, whole := range likely.Supplemental.LikelySubtags {
		if isRegional(tag) {
			addAlias(full, out, tag, whole)
		}
	}
	return nil
}

func isRegional(tag string) bool {
	parts := strings.Split(tag, "-")
	return len(parts) == 2 && len(parts[1]) < 4 && parts[0] != root
}

// addAlias keeps an alias whose tag has no data of its own and whose meaning has, at least for its
// language and script.
func addAlias(full map[string]locale, out map[string]string, tag, meaning string) {
	tag, meaning = strings.ToLower(tag), strings.ToLower(meaning)
	parts := strings.Split(meaning, "-")
	_, taken := full[tag]
	_, known := full[strings.Join(parts[:min(len(parts), 2)], "-")]
	if !taken && known && meaning != root && strings.Count(tag, "-") < 2 {
		out[tag] = meaning
	}
}
