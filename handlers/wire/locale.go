package wire

import (
	"strings"
	"sync"

	"golang.org/x/text/language"

	"finsvc/ledger/money"
)

// Formatters keeps one formatter per locale; making one reads the locale data.
type Formatters struct {
	mu       sync.RWMutex
	byLocale map[string]*money.Formatter
}

// maxFormatters bounds what Accept-Language can make us keep.
const maxFormatters = 64

func (f *Formatters) get(locale string) (*money.Formatter, error) {
	f.mu.RLock()
	have := f.byLocale[locale]
	f.mu.RUnlock()
	if have != nil {
		return have, nil
	}
	fresh, err := money.NewFormatter(locale)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byLocale == nil || len(f.byLocale) >= maxFormatters {
		f.byLocale = map[string]*money.Formatter{}
	}
	f.byLocale[locale] = fresh
	return fresh, nil
}

// Of is the formatter that writes money the way of the household, or of the request where the household lets it.
func (f *Formatters) Of(r *Request) (*money.Formatter, error) {
	home := r.Session.Household
	if home.LocaleFromRequest {
		for _, tag := range acceptedLanguages(r.Header.Get("Accept-Language")) {
			if wanted, err := f.get(tag); err == nil {
				return wanted, nil
			}
		}
	}
	return f.get(home.Locale)
}

// acceptedLanguages are the languages of an Accept-Language header, the most wanted first.
func acceptedLanguages(header string) []string {
	const longest = 200
	if strings.TrimSpace(header) == "" || len(header) > longest {
		return nil
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return nil
	}
	names := make([]string, len(tags))
	for i, tag := range tags {
		names[i] = tag.String()
	}
	return names
}

// Money writes a formatted amount.
func (j *Writer) Money(name string, f *money.Formatter, minor int64, currency string) {
	c, _ := money.LookupCurrency(currency) // what is stored was looked up
	j.name(name)
	start := len(j.Buf) + 1
	j.Buf = append(j.Buf, '"')
	j.Buf = f.AppendMoney(j.Buf, minor, c)
	if strings.ContainsAny(string(j.Buf[start:]), "\"\\") {
		text := string(j.Buf[start:])
		j.Buf = AppendString(j.Buf[:start-1], text)
		return
	}
	j.Buf = append(j.Buf, '"')
}
