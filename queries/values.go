package queries

import (
	"database/sql/driver"
	"fmt"
)

// PublicID is the UUID by which clients know a row, stored as 16 bytes.
type PublicID [16]byte

// Value gives the bytes to the driver.
func (id PublicID) Value() (driver.Value, error) { return id[:], nil }

// Scan reads the bytes back.
func (id *PublicID) Scan(value any) error {
	bytes, ok := value.([]byte)
	if !ok || len(bytes) != len(id) {
		return fmt.Errorf("a public id is 16 bytes, got %T", value)
	}
	copy(id[:], bytes)
	return nil
}
