package entry

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/rollup"
	"finsvc/ledger/rule"
	"finsvc/queries"
)

// Draft is a transaction that an import is about to write. Minor is in minor units of Currency, into the
// account positive; CategoryID and MerchantID are 0 when
// there is none.
type Draft struct {
	AccountID   int64
	Date        ledger.Date
	Minor       int64
	Currency    string
	Name, Notes string
	ExternalID  string // of a transaction that has an id elsewhere
	Source      string // where; both may be blank
	CategoryID  int64
	MerchantID  int64
	Merchant    string // its name, to be searched by
	TagIDs      []int64
	Lines       []DraftLine // what it was for; then it has no CategoryID
	Row         int64       // of the file, from 1
	SourceHash  int64       // hash of the raw row
	BankKey     int64       // hash of the bank's own id; 0 where there is none
	// hash of the cells of the row that a bank does not change later; SourceHash where those are all
	LikeKey    int64
	Occurrence int64 // how many equal rows came before it in the file
}

// BulkTarget is where drafts go: the import they belong to, the creation number of its row 1, and the rules that
// are applied to them.
type BulkTarget struct {
	ImportID      int64
	FirstSequence int64
	Rules         *rule.Engine
}

// InsertDrafts writes transactions without what they are found by, which is for [MakeFindable] in the same
// write, and without their rollups, which the caller gathers and applies with [ApplyRollups] in the write that
// makes the rows visible.
func InsertDrafts(ctx context.Context, tx *ledger.Tx, to BulkTarget, drafts []Draft) (Texts, error) {
	rows, labels, err := draftRows(tx, to, drafts)
	if err != nil {
		return nil, err
	}
	if err := checkParents(ctx, tx, drafts, rows, labels); err != nil {
		return nil, err
	}
	if at, err := tx.InsertTransactions(ctx, rows); err != nil {
		return nil, ledger.Taken(err, "external_id", "must be that of one transaction of the account, another one has %s as well", ledger.Quote(drafts[at].ExternalID))
	}
	var beside attachments
	texts := make(Texts, len(drafts))
	for i := range drafts {
		texts[i], err = drafts[i].label(ctx, tx, &rows[i], &labels[i], &beside)
		if err != nil {
			return nil, err
		}
	}
	return texts, beside.store(ctx, tx.Queries)
}

// draftRows applies the rules.
func draftRows(tx *ledger.Tx, to BulkTarget, drafts []Draft) ([]queries.InsertTransactionParams, []draftLabels, error) {
	stamp := tx.Stamp()
	rows := make([]queries.InsertTransactionParams, len(drafts))
	labels := make([]draftLabels, len(drafts))
	var f rule.Subject
	for i := range drafts {
		seeDraft(&f, &drafts[i])
		effects := to.Rules.Apply(&f)
		labels[i] = draftLabels{f.Tags, f.MerchantName, slices.Clone(effects)}
		var err error
		rows[i], err = drafts[i].row(tx.Actor, to, &f, stamp)
		if err != nil {
			return nil, nil, err
		}
	}
	return rows, labels, nil
}

// Texts are what transactions are found by.
type Texts []searchText

type searchText struct {
	key int64
	ledger.SearchText
}

// MakeFindable is for the end of a write: SQLite stores what the index for text search has gathered, in a part of its
// own, before the next statement that writes several rows.
func MakeFindable(ctx context.Context, q *queries.Queries, texts Texts) error {
	for i := range texts {
		t := &texts[i]
		if err := q.InsertSearchText(ctx, t.key, t.Name, t.Notes, t.Merchant); err != nil {
			return err
		}
	}
	return nil
}

// draftLabels is what a draft has beside its row, once the rules are applied.
type draftLabels struct {
	tags     []int64
	merchant string
	effects  []rule.RuleEffect
}

// row is the draft as the rules have left it in f.
func (d *Draft) row(who ledger.Actor, to BulkTarget, f *rule.Subject, stamp int64) (queries.InsertTransactionParams,
	error) {
	id, err := ledger.NewID()
	return queries.InsertTransactionParams{
		ID: int64(ledger.NewKey(who.HouseholdID, d.Date, to.FirstSequence+d.Row-1)), PublicID: id,
		HouseholdID: who.HouseholdID, AccountID: d.AccountID,
		Date: int64(d.Date), Amount: d.Minor, Currency: d.Currency, Name: f.Name, Notes: ledger.OptionalText(d.Notes),
		CategoryID: ledger.OptionalKey(f.CategoryID), MerchantID: ledger.OptionalKey(f.MerchantID),
		ExternalID: ledger.OptionalText(d.ExternalID), Source: ledger.OptionalText(d.Source),
		ImportID: &to.ImportID, ImportRow: &d.Row, SourceHash: &d.SourceHash, Occurrence: &d.Occurrence,
		NameHash: ledger.NameHashColumn(d.Name),
		BankKey:  ledger.OptionalKey(d.BankKey), LikeKey: LikeKey(d.LikeKey, d.SourceHash),
		CreatedAt: stamp, UpdatedAt: stamp,
	}, err
}

// LikeKey is what is stored of it: nothing where it is the source hash.
func LikeKey(like, raw int64) *int64 {
	if like == raw {
		return nil
	}
	return &like
}

// label gathers what a transaction has beside its row, and gives what it is found by.
func (d *Draft) label(ctx context.Context, tx *ledger.Tx, row *queries.InsertTransactionParams, labels *draftLabels,
	beside *attachments) (searchText, error) {
	beside.tag(row.ID, labels.tags)
	beside.note(row.ID, labels.effects, d.Name)
	if len(d.Lines) == 0 {
		return searchText{row.ID, ledger.SearchText{Name: row.Name, Notes: d.Notes, Merchant: labels.merchant}}, nil
	}
	if err := d.CheckLines(); err != nil {
		return searchText{}, err
	}
	lines := make([]queries.SplitLine, len(d.Lines))
	for i, line := range d.Lines {
		lines[i] = queries.SplitLine{Position: int64(i + 1), Amount: line.Minor, Name: ledger.OptionalText(line.Name),
			Notes:      ledger.OptionalText(line.Notes),
			CategoryID: ledger.OptionalKey(line.CategoryID), MerchantID: ledger.OptionalKey(line.MerchantID),
			TagIDs: slices.Clone(line.TagIDs)}
	}
	if err := beside.split(row.ID, tx.HouseholdID, lines); err != nil {
		return searchText{}, err
	}
	key := row.ID
	merchants, err := merchantNames(ctx, tx, merchantKeys(ledger.OptionalKey(d.MerchantID), lines))
	return searchText{key, ledger.SearchText{Name: d.Name, Notes: searchNotes(ledger.OptionalText(d.Notes), lines), Merchant: merchants}}, err
}

// ApplyRollups adds what was gathered to the household's rollups. A day or a balance that would be no amount is a
// validation error.
func ApplyRollups(ctx context.Context, tx *ledger.Tx, r *rollup.Rollups) error {
	return r.Apply(ctx, tx)
}

// AccountKey is the inner key of one of the household's accounts.
func (s *Service) AccountKey(ctx context.Context, who ledger.Actor, id uuid.UUID) (key int64, err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(ctx context.Context, tx *ledger.Tx) error {
		known := false
		key, known = tx.Refs.Accounts.Keys[id]
		if !known {
			return ledger.NewNotFound("Account")
		}
		return nil
	})
	return key, err
}

// AccountCurrencies are the currencies of a household's accounts, by inner key and by folded name. Keys has the
// inner key of each name that one account has, Owed the inner keys of liabilities.
type AccountCurrencies struct {
	ByKey  map[int64]money.Currency
	ByName map[string]money.Currency
	Keys   map[string]int64
	Owed   map[int64]bool
}

// AccountCurrencies gives the currencies of the household's accounts.
func (s *Service) AccountCurrencies(ctx context.Context, who ledger.Actor) (AccountCurrencies, error) {
	c := AccountCurrencies{map[int64]money.Currency{}, map[string]money.Currency{}, map[string]int64{},
		map[int64]bool{}}
	err := s.WithRefs(ctx, s.DB.Read, who, func(ctx context.Context, tx *ledger.Tx) error {
		for key, account := range tx.Refs.Accounts.ByKey {
			currency, _ := money.LookupCurrency(account.Currency)    // was looked up when it was stored
			kind, _ := ledger.LookupAccountType(account.AccountType) // was looked up as well
			c.ByKey[key], c.Owed[key] = currency, kind.Classification == ledger.Liability
			name := ledger.Fold(account.Name)
			if _, twice := c.ByName[name]; twice {
				key = 0 // no row can be meant
			}
			c.ByName[name], c.Keys[name] = currency, key
		}
		return nil
	})
	return c, err
}

// AccountIDs gives the public ids of the household's accounts by inner key.
func (s *Service) AccountIDs(ctx context.Context, who ledger.Actor) (ids map[int64]uuid.UUID, err error) {
	err = s.WithRefs(ctx, s.DB.Read, who, func(ctx context.Context, tx *ledger.Tx) error {
		ids = make(map[int64]uuid.UUID, len(tx.Refs.Accounts.ByKey))
		for key, account := range tx.Refs.Accounts.ByKey {
			ids[key] = account.ID
		}
		return nil
	})
	return ids, err
}
