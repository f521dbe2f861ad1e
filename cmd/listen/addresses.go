package listen

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"finsvc/cmd/config"
	"finsvc/cmd/term"
)

// Site is how the server is called, wherever it is called from.
type Site struct {
	Scheme string // http or https
	base   string // below which everything lies, such as /finance; empty for the root
}

// SiteOf is how a server with these settings is called.
func SiteOf(network *config.Network) Site {
	s := Site{"http", string(network.BasePath)}
	if network.TLSCert != "" {
		s.Scheme = "https"
	}
	return s
}

// url is the address at a host and port.
func (s Site) url(host string, port int) string {
	return s.Scheme + "://" + net.JoinHostPort(host, strconv.Itoa(port)) + s.base
}

// Machine is what is known of the machine without asking anybody.
type Machine struct {
	Name      string // its name in the local network; empty when there is none that others can be expected to know
	Addresses []netip.Addr
	Container bool
}

// ThisMachine looks around. What it may not see is left out.
func ThisMachine(env config.Environment) Machine {
	m := Machine{Container: InContainer(env)}
	if name, err := os.Hostname(); err == nil {
		m.Name = localName(name, answersMDNS())
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		return m
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 || isBridge(i.Name) {
			continue
		}
		addresses, _ := i.Addrs() // an interface that has gone has none
		for _, addr := range addresses {
			if prefix, err := netip.ParsePrefix(addr.String()); err == nil {
				m.Addresses = append(m.Addresses, prefix.Addr())
			}
		}
	}
	return m
}

// InContainer reports whether the machine is a container, whose addresses mean nothing outside.
func InContainer(env config.Environment) bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); err == nil {
			return true
		}
	}
	return env["KUBERNETES_SERVICE_HOST"] != "" || env["container"] != ""
}

// answersMDNS reports whether others in the network find this machine by its name and .local: on macOS and Windows the
// system answers, elsewhere Avahi where it runs.
func answersMDNS() bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return true
	}
	_, err := os.Stat("/run/avahi-daemon/socket")
	return err == nil
}

// localName is the machine's name in the local network.
func localName(name string, mdns bool) string {
	name = strings.ToLower(name)
	switch {
	case name == "" || name == "localhost" || strings.HasPrefix(name, "localhost."):
		return ""
	case strings.HasSuffix(name, ".local"):
		return name
	case mdns && !strings.Contains(name, "."):
		return name + ".local"
	}
	return ""
}

// isBridge reports whether an interface leads to containers or virtual machines only.
func isBridge(name string) bool {
	return slices.ContainsFunc([]string{"docker", "br-", "veth", "virbr", "cni", "flannel", "podman", "lxcbr"},
		func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// Reach is where a server is reached: from its own machine, and from others in the network.
type Reach struct{ Here, Network []string }

// All are both.
func (r Reach) All() []string { return slices.Concat(r.Here, r.Network) }

// maxNetwork is how many addresses of the network are shown.
const maxNetwork = 4

// ReachOf says at which addresses a listener is reached: only at those at which it really listens.
func (s Site) ReachOf(addr net.Addr, m Machine) (r Reach) {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return Reach{Here: []string{addr.Network() + ":" + addr.String()}}
	}
	ip := tcp.AddrPort().Addr().Unmap()
	switch {
	case ip.IsLoopback():
		r.Here = []string{s.url(ip.String(), tcp.Port)}
	case !ip.IsUnspecified() && m.Container:
		r.Here = []string{s.url(ip.String(), tcp.Port)}
	case !ip.IsUnspecified():
		r.Network = []string{s.url(ip.String(), tcp.Port)}
	default:
		r.Here = []string{s.url("localhost", tcp.Port)}
		r.Network = s.networkOf(tcp.Port, m)
	}
	return r
}

// Curl is what curl has to be told to reach a listener from its own machine: an option with a blank behind it, where
// it takes one, and the address up to the path.
func (s Site) Curl(addr net.Addr) (option, url string) {
	if addr.Network() == "unix" {
		return "--unix-socket " + term.ShellQuote(addr.String()) + " ", s.Scheme + "://localhost" + s.base
	}
	return "", s.ReachOf(addr, Machine{}).All()[0]
}

// networkOf are the addresses of a machine that listens on all of them: its name, then the addresses that others can
// have a way to.
func (s Site) networkOf(port int, m Machine) (urls []string) {
	if m.Container {
		return nil
	}
	if m.Name != "" {
		urls = append(urls, s.url(m.Name, port))
	}
	addresses := slices.DeleteFunc(slices.Clone(m.Addresses),
		func(ip netip.Addr) bool { return !ip.IsGlobalUnicast() || ip.Is6() && hasIPv4(m) })
	slices.SortStableFunc(addresses, func(a, b netip.Addr) int { return cmp.Compare(rank(a), rank(b)) })
	for _, ip := range addresses[:min(len(addresses), maxNetwork)] {
		urls = append(urls, s.url(ip.String(), port))
	}
	return urls
}

// hasIPv4 reports whether the machine is reached by the older and shorter addresses.
func hasIPv4(m Machine) bool {
	return slices.ContainsFunc(m.Addresses, func(ip netip.Addr) bool { return ip.Is4() && ip.IsGlobalUnicast() })
}

// rank puts addresses of private networks first.
func rank(ip netip.Addr) int {
	if ip.IsPrivate() {
		return 0
	}
	return 1
}

// ContainerWords say where a server in a container is reached: nobody inside knows.
func (s Site) ContainerWords(port int) string {
	return fmt.Sprintf("%s://<this machine>:<published port>%s  (the port that is published for %d of this container)",
		s.Scheme, s.base, port)
}
