package config

import (
	"testing"

	"finsvc/ledger/money"
)

func FuzzLocaleOfEnvironment(f *testing.F) {
	for _, text := range []string{"de_DE.UTF-8@euro", "C", "POSIX", "zh_Hant_TW", "sr_RS@latin", "tlh", "_", "-"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		env := Environment{"LANG": text}
		if err := money.CheckLocale(env.Locale()); err != nil {
			t.Errorf("%q gives locale %q: %v", text, env.Locale(), err)
		}
		if _, ok := money.LookupCurrency(env.Currency()); !ok {
			t.Errorf("%q gives currency %q", text, env.Currency())
		}
	})
}
