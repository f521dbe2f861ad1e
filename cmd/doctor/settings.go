package doctor

import (
	"net"
	"strings"

	"finsvc/assistant/engine"
	"finsvc/cmd/config"
	"finsvc/cmd/exit"
	"finsvc/cmd/listen"
)

// checkSettings looks for settings that contradict each other or open more than they should.
func (x *Examination) checkSettings() {
	var doubts []string
	proxied := len(x.Config.Network.TrustedProxies.Ranges) > 0 // then TLS is the proxy's
	if where := x.Config.Listen; !isPrivate(where) && !proxied && listen.SiteOf(&x.Config.Network).Scheme == "http" {
		doubts = append(doubts, "the server listens at "+where+
			" without TLS: keys cross the network readable. Put a reverse proxy before it, or listen on 127.0.0.1")
	}
	if metrics := x.Config.Network.Metrics; metrics != "" && metrics != config.NoMetrics && !isPrivate(metrics) {
		doubts = append(doubts, "the metrics are at "+metrics+" for everybody in the network")
	}
	if (x.Config.Network.TLSCert == "") != (x.Config.Network.TLSKey == "") {
		doubts = append(doubts, "--tls-cert and --tls-key belong together, and one is missing")
	}
	remote, err := x.Config.AI.NewRemote(engine.New(x.books), x.Warn)
	if err != nil {
		x.fail("settings", doubts, "%s", exit.Message(err))
		return
	}
	if remote != nil {
		remote.Close()
	}
	if len(doubts) > 0 {
		x.caution("settings", doubts, "look at these")
		return
	}
	x.ok("settings", "none contradicts another; all of them: finsvc config")
}

// isPrivate reports whether only this machine reaches an address.
func isPrivate(address string) bool {
	if strings.HasPrefix(address, listen.UnixPrefix) {
		return true
	}
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}
