package provider

import (
	"errors"
	"net/url"
	"strings"
)

// CompleteURL is the address of a provider in the form in which it is used: of http or https, without a slash at its
// end. An address without a path gets /v1, where such servers have the protocol; the path of the chat completions
// themselves is taken off. The error continues a sentence that begins with the name of the setting.
func CompleteURL(text string) (string, error) {
	address, err := url.Parse(strings.TrimSpace(text))
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
		return "", errors.New("must be an address of http or https such as http://localhost:11434/v1")
	}
	if address.User != nil || address.RawQuery != "" || address.Fragment != "" {
		return "", errors.New("must be an address without a user, a password and anything behind ? or #; a key has a setting of its own")
	}
	address.Path = strings.TrimSuffix(strings.TrimRight(address.Path, "/"), "/chat/completions")
	if address.Path == "" {
		address.Path = "/v1"
	}
	return address.String(), nil
}

// LocalAddress reports whether a provider's address looks like one of this machine or a private network: by its number,
// by a name without a dot, or by an ending that is set aside for such names (RFC 6761, 6762 and 8375, .lan, .internal).
// Where connections are really made to only [Options].LocalOnly watches.
func LocalAddress(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Hostname() == "" {
		return false
	}
	name := strings.ToLower(strings.TrimSuffix(parsed.Hostname(), "."))
	ending := name[strings.LastIndex(name, ".")+1:]
	switch {
	case isLocal(name), !strings.ContainsAny(name, ".:"), strings.HasSuffix(name, ".home.arpa"):
		return true
	}
	return ending == "localhost" || ending == "local" || ending == "lan" || ending == "internal"
}
