package ledger

import "github.com/google/uuid"

// Some of what is listed exists once for each day of something and is not stored: the balance of an account,
// the holding of a line, the price of a security. Its id is made of the id of that something and the day.

// DatedID is an id with a day woven into its last bytes, and version 8 (RFC 9562: made as one likes).
func DatedID(of uuid.UUID, day Date) uuid.UUID {
	n := uint32(day - MinDate)
	of[6] = of[6]&0x0f | 0x80
	of[13] ^= byte(n >> 16)
	of[14] ^= byte(n >> 8)
	of[15] ^= byte(n)
	return of
}

// DayInID finds out the day that an id was made of, if it was made of the other one.
func DayInID(id, of uuid.UUID) (day Date, made bool) {
	n := Date(id[13]^of[13])<<16 | Date(id[14]^of[14])<<8 | Date(id[15]^of[15])
	return MinDate + n, DatedID(of, MinDate+n) == id
}
