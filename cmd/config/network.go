package config

import (
	"fmt"
	"net/netip"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"finsvc/cmd/exit"
	"finsvc/handlers/middleware"
	"finsvc/ledger"
)

// Network is how the server is reached, besides its address.
type Network struct {
	TLSCert, TLSKey string        // files; both or neither
	TrustedProxies  addressRanges // whose headers are believed
	BasePath        basePath      // below which everything is served
	Metrics         string        // address; blank or off: none
	Web             OnOff         // people are shown pages
	PublicURL       publicURL     // where people find the server; blank where nothing hides that
	AuthHeader      headerName    // in which a trusted proxy names the person; blank: none does
}

// Check says what is wrong with settings that are right one by one.
func (c *Network) Check() error {
	if c.AuthHeader != "" && len(c.TrustedProxies.Ranges) == 0 {
		return exit.Usagef("the header %s would let in everybody who sends it: say which proxies may with --trusted-proxies or FINSVC_TRUSTED_PROXIES, or leave the header out", c.AuthHeader)
	}
	return nil
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
		{Flag: "web", Value: &c.Web, what: "on|off", Meaning: "whether people are shown pages"},
		{Flag: "public-url", Value: &c.PublicURL, what: "URL",
			Meaning: "where people find the server when a proxy hides it, such as https://finance.example.org", usual: "what a request says"},
		{Flag: "auth-header", Value: &c.AuthHeader, what: "NAME",
			Meaning: "header in which a trusted proxy names the person that it has asked to sign in, such as Remote-User", usual: "none"},
	}
}

// AddFlags makes the flags that say how the server is reached.
func (c *Network) AddFlags(flags *pflag.FlagSet) {
	for _, s := range c.settings() {
		s.AddTo(flags)
	}
}

// publicURL is the address of the server for people, without a path; blank for none. It is a flag's value.
type publicURL string

// Set takes an address.
func (u *publicURL) Set(text string) error {
	at, err := url.Parse(strings.TrimSuffix(text, "/"))
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.Path != "" || at.User != nil ||
		at.RawQuery != "" || at.Fragment != "" {
		return fmt.Errorf("must be an address without a path, such as https://finance.example.org, got %s", ledger.Quote(text))
	}
	*u = publicURL(strings.ToLower(at.String()))
	return nil
}

// String is the address.
func (u *publicURL) String() string { return string(*u) }

// Type stands for the value in the help.
func (u *publicURL) Type() string { return "URL" }

// headerName is the name of a header; blank for none. It is a flag's value.
type headerName string

// Set takes a name that is not one of those that mean something else.
func (h *headerName) Set(text string) error {
	name := textproto.CanonicalMIMEHeaderKey(text)
	plain := strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") == ""
	others := []string{"Authorization", "Cookie", "Forwarded", "Host", "Origin", "User-Agent", "X-Api-Key", "X-Request-Id"}
	if !plain || name == "" || slices.Contains(others, name) || strings.HasPrefix(name, "X-Forwarded-") {
		return fmt.Errorf("must be the name of a header such as Remote-User, got %s", ledger.Quote(text))
	}
	*h = headerName(name)
	return nil
}

// String is the name.
func (h *headerName) String() string { return string(*h) }

// Type stands for the value in the help.
func (h *headerName) Type() string { return "NAME" }

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
