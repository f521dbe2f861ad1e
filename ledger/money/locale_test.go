package money_test

import (
	"strings"
	"testing"

	"finsvc/ledger/money"
)

func TestCheckLocale(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{
		"en", "EN", "de-DE", "DE-de", "pt-BR", "zh-Hant-TW", "zh-TW", "ca-ES-valencia", "fil", "es-419", "iw", "nb", "no",
		"de-XX", "en-US-u-nu-arab", "de-x-private", "sr-Latn-RS", "deu-AT",
	} {
		if err := money.CheckLocale(tag); err != nil {
			t.Errorf("%s: %v", tag, err)
		}
	}
}

func TestCheckLocaleRefuses(t *testing.T) {
	t.Parallel()
	const (
		form     = "must be a language tag such as en, de-DE or zh-Hant-TW, got "
		language = "must be a language tag such as en or de-DE of a known language, got "
	)
	for tag, want := range map[string]string{
		"":                       form + `""`,
		"e":                      form + `"e"`,
		"german":                 form + `"german"`,
		"de_DE":                  form + `"de_DE"`,
		"de-":                    form + `"de-"`,
		"-de":                    form + `"-de"`,
		"de--DE":                 form + `"de--DE"`,
		"de DE":                  form + `"de DE"`,
		"de-DE.UTF-8":            form + `"de-DE.UTF-8"`,
		"de-abcdefghi":           form + `"de-abcdefghi"`,
		"d1":                     form + `"d1"`,
		"dé":                     form + `"dé"`,
		"C":                      form + `"C"`,
		strings.Repeat("a", 1e6): form + `"` + strings.Repeat("a", 60) + `…"`,
		"und":                    language + `"und"`,
		"xx":                     language + `"xx"`,
		"qqq-DE":                 language + `"qqq-DE"`,
	} {
		if err := money.CheckLocale(tag); err == nil || err.Error() != want {
			t.Errorf("CheckLocale(%.40q): %v, want %s", tag, err, want)
		}
		if _, err := money.NewFormatter(tag); err == nil || err.Error() != want {
			t.Errorf("NewFormatter(%.40q): %v, want %s", tag, err, want)
		}
	}
}

// Each pair prints alike, because the first has no data of its own or is another name of the second.
func TestLocaleFallsBack(t *testing.T) {
	t.Parallel()
	usd, brl := currency(t, "USD"), currency(t, "BRL")
	for tag, same := range map[string]string{
		"en-US": "en", "de-DE": "de", "de-XX": "de", "pt-BR": "pt", "zh-TW": "zh-Hant", "zh-HK": "zh-Hant-HK", "zh-Hant-TW": "zh-Hant",
		"zh-CN": "zh", "zh-Hans-CN": "zh", "pt-AO": "pt-PT", "es-PA-x-a": "es-PA", "iw-IL": "he", "sh": "sr-Latn", "tl": "fil",
		"en-US-u-nu-arab": "en", "EN-in": "en-IN", "deu-CH": "de-CH", "nb-NO": "nb",
	} {
		a, b := formatter(t, tag), formatter(t, same)
		if x, y := a.Money(123456789, usd)+a.Money(1, brl), b.Money(123456789, usd)+b.Money(1, brl); x != y {
			t.Errorf("%s gives %+q, %s gives %+q", tag, x, same, y)
		}
	}
	if got := formatter(t, "zh-TW").Money(100, currency(t, "TWD")); got != "$1.00" {
		t.Errorf("zh-TW: %+q", got)
	}
	if got := formatter(t, "es-MX").Money(123456, usd); got != "USD\u00a01,234.56" { // es-419, not es
		t.Errorf("es-MX: %+q", got)
	}
}
