package config

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestAddressRanges(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "[]",
		"172.18.0.2":                  "[172.18.0.2/32]",
		"172.18.0.2/16, fd00:1::7/64": "[172.18.0.0/16 fd00:1::/64]",
		" 192.0.2.1\n2001:db8::1 ":    "[192.0.2.1/32 2001:db8::1/128]",
		"0.0.0.0/0":                   "[0.0.0.0/0]",
		"192.0.2.1,private,192.0.2.2": "[192.0.2.1/32 127.0.0.0/8 ::1/128 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 169.254.0.0/16 fe80::/10 192.0.2.2/32]",
	} {
		var r addressRanges
		if err := r.Set(text); err != nil || fmt.Sprint(r.Ranges) != want || r.String() != strings.TrimSpace(text) {
			t.Errorf("%q: got %v (%q), %v, want %s", text, r.Ranges, r.text, err, want)
		}
	}
	for _, text := range []string{"all", "Private", "172.18.0.0/33", "nas.local", "10.0.0.1;10.0.0.2", "fe80::1%eth0", "::ffff:10.0.0.0/104", "::ffff:10.0.0.1", "10.0.0.1:80", "10/8"} {
		r := addressRanges{Ranges: []netip.Prefix{{}}}
		if err := r.Set("192.0.2.1," + text); err == nil || !strings.Contains(err.Error(), "got ") || len(r.Ranges) != 1 {
			t.Errorf("%q: got %v, %v", text, r.Ranges, err)
		}
	}
}

// TestPrivateAddresses: the word means what people behind their router have, and nothing that others can have.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	var r addressRanges
	if err := r.Set("private"); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "10.1.2.3": true, "172.16.0.1": true, "172.31.255.255": true, "192.168.178.20": true, "fd12::1": true, "fe80::1": true,
		"172.32.0.1": false, "192.169.0.1": false, "11.0.0.1": false, "100.64.0.1": false, "2001:db8::1": false, "8.8.8.8": false,
	} {
		got := false
		for _, one := range r.Ranges {
			got = got || one.Contains(netip.MustParseAddr(text))
		}
		if got != want {
			t.Errorf("%s: private %v, want %v", text, got, want)
		}
	}
}
