package config

import (
	"os"
	"strings"
	"time"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"finsvc/ledger/money"
)

// What a household gets when nothing says otherwise.
const (
	fallbackCurrency = "USD"
	fallbackLocale   = "en"
	fallbackTimezone = "UTC"
)

// Locale is what LC_ALL, LC_MONETARY or LANG, the first that is set, says in BCP 47: de-DE of
// de_DE.UTF-8@euro. It is the fallback where they say nothing that is known.
func (e Environment) Locale() string {
	for _, name := range []string{"LC_ALL", "LC_MONETARY", "LANG"} {
		if e[name] != "" {
			return knownLocale(e[name])
		}
	}
	return fallbackLocale
}

func knownLocale(text string) string {
	text, _, _ = strings.Cut(text, "@")
	text, _, _ = strings.Cut(text, ".")
	text = strings.ReplaceAll(text, "_", "-")
	if text == "C" || text == "POSIX" {
		return fallbackLocale
	}
	for text != "" {
		if money.CheckLocale(text) == nil {
			return text
		}
		text = text[:max(0, strings.LastIndex(text, "-"))]
	}
	return fallbackLocale
}

// Currency is that of the locale's region, where it names one.
func (e Environment) Currency() string {
	tag, err := language.Parse(e.Locale())
	if err != nil {
		return fallbackCurrency
	}
	region, confidence := tag.Region()
	if confidence != language.Exact {
		return fallbackCurrency
	}
	code := regionCurrency(region)
	if _, ok := money.LookupCurrency(code); !ok {
		return fallbackCurrency
	}
	return code
}

// regionCurrency is the library's, but for what has changed since its data was made.
func regionCurrency(region language.Region) string {
	switch region.String() {
	case "HR", "BG":
		return "EUR"
	case "MR":
		return "MRU"
	case "SL":
		return "SLE"
	case "ST":
		return "STN"
	case "VE":
		return "VES"
	case "ZW":
		return "ZWG"
	}
	unit, ok := currency.FromRegion(region)
	if !ok {
		return ""
	}
	return unit.String()
}

// Timezone is that of TZ or else of the system.
func (e Environment) Timezone() string {
	for _, name := range []string{strings.TrimPrefix(e["TZ"], ":"), systemTimezone()} {
		if _, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
			return name
		}
	}
	return fallbackTimezone
}

// systemTimezone is the name behind /etc/localtime, a link into the tz database, or in /etc/timezone.
func systemTimezone() string {
	if target, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(target, "zoneinfo/"); ok {
			return name
		}
	}
	text, err := os.ReadFile("/etc/timezone")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
