// Package signin is how a person is let in by a browser: the ways to sign in, the sessions that these begin, what a
// person has set for all of them, and the code with which the first household is made. It promises that no secret is
// kept as it is, that guessing takes longer with every failure, and that a session ends with the key, the person or
// the password that it stands on. It knows no cookie and no page, and opens nothing to programs: those have keys, which
// are of package tenant.
package signin

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/netip"
	"sync"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// Service lets people in.
type Service struct {
	*ledger.Store
	tenants *tenant.Service
	keys    *tenant.Keys

	hashing chan struct{} // a place for each password that is hashed at present
	waiting chan struct{} // and for each that waits for one
	tries   throttle      // of names and addresses
	codes   codeTries     // of set-up codes
}

// New gives the way in to the books' database.
func New(store *ledger.Store, tenants *tenant.Service, keys *tenant.Keys) *Service {
	return &Service{Store: store, tenants: tenants, keys: keys,
		hashing: make(chan struct{}, maxHashing), waiting: make(chan struct{}, maxWaiting)}
}

// Device is what is known of the browser that signs in.
type Device struct {
	Agent   string // as it calls itself
	Address netip.Addr
}

// maxAgent is how much is kept of what a browser calls itself, in characters.
const maxAgent = 300

// throttleKey is what the tries of a device are counted under. A household has a whole network of IPv6 addresses.
func (d Device) throttleKey() string {
	address := d.Address.Unmap()
	if address.Is6() {
		network, _ := address.Prefix(64) // of a valid address it cannot fail
		address = network.Addr()
	}
	return "address " + address.String()
}

const (
	tokenBytes  = 32
	tokenDigits = 43 // of base 64
)

// newToken makes 256 random bits readable. Reading random bits does not fail.
func newToken() string {
	random := make([]byte, tokenBytes)
	rand.Read(random)
	return base64.RawURLEncoding.EncodeToString(random)
}

// hashToken is what is kept of a token. The bits are random: a slow hash would protect nothing.
func hashToken(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}

// codeTries are the set-up codes that were wrong of late, whoever tried them.
type codeTries struct {
	mu    sync.Mutex
	wrong []time.Duration // when, of [ledger.Store.Ran]
}
