package db

import (
	"sync"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Small pieces of memory of each connection, in bytes and number. SQLite's own number is used up by the statements that
// are kept prepared; what is too much comes from one allocator with one lock, where connections wait for each other.
const (
	pieceSize = 1200
	pieces    = 200
)

// reserveMemory gives every connection that is opened later its own small memory. It is for speed only: SQLite refuses
// once any connection was opened by somebody else.
var reserveMemory = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	sizes := libc.NewVaList(int32(pieceSize), int32(pieces))
	defer libc.Xfree(tls, sizes)
	sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_LOOKASIDE, sizes)
})
