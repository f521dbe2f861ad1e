package intake

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// KnownRow is a transaction or trade that an import has booked: Key is its ledger key, SourceHash and Occurrence are
// what the row of its file was recognised by, LikeKey is SourceHash without the cells that a bank changes later;
// CreatedAt is when.
//
// Rows are recognised by what the bank wrote, never by what became of it. The hash of the raw cells and the
// occurrence number stand beside the transaction without an index: the rows of a file are sorted by day and compared
// with what is booked that day, a range of the table.
type KnownRow struct{ Key, AccountID, SourceHash, Occurrence, LikeKey, CreatedAt int64 }

// BookedText is a transaction or trade as a row of another kind of file is recognised by it. Minor is in minor
// units of Currency, Text the [ledger.NameHash] or [TradeKey] of its birth, ImportID 0 when no import has booked it.
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
	Date       ledger.Date
	Currency   string
	Text       uint32 // as in [BookedText]
}

// BankID is the bank's own id of a row, as a hash, in an account.
type BankID struct{ Row, AccountID, Key int64 }

// HasBankIDs reports whether anything in the household was booked with an id of a bank.
func HasBankIDs(ctx context.Context, tx *ledger.Tx) (bool, error) {
	has, err := tx.HasBankKeys(ctx, tx.HouseholdID)
	return has != 0, err
}

// BookedBankIDs finds the transactions, or the trades, that were booked with the bank's ids of some rows.
func BookedBankIDs(ctx context.Context, tx *ledger.Tx, ids []BankID, trades bool) (list []BookedBankID, err error) {
	wanted := make([][3]int64, len(ids))
	for i, id := range ids {
		wanted[i] = [3]int64{id.Row, id.AccountID, id.Key}
	}
	text, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	if trades {
		rows, err := tx.ListBankTradeMatches(ctx, queries.ListBankTradeMatchesParams{Wanted: string(text),
			HouseholdID: tx.HouseholdID})
		for _, r := range rows {
			quantity, _ := money.ParseDecimal(r.Quantity) // was written by a decimal
			list = append(list, BookedBankID{r.ImportRow, r.ID, r.Amount, ledger.Date(r.Date), r.Currency,
				TradeKey(r.Kind, r.Ticker, quantity)})
		}
		return list, err
	}
	rows, err := tx.ListBankMatches(ctx, queries.ListBankMatchesParams{Wanted: string(text),
		HouseholdID: tx.HouseholdID})
	for _, r := range rows {
		list = append(list, BookedBankID{r.ImportRow, r.ID, r.Amount, ledger.Date(r.Date), r.Currency,
			birthKey(r.NameHash, r.Name)})
	}
	return list, err
}

// BookedDay is what is booked on a day, to recognise rows of files by.
type BookedDay struct {
	Keys  []KnownRow
	Texts []BookedText
}

// UnsettledEntry is a transaction that was booked while it was pending at the bank.
type UnsettledEntry struct {
	Key, AccountID, Minor int64
	Date                  ledger.Date
	Currency              string
	Text                  uint32 // as in [BookedText]
}

// UnsettledEntries are those of which no final row has come yet.
func UnsettledEntries(ctx context.Context, tx *ledger.Tx) (list []UnsettledEntry, err error) {
	rows, err := tx.ListUnsettled(ctx, tx.HouseholdID)
	for _, r := range rows {
		list = append(list, UnsettledEntry{r.ID, r.AccountID, r.Amount, ledger.Date(r.Date), r.Currency,
			birthKey(r.NameHash, r.Name)})
	}
	return list, err
}

// SettledEntry is an unsettled transaction and the final row that it is recognised by from now on; BankKey and LikeKey
// are as in [entry.Draft].
type SettledEntry struct{ Key, SourceHash, Occurrence, BankKey, LikeKey int64 }

// SettleEntries has transactions that were booked while they were pending recognised by their final rows, which have
// come with an import.
func SettleEntries(ctx context.Context, tx *ledger.Tx, importID int64, list []SettledEntry) error {
	for _, e := range list {
		n, err := tx.SettleEntry(ctx, queries.SettleEntryParams{ImportID: &importID, TransactionID: e.Key,
			HouseholdID: tx.HouseholdID})
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		err = tx.RekeyTransaction(ctx, queries.RekeyTransactionParams{SourceHash: &e.SourceHash,
			Occurrence: &e.Occurrence, BankKey: ledger.OptionalKey(e.BankKey),
			LikeKey: entry.LikeKey(e.LikeKey, e.SourceHash),
			ID:      e.Key, HouseholdID: tx.HouseholdID})
		if err != nil {
			return err
		}
		if err := tx.NoteMoved(ctx, queries.NoteMovedParams{ID: e.Key, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
	}
	return nil
}

// UnsettleEntries takes back what the rows of an import have settled.
func UnsettleEntries(ctx context.Context, tx *ledger.Tx, importID int64) error {
	list, err := tx.ListSettled(ctx, queries.ListSettledParams{ImportID: &importID, HouseholdID: tx.HouseholdID})
	if err != nil || len(list) == 0 {
		return err
	}
	for _, e := range list {
		err := tx.RekeyTransaction(ctx, queries.RekeyTransactionParams{SourceHash: e.SourceHash,
			Occurrence: e.Occurrence, BankKey: e.BankKey, LikeKey: e.LikeKey, ID: e.TransactionID,
			HouseholdID: tx.HouseholdID})
		if err != nil {
			return err
		}
	}
	return tx.UnsettleEntries(ctx, queries.UnsettleEntriesParams{ImportID: &importID, HouseholdID: tx.HouseholdID})
}

// BookedKeys are the keys of the transactions that imports have booked on a day.
func BookedKeys(ctx context.Context, tx *ledger.Tx, day ledger.Date) ([]KnownRow, error) {
	rows, err := tx.ListBookedKeys(ctx, queries.ListBookedKeysParams{HouseholdID: tx.HouseholdID,
		FirstKey: int64(ledger.FirstKey(tx.HouseholdID, day)), LastKey: int64(ledger.LastKey(tx.HouseholdID, day))})
	list := make([]KnownRow, len(rows))
	for i, r := range rows {
		list[i] = KnownRow{r.ID, r.AccountID, r.SourceHash, r.Occurrence, r.LikeKey, r.CreatedAt}
	}
	return list, err
}

// MovedKeys are the keys of the transactions, or of the trades, that imports have booked and people have put on
// another day.
func MovedKeys(ctx context.Context, tx *ledger.Tx, trades bool) (list []KnownRow, err error) {
	if trades {
		rows, err := tx.ListMovedTrades(ctx, tx.HouseholdID)
		for _, r := range rows {
			list = append(list, KnownRow{r.ID, r.AccountID, r.SourceHash, r.Occurrence, r.LikeKey, r.CreatedAt})
		}
		return list, err
	}
	rows, err := tx.ListMovedTransactions(ctx, tx.HouseholdID)
	for _, r := range rows {
		list = append(list, KnownRow{r.ID, r.AccountID, r.SourceHash, r.Occurrence, r.LikeKey, r.CreatedAt})
	}
	return list, err
}

// BookedTexts are all transactions of a day, in the order in which they were booked.
func BookedTexts(ctx context.Context, tx *ledger.Tx, day ledger.Date) ([]BookedText, error) {
	rows, err := tx.ListBookedTexts(ctx, queries.ListBookedTextsParams{HouseholdID: tx.HouseholdID,
		FirstKey: int64(ledger.FirstKey(tx.HouseholdID, day)), LastKey: int64(ledger.LastKey(tx.HouseholdID, day))})
	list := make([]BookedText, len(rows))
	for i, r := range rows {
		list[i] = BookedText{r.ID, r.AccountID, r.Amount, r.Currency, birthKey(r.NameHash, r.Name), r.ImportID,
			r.HasBankKey != 0}
	}
	sortBooked(list)
	return list, err
}

// BookedTrades are all trades of a day, in the order in which they were booked.
func BookedTrades(ctx context.Context, tx *ledger.Tx, day ledger.Date) (BookedDay, error) {
	rows, err := tx.ListBookedTrades(ctx, queries.ListBookedTradesParams{HouseholdID: tx.HouseholdID,
		FirstKey: int64(ledger.FirstKey(tx.HouseholdID, day)), LastKey: int64(ledger.LastKey(tx.HouseholdID, day))})
	var booked BookedDay
	for _, r := range rows {
		quantity, _ := money.ParseDecimal(r.Quantity) // was written by a decimal
		booked.Texts = append(booked.Texts, BookedText{r.ID, r.AccountID, r.Amount, r.Currency,
			TradeKey(r.Kind, r.Ticker, quantity), r.ImportID, r.HasBankKey != 0})
		if r.SourceHash != nil {
			booked.Keys = append(booked.Keys, KnownRow{r.ID, r.AccountID, *r.SourceHash, r.Occurrence, r.LikeKey,
				r.CreatedAt})
		}
	}
	sortBooked(booked.Texts)
	return booked, err
}

func sortBooked(list []BookedText) {
	slices.SortFunc(list, func(a, b BookedText) int { return cmp.Compare(a.Key, b.Key) })
}

// birthKey is the key of a transaction's name at its birth, which is stored unless the transaction is older than the
// column.
func birthKey(stored *int64, name string) uint32 {
	if stored != nil {
		return uint32(*stored)
	}
	return ledger.NameHash(name)
}

// TradeKey is to a trade what [ledger.NameHash] is to a transaction. Quantity may have either sign.
func TradeKey(kind, ticker string, quantity decimal.Decimal) uint32 {
	return ledger.NameHash(strings.Join([]string{kind, ticker, quantity.Abs().String()}, " "))
}
