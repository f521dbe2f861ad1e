package middleware

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// strangersPerMinute is how many unknown keys one address may present in a minute.
const strangersPerMinute = 30

// maxStrangers is how many addresses are told apart in a minute; each takes some 200 bytes.
const maxStrangers = 20_000

// authentication finds out who asks, and how often they may.
type authentication struct {
	session   func(context.Context, string) (*tenant.Session, error) // of a key
	keys      *limiters[int64]
	strangers *limiters[netip.Prefix]
	proxies   proxies
	inFlight  *inFlight
	now       func() time.Time
}

// authenticate finds out who asks and whether they may, before anything is looked up for them.
func (s *authentication) authenticate(a *wire.Answer, r *inbound) error {
	presented := presentedKey(r.Request)
	if presented == "" {
		a.Header().Set("WWW-Authenticate", "Bearer")
		return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized",
			Message: "an API key is missing: send it in the header X-Api-Key, or as Authorization: Bearer"}
	}
	session, err := s.session(r.Context(), presented)
	if err != nil {
		return s.rejectKey(a, r.Request, err)
	}
	r.Identify(session)
	var ok bool
	r.Rate, ok = s.keys.take(session.KeyID, session.RateLimit, s.now())
	r.Rate.Headers(a)
	if !ok {
		return r.Rate.Exceeded(a, fmt.Sprintf("this key may make %d requests an hour", session.RateLimit))
	}
	if err := s.inFlight.enter(a, r); err != nil {
		return err
	}
	if r.route.Access != Write || r.Session.Scope == tenant.ScopeReadWrite {
		return nil
	}
	return &ledger.Error{Kind: ledger.Forbidden, Code: "insufficient_scope",
		Message: "this needs a key of scope read_write; the key presented has scope " + r.Session.Scope}
}

// rejectKey answers a key that is not known. An address that presents many is slowed down; keys that
// are known never suffer from it, as all clients behind a proxy share one address.
func (s *authentication) rejectKey(a *wire.Answer, r *wire.Request, err error) error {
	if !ledger.IsKind(err, ledger.Unauthorized) {
		return err
	}
	state, ok := s.strangers.take(clientNetwork(s.proxies.client(r.Request)), strangersPerMinute, s.now())
	if !ok {
		return state.Exceeded(a, "too many unknown keys came from this address")
	}
	a.Header().Set("WWW-Authenticate", "Bearer")
	return err
}

// presentedKey is the key in X-Api-Key or, failing that, in Authorization: Bearer.
func presentedKey(r *wire.Request) string {
	if key := strings.TrimSpace(r.Header.Get("X-Api-Key")); key != "" {
		return key
	}
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}

// clientNetwork is the address of a client; of an IPv6 address the network, which is what one household or host has.
func clientNetwork(addr netip.Addr) netip.Prefix {
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	network, _ := addr.Prefix(bits) // of no address, none
	return network
}
