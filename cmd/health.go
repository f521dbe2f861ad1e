package cmd

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// healthPatience is how long a server may take to say that it is well.
const healthPatience = 2500 * time.Millisecond

func newHealth(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "health", Short: "Ask the running server whether it is well", Args: cobra.NoArgs,
		Long: "Ask the server that listens at the address of the settings whether it and its database answer, and print ok;\n" +
			"exit status 1 when it does not within three seconds. It needs no key and does not look at the database file:\n" +
			"it is for the health check of a container.",
		Example: "  finsvc health\n  finsvc health --listen :8080",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.checkHealth(c.Context()); err != nil {
				return err
			}
			return a.Print("ok")
		},
	}
	a.config.addFlags(c.Flags(), "listen")
	return c
}

// checkHealth asks the server at the address of the settings.
func (a *app) checkHealth(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	got, err := a.askHealth(ctx, a.config.Listen)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the server at %s did not answer within %s", a.config.Listen, healthPatience)
	case err != nil:
		// The cause is told, not passed on: a server that cannot be reached is neither a missing file nor a missing right.
		return fmt.Errorf("no server answers at %s: %s. Is it running there? Another address: --listen", a.config.Listen, err)
	case got.code != http.StatusOK:
		return fmt.Errorf("the server at %s is not well: status %d, %s", a.config.Listen, got.code, got.Message)
	}
	return nil
}

// healthAnswer is what a server says of itself.
type healthAnswer struct {
	Status  string `json:"status"`
	Version string `json:"version"`
	Message string `json:"message"` // what is wrong
	code    int
}

// maxHealthAnswer is more bytes than the answer has.
const maxHealthAnswer = 4 << 10

// askHealth asks the server that listens at an address, as the settings have it.
func (a *app) askHealth(ctx context.Context, address string) (got healthAnswer, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.healthURL(address), nil)
	if err != nil {
		return got, err
	}
	client := a.healthClient(address)
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
	got.code = answer.StatusCode
	return got, nil
}

// healthURL is where a server that listens at an address is asked from its own machine.
func (a *app) healthURL(address string) string {
	site := a.site()
	if strings.HasPrefix(address, unixPrefix) {
		return site.scheme + "://localhost" + site.base + "/up"
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return site.scheme + "://" + address + site.base + "/up"
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return site.scheme + "://" + net.JoinHostPort(host, port) + site.base + "/up"
}

// healthClient goes straight to the server: not through a proxy, and not where it is sent to. The certificate is not
// looked at: it is made out for the name that others use, and nothing secret is said.
func (a *app) healthClient(address string) *http.Client {
	transport := &http.Transport{DialContext: dialerTo(address), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// dialerTo connects to where a server listens, whatever address a request names.
func dialerTo(address string) func(context.Context, string, string) (net.Conn, error) {
	var dialer net.Dialer
	path, socket := strings.CutPrefix(address, unixPrefix)
	if !socket {
		return dialer.DialContext
	}
	return func(ctx context.Context, _, _ string) (net.Conn, error) { return dialer.DialContext(ctx, "unix", path) }
}
