package db

import (
	"sync"

	"modernc.org/libc"
	"modernc.org/sqlite"
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

// crowded is how many pieces are taken when large sums, which make texts by the hundred thousand, get no more of them:
// a third of all, most of which are smaller than pieceSize. Prepared statements take about twenty each.
const crowded = pieces

// makeRoom forgets the prepared statements where they have taken the small memory up. To prepare those again that are
// needed takes milliseconds, and large sums without it twice their time.
func (c *conn) makeRoom() error {
	taken := 0
	err := c.raw.Raw(func(driver any) (err error) {
		if status, ok := driver.(sqlite.DBStatus); ok {
			taken, _, err = status.Status(sqlite.DBStatusLookasideUsed, false)
		}
		return err
	})
	if taken > crowded {
		c.forget()
	}
	return err
}
