package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// BookedKey is a transaction or trade that an import has booked: Key is its ledger key, SourceHash and Occurrence are
// what the row of its file was recognised by, LikeKey is SourceHash without the cells that a bank changes later; CreatedAt is when.
//
// Rows are recognised by what the bank wrote, never by what became of it. The hash of the raw cells and the
// occurrence number stand beside the transaction without an index: the rows of a file are sorted by day and compared
// with what is booked that day, a range of the table.
type BookedKey struct{ Key, AccountID, SourceHash, Occurrence, LikeKey, CreatedAt int64 }

// BookedText is a transaction or trade as a row of another kind of file is recognised by it. Minor is in minor
// units of Currency, Text the [NameHash] or [TradeKey] of its birth, ImportID 0 when no import has booked it.
type BookedText struct {
	Key, AccountID, Minor int64
	Currency              string
	Text                  uint32
	ImportID              int64
	HasID                 bool // the bank's own id of it is known
}

// BookedBankID is a transaction or trade that has the bank's own id of a row.
type BookedBankID struct {
	Row        int64
	Key, Minor int64
	Date       Date
	Currency   string
	Text       uint32 // as in [BookedText]
}

// BankID is the bank's own id of a row, as a hash, in an account.
type BankID struct{ Row, AccountID, Key int64 }

// HasBankIDs reports whether anything in the household was booked with an id of a bank.
func (l *Ledger) HasBankIDs(ctx context.Context, q *queries.Queries, who Actor) (bool, error) {
	has, err := q.HasBankKeys(ctx, who.HouseholdID)
	return has != 0, err
}

// BookedBankIDs finds the transactions, or the trades, that were booked with the bank's ids of some rows.
func (l *Ledger) BookedBankIDs(ctx context.Context, q *queries.Queries, who Actor, ids []BankID, trades bool) (list []BookedBankID, err error) {
	wanted := make([][3]int64, len(ids))
	for i, id := range ids {
		wanted[i] = [3]int64{id.Row, id.AccountID, id.Key}
	}
	text, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	if trades {
		rows, err := q.ListBankTradeMatches(ctx, queries.ListBankTradeMatchesParams{Wanted: string(text), HouseholdID: who.HouseholdID})
		for _, r := range rows {
			quantity, _ := ParseDecimal(r.Quantity) // was written by a decimal
			list = append(list, BookedBankID{r.ImportRow, r.ID, r.Amount, Date(r.Date), r.Currency, TradeKey(r.Kind, r.Ticker, quantity)})
		}
		return list, err
	}
	rows, err := q.ListBankMatches(ctx, queries.ListBankMatchesParams{Wanted: string(text), HouseholdID: who.HouseholdID})
	for _, r := range rows {
		list = append(list, BookedBankID{r.ImportRow, r.ID, r.Amount, Date(r.Date), r.Currency, birthKey(r.NameHash, r.Name)})
	}
	return list, err
}

// BookedDay is what is booked on a day, to recognise rows of files by.
type BookedDay struct {
	Keys  []BookedKey
	Texts []BookedText
}

// UnsettledEntry is a transaction that was booked while it was pending at the bank.
type UnsettledEntry struct {
	Key, AccountID, Minor int64
	Date                  Date
	Currency              string
	Text                  uint32 // as in [BookedText]
}

// UnsettledEntries are those of which no final row has come yet.
func (l *Ledger) UnsettledEntries(ctx context.Context, q *queries.Queries, who Actor) (list []UnsettledEntry, err error) {
	rows, err := q.ListUnsettled(ctx, who.HouseholdID)
	for _, r := range rows {
		list = append(list, UnsettledEntry{r.ID, r.AccountID, r.Amount, Date(r.Date), r.Currency, birthKey(r.NameHash, r.Name)})
	}
	return list, err
}

// SettledEntry is an unsettled transaction and the final row that it is recognised by from now on; BankKey and LikeKey are as in [Draft].
type SettledEntry struct{ Key, SourceHash, Occurrence, BankKey, LikeKey int64 }

// SettleEntries has transactions that were booked while they were pending recognised by their final rows, which have come with an import.
func (l *Ledger) SettleEntries(ctx context.Context, q *queries.Queries, who Actor, importID int64, list []SettledEntry) error {
	for _, e := range list {
		n, err := q.SettleEntry(ctx, queries.SettleEntryParams{ImportID: &importID, TransactionID: e.Key, HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		err = q.RekeyTransaction(ctx, queries.RekeyTransactionParams{SourceHash: &e.SourceHash, Occurrence: &e.Occurrence, BankKey: optionalKey(e.BankKey), LikeKey: likeKey(e.LikeKey, e.SourceHash),
			ID: e.Key, HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		if err := q.NoteMoved(ctx, queries.NoteMovedParams{ID: e.Key, HouseholdID: who.HouseholdID}); err != nil {
			return err
		}
	}
	return nil
}

// UnsettleEntries takes back what the rows of an import have settled.
func (l *Ledger) UnsettleEntries(ctx context.Context, q *queries.Queries, who Actor, importID int64) error {
	list, err := q.ListSettled(ctx, queries.ListSettledParams{ImportID: &importID, HouseholdID: who.HouseholdID})
	if err != nil || len(list) == 0 {
		return err
	}
	for _, e := range list {
		err := q.RekeyTransaction(ctx, queries.RekeyTransactionParams{SourceHash: e.SourceHash, Occurrence: e.Occurrence, BankKey: e.BankKey, LikeKey: e.LikeKey, ID: e.TransactionID, HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
	}
	return q.UnsettleEntries(ctx, queries.UnsettleEntriesParams{ImportID: &importID, HouseholdID: who.HouseholdID})
}

// BookedKeys are the keys of the transactions that imports have booked on a day.
func (l *Ledger) BookedKeys(ctx context.Context, q *queries.Queries, who Actor, day Date) ([]BookedKey, error) {
	rows, err := q.ListBookedKeys(ctx, queries.ListBookedKeysParams{HouseholdID: who.HouseholdID,
		FirstKey: int64(FirstKey(who.HouseholdID, day)), LastKey: int64(LastKey(who.HouseholdID, day))})
	list := make([]BookedKey, len(rows))
	for i, r := range rows {
		list[i] = BookedKey{r.ID, r.AccountID, r.SourceHash, r.Occurrence, r.LikeKey, r.CreatedAt}
	}
	return list, err
}

// MovedKeys are the keys of the transactions, or of the trades, that imports have booked and people have put on another day.
func (l *Ledger) MovedKeys(ctx context.Context, q *queries.Queries, who Actor, trades bool) (list []BookedKey, err error) {
	if trades {
		rows, err := q.ListMovedTrades(ctx, who.HouseholdID)
		for _, r := range rows {
			list = append(list, BookedKey{r.ID, r.AccountID, r.SourceHash, r.Occurrence, r.LikeKey, r.CreatedAt})
		}
		return list, err
	}
	rows, err := q.ListMovedTransactions(ctx, who.HouseholdID)
	for _, r := range rows {
		list = append(list, BookedKey{r.ID, r.AccountID, r.SourceHash, r.Occurrence, r.LikeKey, r.CreatedAt})
	}
	return list, err
}

// BookedTexts are all transactions of a day, in the order in which they were booked.
func (l *Ledger) BookedTexts(ctx context.Context, q *queries.Queries, who Actor, day Date) ([]BookedText, error) {
	rows, err := q.ListBookedTexts(ctx, queries.ListBookedTextsParams{HouseholdID: who.HouseholdID,
		FirstKey: int64(FirstKey(who.HouseholdID, day)), LastKey: int64(LastKey(who.HouseholdID, day))})
	list := make([]BookedText, len(rows))
	for i, r := range rows {
		list[i] = BookedText{r.ID, r.AccountID, r.Amount, r.Currency, birthKey(r.NameHash, r.Name), r.ImportID, r.HasBankKey != 0}
	}
	sortBooked(list)
	return list, err
}

// BookedTrades are all trades of a day, in the order in which they were booked.
func (l *Ledger) BookedTrades(ctx context.Context, q *queries.Queries, who Actor, day Date) (BookedDay, error) {
	rows, err := q.ListBookedTrades(ctx, queries.ListBookedTradesParams{HouseholdID: who.HouseholdID,
		FirstKey: int64(FirstKey(who.HouseholdID, day)), LastKey: int64(LastKey(who.HouseholdID, day))})
	var booked BookedDay
	for _, r := range rows {
		quantity, _ := ParseDecimal(r.Quantity) // was written by a decimal
		booked.Texts = append(booked.Texts, BookedText{r.ID, r.AccountID, r.Amount, r.Currency, TradeKey(r.Kind, r.Ticker, quantity), r.ImportID, r.HasBankKey != 0})
		if r.SourceHash != nil {
			booked.Keys = append(booked.Keys, BookedKey{r.ID, r.AccountID, *r.SourceHash, r.Occurrence, r.LikeKey, r.CreatedAt})
		}
	}
	sortBooked(booked.Texts)
	return booked, err
}

func sortBooked(list []BookedText) {
	slices.SortFunc(list, func(a, b BookedText) int { return cmp.Compare(a.Key, b.Key) })
}

// birthKey is the key of a transaction's name at its birth, which is stored unless the transaction is older than the column.
func birthKey(stored *int64, name string) uint32 {
	if stored != nil {
		return uint32(*stored)
	}
	return NameHash(name)
}

// NameHash is a hash of a name, the same for names that differ in case and white space only. It is stored with a
// transaction when that is born, so it must never change: FNV-1a of 32 bits over the folded name in UTF-8.
func NameHash(name string) uint32 {
	if key, ok := asciiNameHash(name); ok {
		return key
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(Fold(name))) // never fails
	return h.Sum32()
}

func nameHash(name string) *int64 {
	key := int64(NameHash(name))
	return &key
}

// asciiNameHash is the quick way for the names that most rows have: no copy of the name is made.
func asciiNameHash(name string) (uint32, bool) {
	const offset, prime = 2166136261, 16777619
	key, gap := uint32(offset), false
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= utf8.RuneSelf:
			return 0, false
		case c == ' ' || c >= '\t' && c <= '\r':
			gap = key != offset
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		if gap {
			key, gap = (key^' ')*prime, false
		}
		key = (key ^ uint32(c)) * prime
	}
	return key, true
}

// TradeKey is to a trade what [NameHash] is to a transaction. Quantity may have either sign.
func TradeKey(kind, ticker string, quantity decimal.Decimal) uint32 {
	return NameHash(strings.Join([]string{kind, ticker, quantity.Abs().String()}, " "))
}
