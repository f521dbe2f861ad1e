package middleware

import (
	"sync/atomic"

	"finsvc/handlers/wire"
)

// Access is what a key needs for a route.
type Access int

// The kinds of access, in rising order.
const (
	Public Access = iota // no key
	Read                 // any key
	Write                // a key of scope read_write
)

// lasting is how long a GET may take.
type lasting int

const (
	asRead   lasting = iota // up to the limit of reads
	AsFile                  // it reads a stored file besides, which takes as long as the file is
	AsStream                // as long as there is something to tell
)

// Handler answers a request: JSON into a, or an error.
type Handler func(a *wire.Answer, r *wire.Request) error

// Route is one operation of the API.
type Route struct {
	Method string
	Path   string // every parameter is named :id, a second one by what it is
	Access Access
	Handle Handler

	BodyMax int64 // longest body in bytes; 0: the ordinary limit
	RawBody bool  // the handler reads the body itself, as a stream
	Quiet   bool  // logged at debug level only
	counts  *routeCounts
	Lasts   lasting
	Live    bool // GET answers with more than the data and the day decide, or sets headers of its own
}

// inbound is a request on its way through the checks.
type inbound struct {
	*wire.Request
	route *Route // nil until it is found
	load  *load  // what its key has running, this one included; nil where it was not counted
}

// load is what one key has running.
type load struct{ requests, streams int }

// routeCounts counts the requests of one route.
type routeCounts struct {
	answers [6]atomic.Int64 // by the first digit of the status
	took    [13]atomic.Int64
	total   atomic.Int64 // nanoseconds
}
