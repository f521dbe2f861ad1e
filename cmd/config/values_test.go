package config

import "testing"

func TestInterval(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"24h": "24h", "90m": "1h30m", "90s": "1m30s", "1m": "1m", "off": "off", "0": "off", "36h": "36h", "59s": "", "1d": "", "-1h": "", "9000h": "", "": ""} {
		var i interval
		if err := i.Set(text); (err == nil) != (want != "") || err == nil && i.String() != want {
			t.Errorf("%q: got %q, %v, want %q", text, i.String(), err, want)
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
