package money

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"finsvc/embed"
)

// rootLocale is the locale that every other one inherits from.
const rootLocale = "und"

// locale is how a locale prints money. Pattern is CLDR's, such as "#,##0.00 ¤". Minimum is the fewest
// digits before the first group separator. Symbols has those that are not just the code, Patterns those
// of single currencies that are not like Pattern.
type locale struct {
	Pattern, Decimal, Group, Minimum string

	Symbols, Patterns map[string]string
}

// locales is the file made by .ci/cldr.go. A locale holds only what differs from its parent. All tags
// are in lower case.
type locales struct {
	Parents map[string]string // where it is not the tag without its last part
	Aliases map[string]string // by the first one or two parts of a tag
	Locales map[string]json.RawMessage
}

// knownLocales unpacks the data when it is first needed; it is only read after that.
var knownLocales = sync.OnceValues(loadLocales)

func loadLocales() (locales, error) {
	var data locales
	file, err := embed.CLDR.Open("cldr/money.json.gz")
	if err != nil {
		return data, err
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return data, err
	}
	err = json.NewDecoder(unpacked).Decode(&data)
	return data, err
}

// CheckLocale reports whether money can be printed for a BCP 47 language tag such as en, de-DE or
// zh-Hant-TW: well formed, of a language that CLDR has data for. The error continues a sentence that
// begins with the field's name.
func CheckLocale(tag string) error {
	data, err := knownLocales()
	if err != nil {
		return err
	}
	_, err = data.key(tag)
	return err
}

// key is the name under which a tag is looked up: in lower case, without extensions, with today's name
// of the language and with the script where the region implies an unusual one.
func (l locales) key(tag string) (string, error) {
	if !isLanguageTag(tag) {
		return "", fmt.Errorf("must be a language tag such as en, de-DE or zh-Hant-TW, got %s", Clip(tag))
	}
	key := l.unalias(l.unalias(withoutExtensions(strings.ToLower(tag)), 1), 2)
	language, _, _ := strings.Cut(key, "-")
	if _, ok := l.Locales[language]; !ok || language == rootLocale {
		return "", fmt.Errorf("must be a language tag such as en or de-DE of a known language, got %s", Clip(tag))
	}
	return key, nil
}

// isLanguageTag reports whether the text has the form of a tag: parts of one to eight letters and digits,
// the first of them two or three letters. No tag in use comes near 64 characters.
func isLanguageTag(text string) bool {
	if len(text) > 64 {
		return false
	}
	for i, part := range strings.Split(text, "-") {
		letters := strings.Trim(strings.ToLower(part), "abcdefghijklmnopqrstuvwxyz") == ""
		switch {
		case i == 0 && (!letters || len(part) < 2 || len(part) > 3):
			return false
		case len(part) < 1 || len(part) > 8 || !isAlphanumeric(part):
			return false
		}
	}
	return true
}

func isAlphanumeric(text string) bool {
	return strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// withoutExtensions cuts a tag before its first part of a single character.
func withoutExtensions(key string) string {
	parts := strings.Split(key, "-")
	for i, part := range parts {
		if len(part) == 1 {
			return strings.Join(parts[:i], "-")
		}
	}
	return key
}

// unalias replaces the first n parts of a tag by what they stand for.
func (l locales) unalias(key string, n int) string {
	parts := strings.Split(key, "-")
	if len(parts) < n {
		return key
	}
	meaning, ok := l.Aliases[strings.Join(parts[:n], "-")]
	if !ok {
		return key
	}
	return strings.Join(append([]string{meaning}, parts[n:]...), "-")
}

func (l locales) parent(key string) string {
	if parent, ok := l.Parents[key]; ok {
		return parent
	}
	if i := strings.LastIndexByte(key, '-'); i >= 0 {
		return key[:i]
	}
	return rootLocale
}

// resolve is the whole of a locale: from the root down, each locale overrides what it says.
func (l locales) resolve(key string) (locale, error) {
	var out locale
	if key != rootLocale {
		var err error
		out, err = l.resolve(l.parent(key))
		if err != nil {
			return out, err
		}
	}
	own, ok := l.Locales[key]
	if !ok {
		return out, nil
	}
	err := json.Unmarshal(own, &out)
	return out, err
}
