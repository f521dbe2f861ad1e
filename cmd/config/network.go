package config

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"finsvc/handlers/middleware"
)

// Network is how the server is reached, besides its address.
type Network struct {
	TLSCert, TLSKey string        // files; both or neither
	TrustedProxies  addressRanges // whose headers are believed
	BasePath        basePath      // below which everything is served
	Metrics         string        // address; blank or off: none
}

// NoMetrics is the setting that means that there are no metrics.
const NoMetrics = "off"

func (c *Network) settings() []Setting {
	return []Setting{
		{Flag: "tls-cert", Value: (*text)(&c.TLSCert), what: "FILE",
			Meaning: "certificate of the server with those of its issuers, PEM; with it and its key the server speaks TLS"},
		{Flag: "tls-key", Value: (*text)(&c.TLSKey), what: "FILE", Meaning: "private key of the certificate, PEM"},
		{Flag: "trusted-proxies", Value: &c.TrustedProxies, what: "ADDRESSES",
			Meaning: "proxies whose headers say where a request comes from: addresses, ranges such as 172.18.0.0/16, or private, which is this machine and all private networks", usual: "none"},
		{Flag: "base-path", Value: &c.BasePath, what: "PATH",
			Meaning: "path below which everything is served, such as /finance"},
		{Flag: "metrics", Value: (*text)(&c.Metrics), what: "ADDRESS",
			Meaning: "where metrics for Prometheus are served, at /metrics, to anybody who can reach it; such as 127.0.0.1:9117"},
	}
}

// AddFlags makes the flags that say how the server is reached.
func (c *Network) AddFlags(flags *pflag.FlagSet) {
	for _, s := range c.settings() {
		s.AddTo(flags)
	}
}

// basePath is a path below which everything is served; blank for none. It is a flag's value.
type basePath string

// Set takes a path.
func (p *basePath) Set(text string) error {
	path, err := middleware.CleanBasePath(text)
	*p = basePath(path)
	return err
}

// String is the path.
func (p *basePath) String() string { return string(*p) }

// Type stands for the value in the help.
func (p *basePath) Type() string { return "PATH" }

// addressRanges are ranges of addresses. It is a flag's value.
type addressRanges struct {
	text   string
	Ranges []netip.Prefix
}

// privateRanges are those of this machine, of private networks (RFC 1918, RFC 4193) and of links.
const privateRanges = "127.0.0.0/8 ::1 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 169.254.0.0/16 fe80::/10"

// Set takes addresses and ranges, and the word private, with commas or blanks between them.
func (r *addressRanges) Set(text string) error {
	var ranges []netip.Prefix
	words := strings.FieldsFunc(text, func(c rune) bool { return c == ',' || unicode.IsSpace(c) })
	for i := 0; i < len(words); i++ {
		if words[i] == "private" {
			words = slices.Concat(words[:i], strings.Fields(privateRanges), words[i+1:])
		}
		one, ok := parseRange(words[i])
		if !ok {
			return fmt.Errorf("must be addresses, ranges such as 172.18.0.0/16, or private, with commas between them, got %q", words[i])
		}
		ranges = append(ranges, one)
	}
	*r = addressRanges{strings.TrimSpace(text), ranges}
	return nil
}

func parseRange(word string) (netip.Prefix, bool) {
	one, err := netip.ParsePrefix(word)
	if err != nil {
		addr, errAddr := netip.ParseAddr(word)
		one, err = netip.PrefixFrom(addr, addr.BitLen()), errAddr
	}
	return one.Masked(), err == nil && !strings.Contains(word, "%") && !one.Addr().Is4In6()
}

// String is what was set.
func (r *addressRanges) String() string { return r.text }

// Type stands for the value in the help.
func (r *addressRanges) Type() string { return "ADDRESSES" }
