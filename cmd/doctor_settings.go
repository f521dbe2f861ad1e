package cmd

import (
	"io/fs"
	"net"
	"runtime"
	"strings"

	"finsvc/assistant/engine"
	"finsvc/cmd/exit"
)

// openTo says whether a file's mode allows anybody on the machine one of the bits; Windows has no such modes.
func openTo(info fs.FileInfo, bits fs.FileMode) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&bits != 0
}

// checkSettings looks for settings that contradict each other or open more than they should.
func (x *examination) checkSettings() {
	var doubts []string
	proxied := len(x.config.Network.TrustedProxies.ranges) > 0 // then TLS is the proxy's
	if listen := x.config.Listen; !isPrivate(listen) && !proxied && siteOf(&x.config.Network).scheme == "http" {
		doubts = append(doubts, "the server listens at "+listen+" without TLS: keys cross the network readable. Put a reverse proxy before it, or listen on 127.0.0.1")
	}
	if metrics := x.config.Network.Metrics; metrics != "" && metrics != noMetrics && !isPrivate(metrics) {
		doubts = append(doubts, "the metrics are at "+metrics+" for everybody in the network")
	}
	if (x.config.Network.TLSCert == "") != (x.config.Network.TLSKey == "") {
		doubts = append(doubts, "--tls-cert and --tls-key belong together, and one is missing")
	}
	remote, err := x.config.AI.newRemote(engine.New(x.books), x.warn)
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

// isPrivate says whether only this machine reaches an address.
func isPrivate(address string) bool {
	if strings.HasPrefix(address, unixPrefix) {
		return true
	}
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// checkOutgoing names every place that the program may connect to.
func (x *examination) checkOutgoing() {
	var details []string
	for _, s := range x.config.settings() {
		if !strings.HasSuffix(s.flag, "-url") || s.value.String() == "" {
			continue
		}
		if s.flag == "ai-url" && !bool(x.config.AI.Assistant) {
			continue
		}
		details = append(details, hostOf(s.value.String())+" ("+s.variable()+")")
	}
	if len(details) == 0 {
		x.ok("outgoing", "none: the program connects to nothing")
		return
	}
	x.ok("outgoing", "%s", strings.Join(details, ", "))
}
