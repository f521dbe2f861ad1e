package ledger

// Key is the INTEGER key of a transaction or trade: household, day and creation number side by side,
// so that the order of keys is the order of lists (by day, then by creation) and a range of days of a
// household is a range of keys.
//
// Lists are by day, newest first, which is the order of the table: a page is a range, and nothing is sorted. The
// outside sees UUIDs.
type Key int64

// The parts of a key, from its low end: 26 bits of creation number, 17 bits of day counted from
// MinDate, 20 bits of household.
const (
	SequenceBits = 26
	dayBits      = 17

	sequenceMask = 1<<SequenceBits - 1
	dayMask      = 1<<dayBits - 1

	// MaxSequence is the highest creation number; a household can ever create that many entries.
	MaxSequence = sequenceMask
	// MaxHouseholdID is the highest key of a household.
	MaxHouseholdID = 1<<20 - 1
)

// NewKey makes a key. Sequence is the household's creation number, from 1.
func NewKey(householdID int64, day Date, sequence int64) Key {
	return Key(householdID<<(dayBits+SequenceBits) | int64(day-MinDate)<<SequenceBits | sequence)
}

// FirstKey is below every key of the day, LastKey above or equal.
func FirstKey(householdID int64, day Date) Key { return NewKey(householdID, day, 0) }

// LastKey is the highest key a day can have.
func LastKey(householdID int64, day Date) Key { return NewKey(householdID, day, sequenceMask) }

// Day is the day in the key.
func (k Key) Day() Date { return Date(int64(k)>>SequenceBits&dayMask) + MinDate }

// Sequence is the creation number in the key.
func (k Key) Sequence() int64 { return int64(k) & sequenceMask }

// Household is the household in the key.
func (k Key) Household() int64 { return int64(k) >> (dayBits + SequenceBits) }

// MovedTo is the key of the same entry on another day.
func (k Key) MovedTo(day Date) Key {
	return NewKey(k.Household(), day, k.Sequence())
}
