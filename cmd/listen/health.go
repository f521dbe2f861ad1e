package listen

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Patience is how long a server may take to say that it is well.
const Patience = 2500 * time.Millisecond

// Health is what a server says of itself.
type Health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
	Message string `json:"message"` // what is wrong
	Code    int
}

// maxHealthAnswer is more bytes than the answer has.
const maxHealthAnswer = 4 << 10

// AskHealth asks the server that listens at an address, as the settings have it.
func AskHealth(ctx context.Context, s Site, address string) (got Health, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.healthURL(address), nil)
	if err != nil {
		return got, err
	}
	// Go straight to the server: not through a proxy, and not where it is sent to. The certificate is not
	// looked at: it is made out for the name that others use, and nothing secret is said.
	transport := &http.Transport{DialContext: dialerTo(address), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}}
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return got, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxHealthAnswer))
	if err != nil {
		return got, err
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return got, fmt.Errorf("what answers at %s is no finsvc", address)
	}
	got.Code = answer.StatusCode
	return got, nil
}

// healthURL is where a server that listens at an address is asked from its own machine.
func (s Site) healthURL(address string) string {
	if strings.HasPrefix(address, UnixPrefix) {
		return s.Scheme + "://localhost" + s.base + "/up"
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return s.Scheme + "://" + address + s.base + "/up"
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return s.Scheme + "://" + net.JoinHostPort(host, port) + s.base + "/up"
}

// dialerTo connects to where a server listens, whatever address a request names.
func dialerTo(address string) func(context.Context, string, string) (net.Conn, error) {
	var dialer net.Dialer
	path, socket := strings.CutPrefix(address, UnixPrefix)
	if !socket {
		return dialer.DialContext
	}
	return func(ctx context.Context, _, _ string) (net.Conn, error) { return dialer.DialContext(ctx, "unix", path) }
}
