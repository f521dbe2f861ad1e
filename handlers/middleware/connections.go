package middleware

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// ConnectionLimits say how many connections there may be at a time.
type ConnectionLimits struct {
	Most       int // in all
	Reserve    int // of these, for health checks and for keys that have no other request running
	PerAddress int // of one address, or of one network of IPv6; a trusted proxy and this machine may have all
}

// DefaultConnectionLimits are for a server of one household or a few: a browser has six connections, a phone one or
// two. Each connection takes a file, and some ten kilobytes; most systems give a process 1,024 files unless it asks
// for more.
func DefaultConnectionLimits() ConnectionLimits {
	return ConnectionLimits{Most: 1000, Reserve: 50, PerAddress: 250}
}

// fullNotice is how often at most the log says that there are too many connections.
const fullNotice = time.Minute

// Connections are those of one listener. Nobody waits for a place: when there are as many as may be, one that is idle
// is closed for the one that comes, and one that comes while none is idle is closed itself.
type Connections struct {
	limits  ConnectionLimits
	trusted proxies
	log     *slog.Logger

	mu        sync.Mutex
	open      map[*connection]bool
	byAddress map[netip.Prefix]int
	turns     int64     // counts the times that a connection became idle
	noticed   time.Time // when the log last said that there are too many
}

// NewConnections makes the connections of a listener. The trusted are proxies, whose connections are those of many
// clients.
func NewConnections(limits ConnectionLimits, trusted []netip.Prefix, log *slog.Logger) *Connections {
	return &Connections{limits: limits, trusted: trusted, log: log, open: map[*connection]bool{},
		byAddress: map[netip.Prefix]int{}}
}

// Limit is the listener with its connections limited. They are to be served by a server of [NewHTTPServer].
func (cs *Connections) Limit(listener net.Listener) net.Listener {
	return &limitedListener{listener, cs}
}

type limitedListener struct {
	net.Listener
	connections *Connections
}

// Accept waits for a connection that there is a place for.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.connections.accept(conn); c != nil {
			return c, nil
		}
		_ = conn.Close() // nothing was said on it
	}
}

// connection is one that was accepted.
type connection struct {
	net.Conn
	of      *Connections
	address netip.Prefix
	// the turn at which it became so; 0 while a request is being answered. What has sent no request is idle, too
	idle  int64
	spare bool // it was accepted when only the reserve was left
}

// Close closes the connection and makes room for another one.
func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.remove(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite says that nothing more will be sent, so that a client that is still sending can read the answer.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// accept gives a connection a place; nil where there is none.
func (cs *Connections) accept(conn net.Conn) *connection {
	c := &connection{Conn: conn, of: cs, address: clientNetwork(peer(conn.RemoteAddr().String()))}
	victim, ok := cs.place(c)
	if victim != nil {
		_ = victim.Conn.Close() // nothing is being answered on it
	}
	if !ok {
		return nil
	}
	return c
}

// place finds a place for a connection, and the one that must go for it, if any.
func (cs *Connections) place(c *connection) (victim *connection, ok bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	switch {
	case cs.byAddress[c.address] >= cs.limits.PerAddress && !cs.unlimited(c.address.Addr()):
		victim = cs.idlest(func(o *connection) bool { return o.address == c.address })
		ok = victim != nil
	case len(cs.open) >= cs.limits.Most-cs.limits.Reserve:
		full := len(cs.open) >= cs.limits.Most
		victim = cs.idlest(func(o *connection) bool { return full || !o.spare })
		c.spare = victim == nil || victim.spare
		ok = victim != nil || !full
	default:
		ok = true
	}
	if victim != nil || !ok {
		cs.notice(c, ok)
	}
	if victim != nil {
		cs.remove(victim)
	}
	if ok {
		cs.turns++
		c.idle = cs.turns
		cs.open[c] = true
		cs.byAddress[c.address]++
	}
	return victim, ok
}

// unlimited reports whether one address may have all connections: that of a proxy that is trusted, and of this machine,
// where proxies that nobody has named run, and whoever wants to harm the server has better means.
func (cs *Connections) unlimited(addr netip.Addr) bool {
	return addr.IsLoopback() || cs.trusted.trust(addr)
}

// idlest is the connection that is closed first of some: of those that are idle, one of the address that has most
// connections, and of these the one that has been idle for longest. The caller holds the lock.
func (cs *Connections) idlest(of func(*connection) bool) *connection {
	var first *connection
	for c := range cs.open {
		if c.idle == 0 || !of(c) {
			continue
		}
		if first == nil {
			first = c
			continue
		}
		more := cs.byAddress[c.address] - cs.byAddress[first.address]
		if more > 0 || more == 0 && c.idle < first.idle {
			first = c
		}
	}
	return first
}

// remove gives the place of a connection back. The caller holds the lock.
func (cs *Connections) remove(c *connection) {
	if !cs.open[c] {
		return
	}
	delete(cs.open, c)
	if cs.byAddress[c.address]--; cs.byAddress[c.address] == 0 {
		delete(cs.byAddress, c.address)
	}
}

// notice has the log say that there are too many connections. The caller holds the lock.
func (cs *Connections) notice(c *connection, accepted bool) {
	now := time.Now()
	if now.Sub(cs.noticed) < fullNotice {
		return
	}
	cs.noticed = now
	cs.log.Warn("too many connections: idle ones are closed for new ones", "connections", len(cs.open), "from",
		c.address.Addr().String(),
		"of_that_address", cs.byAddress[c.address], "accepted", accepted)
}

// note follows the state of a connection, as of [http.Server.ConnState].
func (cs *Connections) note(conn net.Conn, state http.ConnState) {
	c := limited(conn)
	if c == nil {
		return
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	switch state {
	case http.StateActive:
		c.idle = 0
	case http.StateIdle:
		cs.turns++
		c.idle = cs.turns
	}
}

// limited is the connection of a listener that limits them, below TLS if there is any; nil for another.
func limited(conn net.Conn) *connection {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	c, _ := conn.(*connection)
	return c
}

// onReserve reports whether a request has come on a connection of the reserve, and nothing but the reserve is left still.
func onReserve(r *http.Request) bool {
	conn, _ := r.Context().Value(arrivalKey{}).(net.Conn)
	c := limited(conn)
	if c == nil {
		return false
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.spare = c.spare && len(c.of.open) > c.of.limits.Most-c.of.limits.Reserve
	return c.spare
}
