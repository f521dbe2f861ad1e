package listen

import (
	"net"
	"net/netip"
	"slices"
	"testing"

	"finsvc/cmd/config"
)

// TestReach: only addresses at which the server really listens, and of those the ones that lead somewhere.
func TestReach(t *testing.T) {
	t.Parallel()
	nas := Machine{Name: "nas.local", Addresses: ips("203.0.113.7", "fe80::1", "192.168.1.20", "fd00::20", "169.254.3.3")}
	modern := Machine{Addresses: ips("fe80::1", "2001:db8::5", "fd00::20")}
	plain := Site{Scheme: "http"}
	for name, c := range map[string]struct {
		site          Site
		addr          net.Addr
		machine       Machine
		here, network []string
	}{
		"loopback":              {plain, tcp("127.0.0.1:7117"), nas, []string{"http://127.0.0.1:7117"}, nil},
		"loopback of IPv6":      {plain, tcp("[::1]:7117"), nas, []string{"http://[::1]:7117"}, nil},
		"everywhere":            {plain, tcp("[::]:7117"), nas, []string{"http://localhost:7117"}, []string{"http://nas.local:7117", "http://192.168.1.20:7117", "http://203.0.113.7:7117"}},
		"everywhere, IPv6":      {plain, tcp("[::]:80"), modern, []string{"http://localhost:80"}, []string{"http://[fd00::20]:80", "http://[2001:db8::5]:80"}},
		"one address":           {plain, tcp("192.168.1.20:7117"), nas, nil, []string{"http://192.168.1.20:7117"}},
		"in a container":        {plain, tcp("[::]:7117"), Machine{Name: "x.local", Addresses: ips("172.17.0.2"), Container: true}, []string{"http://localhost:7117"}, nil},
		"one in a container":    {plain, tcp("172.17.0.2:7117"), Machine{Container: true}, []string{"http://172.17.0.2:7117"}, nil},
		"TLS below a path":      {Site{"https", "/finance"}, tcp("0.0.0.0:443"), Machine{Addresses: ips("10.0.0.4")}, []string{"https://localhost:443/finance"}, []string{"https://10.0.0.4:443/finance"}},
		"socket":                {plain, &net.UnixAddr{Name: "/run/finsvc.sock", Net: "unix"}, nas, []string{"unix:/run/finsvc.sock"}, nil},
		"more than are shown":   {plain, tcp("[::]:1"), Machine{Addresses: ips("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5")}, []string{"http://localhost:1"}, []string{"http://10.0.0.1:1", "http://10.0.0.2:1", "http://10.0.0.3:1", "http://10.0.0.4:1"}},
		"no way to the network": {plain, tcp("[::]:1"), Machine{}, []string{"http://localhost:1"}, nil},
	} {
		got := c.site.ReachOf(c.addr, c.machine)
		if !slices.Equal(got.Here, c.here) || !slices.Equal(got.Network, c.network) {
			t.Errorf("%s: got %v and %v, want %v and %v", name, got.Here, got.Network, c.here, c.network)
		}
	}
}

func TestLocalName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mdns bool
		want string
	}{
		{"nas", true, "nas.local"}, {"NAS", true, "nas.local"}, {"nas", false, ""}, {"Anas-Mac.local", false, "anas-mac.local"},
		{"nas.example.org", true, ""}, {"localhost", true, ""}, {"localhost.localdomain", true, ""}, {"", true, ""},
	} {
		if got := localName(c.name, c.mdns); got != c.want {
			t.Errorf("%q, %v: got %q, want %q", c.name, c.mdns, got, c.want)
		}
	}
}

func TestCurlTo(t *testing.T) {
	t.Parallel()
	everywhere := &net.TCPAddr{IP: net.IPv6zero, Port: 7117}
	for _, c := range []struct {
		network config.Network
		addr    net.Addr
		want    string
	}{
		{config.Network{}, everywhere, "http://localhost:7117"},
		{config.Network{TLSCert: "x", BasePath: "/finance"}, everywhere, "https://localhost:7117/finance"},
		{config.Network{BasePath: "/finance"}, &net.UnixAddr{Net: "unix", Name: "/run/f.sock"}, "--unix-socket '/run/f.sock' http://localhost/finance"},
	} {
		if option, url := SiteOf(&c.network).Curl(c.addr); option+url != c.want {
			t.Errorf("got %s%s, want %s", option, url, c.want)
		}
	}
}

func tcp(address string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)) }

func ips(texts ...string) (list []netip.Addr) {
	for _, text := range texts {
		list = append(list, netip.MustParseAddr(text))
	}
	return list
}
