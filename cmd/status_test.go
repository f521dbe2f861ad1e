package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"finsvc/cmd/exit"
	"finsvc/db"
	"finsvc/ledger"
)

func TestExitStatus(t *testing.T) {
	t.Parallel()
	for want, errs := range map[int][]error{
		0: {nil},
		1: {errors.New("x"), &ledger.Error{Kind: ledger.Internal}},
		2: {exit.Usagef("x"), ledger.NewInvalid("name", "is required"), ledger.NewMalformed("x")},
		3: {fmt.Errorf("3 of 10: %w", exit.ErrRejected)},
		4: {&ledger.Error{Kind: ledger.Forbidden}, &ledger.Error{Kind: ledger.Unauthorized}, fmt.Errorf("x: %w", fs.ErrPermission)},
		5: {ledger.NewNotFound("Account"), fs.ErrNotExist},
		6: {ledger.NewConflict("x"), db.ErrLocked, db.ErrClosed},
	} {
		for _, err := range errs {
			if got := exit.Status(err); got != want {
				t.Errorf("%v: got %d, want %d", err, got, want)
			}
		}
	}
}

func TestByteSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"1": 1, "64MiB": 67108864, "10M": 10485760, "2 GiB": 2147483648, "3kb": 3072, "100b": 100} {
		var s byteSize
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%s: got %d, %v, want %d", text, s, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "0", "1.5MiB", "1TiB", "1MMiB", "99999999999999999999", "9999999999GiB"} {
		var s byteSize
		if err := s.Set(text); err == nil {
			t.Errorf("%q was taken as %d", text, s)
		}
	}
	for n, want := range map[byteSize]string{64 << 20: "64MiB", 1 << 30: "1GiB", 1536: "1536", 2048: "2KiB"} {
		if got := n.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestLifetime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"90d": 2160 * time.Hour, "12h": 12 * time.Hour, "2w": 336 * time.Hour, "1y": 8760 * time.Hour} {
		var l lifetime
		if err := l.Set(text); err != nil || time.Duration(l) != want {
			t.Errorf("%s: got %v, %v, want %v", text, time.Duration(l), err, want)
		}
	}
	for _, text := range []string{"", "d", "90", "0d", "-1d", "1.5d", "101y", "99999999999999999999h", "5m"} {
		var l lifetime
		if err := l.Set(text); err == nil {
			t.Errorf("%q was taken as %v", text, time.Duration(l))
		}
	}
}

func FuzzByteSize(f *testing.F) {
	for _, text := range []string{"64MiB", "1", "2 g", "-1", "9223372036854775807", "KiB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s, again byteSize
		if s.Set(text) != nil {
			return
		}
		if err := again.Set(s.String()); err != nil || again != s || s <= 0 {
			t.Errorf("%q is %d, written as %s, read as %d: %v", text, s, s.String(), again, err)
		}
	})
}

func FuzzLifetime(f *testing.F) {
	for _, text := range []string{"90d", "12h", "0w", "100y", "999999999999999d", "é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var l lifetime
		if l.Set(text) == nil && (l < lifetime(time.Hour) || l > lifetime(maxLifetime*time.Hour)) {
			t.Errorf("%q is %s", text, l.String())
		}
	})
}

func FuzzLocaleOfEnvironment(f *testing.F) {
	for _, text := range []string{"de_DE.UTF-8@euro", "C", "POSIX", "zh_Hant_TW", "sr_RS@latin", "tlh", "_", "-"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		env := environment{"LANG": text}
		if err := ledger.CheckLocale(env.locale()); err != nil {
			t.Errorf("%q gives locale %q: %v", text, env.locale(), err)
		}
		if _, ok := ledger.LookupCurrency(env.currency()); !ok {
			t.Errorf("%q gives currency %q", text, env.currency())
		}
	})
}
