package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
	"finsvc/importer/apply"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// maxDifferences is how many sentences a report has at most.
const maxDifferences = 100

// backupCheck reads the file of an import that was published once more and looks for what it says in the books.
type backupCheck struct {
	p        *publisher
	made     *apply.Restored
	refs     map[string]int64 // accounts by the ids of the file
	entities map[string]int64 // how many rows there are of each
	report   BackupReport
	checked  map[string]int64 // by entity
	rejected map[[2]queries.PublicID]bool
	claims   []claim
	balanced map[int64]bool // accounts of which there are records of balances
	more     int            // differences that are not listed
}

func newBackupCheck(p *publisher) *backupCheck {
	return &backupCheck{p: p, made: &p.applier.Restored, refs: p.names.Refs, entities: map[string]int64{},
		checked:  map[string]int64{},
		rejected: map[[2]queries.PublicID]bool{}, balanced: map[int64]bool{}, report: expectReport(nil, readbackFailed)}
}

func (c *backupCheck) differs(format string, args ...any) {
	if len(c.report.Differences) >= maxDifferences {
		c.more++
		return
	}
	c.report.Differences = append(c.report.Differences, fmt.Sprintf(format, args...))
}

func (c *backupCheck) readRejections(ctx context.Context) error {
	return c.p.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		home := c.p.who.HouseholdID
		rows, err := q.ListBackupRejections(ctx, queries.ListBackupRejectionsParams{HouseholdID: home,
			FirstKey: int64(ledger.FirstKey(home, ledger.MinDate)),
			LastKey:  int64(ledger.LastKey(home, ledger.MaxDate))})
		for _, r := range rows {
			c.rejected[[2]queries.PublicID{r.InflowID, r.OutflowID}] = true
		}
		return err
	})
}

// row looks for what a row says.
func (c *backupCheck) row(ctx context.Context, row record.Record) error {
	c.entities[row.Entity()]++
	for _, sentence := range row.Changes {
		c.differs("%s", sentence)
	}
	if len(row.Issues) > 0 {
		return ctx.Err()
	}
	if row.Entity() == record.EntityBalance || row.Entity() == record.EntityHolding {
		c.claim(row)
		return ctx.Err()
	}
	return c.p.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		found, err := c.find(ctx, q, row)
		if err == nil && found {
			c.checked[row.Entity()]++
		}
		return err
	})
}

// find reports whether what a row says is there. Transactions, trades and rules are counted as a whole.
func (c *backupCheck) find(ctx context.Context, q *queries.Queries, row record.Record) (found bool, err error) {
	home := c.p.who.HouseholdID
	switch body := row.Body.(type) {
	case *record.RestoredAccount:
		return c.findAccount(ctx, q, row)
	case *record.RestoredCategory:
		category := c.made.Categories[body.ID]
		if category == nil {
			return false, nil
		}
		_, err = q.GetCategory(ctx, queries.GetCategoryParams{PublicID: category.PublicID, HouseholdID: home})
	case *record.Tag:
		_, err = q.GetTagNamed(ctx, queries.GetTagNamedParams{HouseholdID: home, NameKey: ledger.Fold(row.Name)})
	case *record.Merchant:
		_, err = q.GetMerchantNamed(ctx, queries.GetMerchantNamedParams{HouseholdID: home,
			NameKey: ledger.Fold(row.Name)})
	case *record.Valuation:
		return c.findValuation(ctx, q, row, body)
	case *record.Transfer:
		return c.findPair(ctx, q, body)
	default:
		return false, nil
	}
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (c *backupCheck) findAccount(ctx context.Context, q *queries.Queries, row record.Record) (bool, error) {
	key, made := c.refs[row.AccountRef]
	if !made {
		return false, nil
	}
	c.claims = append(c.claims, claim{account: key, name: row.Name, minor: row.Minor, currency: row.Currency,
		current: true})
	_, err := c.p.im.ledger.Exports.LabelID(ctx, c.p.im.ledger.Tx(q, c.p.who), record.EntityAccount, key)
	return err == nil, err
}

func (c *backupCheck) findValuation(ctx context.Context, q *queries.Queries, row record.Record,
	body *record.Valuation) (bool, error) {
	key := c.refs[row.AccountRef]
	var v queries.Valuation
	var err error
	if body.Opening {
		v, err = q.GetOpening(ctx, queries.GetOpeningParams{AccountID: key, HouseholdID: c.p.who.HouseholdID})
	} else {
		v, err = q.GetValuationOfDay(ctx, queries.GetValuationOfDayParams{AccountID: key, Day: int64(row.Date),
			HouseholdID: c.p.who.HouseholdID})
	}
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return v.Amount == body.Sign*row.Minor, err
}

func (c *backupCheck) findPair(ctx context.Context, q *queries.Queries, body *record.Transfer) (bool, error) {
	a, err := apply.ImportSide(ctx, c.p.im.ledger.Tx(q, c.p.who), c.p.imp.ID, body.Inflow)
	if err != nil {
		return false, err
	}
	b, err := apply.ImportSide(ctx, c.p.im.ledger.Tx(q, c.p.who), c.p.imp.ID, body.Outflow)
	if body.Rejected {
		return c.rejected[[2]queries.PublicID{a.PublicID, b.PublicID}] ||
			c.rejected[[2]queries.PublicID{b.PublicID, a.PublicID}], err
	}
	return a.TransferID != nil && b.TransferID != nil && *a.TransferID == *b.TransferID, err
}

// delta is what the import added, by entity.
func (c *backupCheck) delta(ctx context.Context) (map[string]int64, error) {
	delta := map[string]int64{}
	err := c.p.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		created, err := q.SumImportCreations(ctx, queries.SumImportCreationsParams{ImportID: c.p.imp.ID,
			HouseholdID: c.p.who.HouseholdID})
		if err != nil {
			return err
		}
		for _, row := range created {
			delta[row.Entity] = row.Things
		}
		rows, err := q.CountImportRows(ctx, queries.CountImportRowsParams{ImportID: c.p.imp.ID,
			HouseholdID: c.p.who.HouseholdID})
		delta[""], delta[record.EntityTrade] = rows.Transactions, rows.Trades
		c.checked[""], c.checked[record.EntityTrade], c.checked[record.EntityRule] = rows.Transactions+rows.Matches,
			rows.Trades, delta[record.EntityRule]
		return err
	})
	delta[record.EntityTransfer], delta[record.EntityRejected] = c.checked[record.EntityTransfer],
		c.checked[record.EntityRejected]
	return delta, err
}

// What is compared at most: the newest days of the file, and records of them.
const (
	maxComparedDays = 366
	maxClaims       = 200_000
)

// claim is a balance or a holding as the file has it. Minor is in the written sign.
type claim struct {
	account  int64
	name     string // of the account
	ticker   string // of a holding; blank for a balance
	day      ledger.Date
	current  bool // of an account without records of balances: at the end of today
	minor    int64
	quantity decimal.Decimal
	currency money.Currency
}

func (c *backupCheck) claim(row record.Record) {
	key, made := c.refs[row.AccountRef]
	if !made || len(c.claims) >= maxClaims {
		return
	}
	found := claim{account: key, name: row.Account, day: row.Date, minor: row.Minor, currency: row.Currency}
	holding, isHolding := row.Body.(*record.Holding)
	switch {
	case isHolding && c.made.Disabled[key]:
		c.checked[record.EntityHolding]++
		return
	case isHolding:
		found.ticker, found.quantity = market.TickerText(holding.Ticker, holding.MIC), holding.Quantity
	default:
		c.balanced[key] = true
	}
	c.claims = append(c.claims, found)
}

// compare looks at the newest days of the file.
func (c *backupCheck) compare(ctx context.Context) error {
	home, err := c.p.im.ledger.Tenants.GetHousehold(ctx, c.p.who)
	if err != nil {
		return err
	}
	// Sort them by day, the newest first. What is said of the present counts for today, and not at all where
	// the file has balances of the account.
	today := c.p.im.ledger.Today(home)
	c.claims = slices.DeleteFunc(c.claims, func(of claim) bool { return of.current && c.balanced[of.account] })
	for i := range c.claims {
		if c.claims[i].current {
			c.claims[i].day = today
		}
	}
	slices.SortStableFunc(c.claims, func(a, b claim) int { return cmp.Compare(b.day, a.day) })
	days := 0
	for rest := c.claims; len(rest) > 0; days++ {
		n := slices.IndexFunc(rest, func(of claim) bool { return of.day != rest[0].day })
		if n < 0 {
			n = len(rest)
		}
		if days == maxComparedDays {
			c.differs("balances and holdings before %s were not compared", rest[0].day.AddDays(1))
			c.agreed(rest)
			return nil
		}
		if err := c.compareDay(ctx, rest[0].day, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// agreed counts claims as found.
func (c *backupCheck) agreed(claims []claim) {
	for _, of := range claims {
		switch {
		case of.ticker != "":
			c.checked[record.EntityHolding]++
		case !of.current:
			c.checked[record.EntityBalance]++
		}
	}
}

func (c *backupCheck) compareDay(ctx context.Context, day ledger.Date, claims []claim) error {
	balances, err := c.p.im.ledger.Balances.Balances(ctx, c.p.who, day)
	if err != nil {
		return err
	}
	ids, err := c.p.im.ledger.Entries.AccountIDs(ctx, c.p.who)
	if err != nil {
		return err
	}
	held, err := c.held(ctx, day, claims)
	if err != nil {
		return err
	}
	for _, of := range claims {
		if of.ticker == "" {
			c.compareBalance(of, balances[of.account], day)
			continue
		}
		key, err := c.heldKey(ctx, ids[of.account], of.ticker)
		if err != nil {
			return err
		}
		c.compareHolding(of, held[key], day)
	}
	return nil
}

func (c *backupCheck) compareBalance(of claim, have balance.Balance, day ledger.Date) {
	minor := have.Minor
	if c.made.Signs[of.account] < 0 {
		minor = -minor
	}
	if minor == of.minor {
		c.agreed([]claim{of})
		return
	}
	c.differs("the balance of %s on %s is %s %s here, the file has %s", ledger.Quote(of.name), day,
		of.currency.Plain(minor), of.currency.Code,
		of.currency.Plain(of.minor))
}

// heldLine names what an account holds of a security.
type heldLine struct{ account, security uuid.UUID }

// held is what is held on a day; nothing when no claim is about that.
func (c *backupCheck) held(ctx context.Context, day ledger.Date, claims []claim) (map[heldLine]position.Holding,
	error) {
	if !slices.ContainsFunc(claims, func(of claim) bool { return of.ticker != "" }) {
		return nil, nil
	}
	const most = 1 << 20
	list, _, err := c.p.im.ledger.Positions.ListHoldings(ctx, c.p.who, position.HoldingFilter{Date: ledger.Some(day)},
		ledger.Page{Number: 1, Size: most})
	all := map[heldLine]position.Holding{}
	for _, h := range list {
		all[heldLine{h.Account.ID, h.Security.ID}] = h
	}
	return all, err
}

// heldKey is where a holding of the file is looked for; one of a security that is not known is nowhere.
func (c *backupCheck) heldKey(ctx context.Context, account uuid.UUID, ticker string) (heldLine, error) {
	found, err := c.p.im.ledger.Market.FindSecurity(ctx, c.p.who, market.SecurityName{Ticker: ledger.Some(ticker)})
	if ledger.IsKind(err, ledger.Invalid) {
		return heldLine{}, nil
	}
	return heldLine{account, uuid.UUID(found.PublicID)}, err
}

func (c *backupCheck) compareHolding(of claim, have position.Holding, day ledger.Date) {
	switch {
	case !have.Quantity.Equal(of.quantity):
		c.differs("%s holds %s of %s on %s here, the file has %s", ledger.Quote(of.name), have.Quantity, of.ticker, day,
			of.quantity)
	case !of.quantity.IsZero() && (have.Minor != of.minor || have.Currency != of.currency.Code):
		currency, _ := money.LookupCurrency(have.Currency) // what is stored was looked up
		c.differs("what %s holds of %s on %s is worth %s %s here, the file has %s %s", ledger.Quote(of.name), of.ticker,
			day,
			currency.Plain(have.Minor), have.Currency, of.currency.Plain(of.minor), of.currency.Code)
	default:
		c.agreed([]claim{of})
	}
}

// BackupReport is what the records of a backup come to, and what was found of them after they were published. The
// counts are by kind of record.
type BackupReport struct {
	Expected map[string]int64 `json:"expected_record_counts"`
	Readback Readback         `json:"readback"`
	NotKept  map[string]int64 `json:"not_kept"`
	// sentences: where the books differ from what the file says; the first of them
	Differences []string `json:"differences"`
}

// Readback says whether all that a backup holds was found in the books. Delta counts what the import added, Checked
// what was found, be it added or there before.
type Readback struct {
	Status     string              `json:"status"` // not_verified, matched, mismatch, failed or reverted
	CheckedAt  *string             `json:"checked_at"`
	Expected   map[string]int64    `json:"expected_record_counts"`
	Delta      map[string]int64    `json:"actual_delta_counts"`
	Checked    map[string]int64    `json:"checked_counts"`
	Mismatches map[string]Mismatch `json:"mismatches"`
	Error      *string             `json:"error"`
}

// Mismatch is a count that is another than that of the file.
type Mismatch struct {
	Expected int64 `json:"expected"`
	Actual   int64 `json:"actual"`
}

// The states of a readback.
const (
	readbackOpen     = "not_verified"
	readbackMatched  = "matched"
	readbackMismatch = "mismatch"
	readbackFailed   = "failed"
	readbackReverted = "reverted"
)

// recordCounts gives the name of a count by entity, and whether records of that kind are kept.
func recordCounts() map[string]struct {
	name string
	kept bool
} {
	return map[string]struct {
		name string
		kept bool
	}{
		record.EntityAccount: {"accounts", true}, record.EntityBalance: {"balances", true},
		record.EntityCategory: {"categories", true}, record.EntityTag: {"tags", true},
		record.EntityMerchant: {"merchants", true}, record.EntityRecurring: {"recurring_transactions", false},
		"":                    {"transactions", true},
		record.EntityTransfer: {"transfers", true}, record.EntityRejected: {"rejected_transfers", true},
		record.EntityTrade:   {"trades", true},
		record.EntityHolding: {"holdings", true}, record.EntityValuation: {"valuations", true},
		record.EntityBudget:   {"budgets", false},
		record.EntityBudgeted: {"budget_categories", false}, record.EntityRule: {"rules", true},
	}
}

// expectReport is the report of a backup that is not published, given how many rows there are of each entity.
func expectReport(entities map[string]int64, status string) BackupReport {
	r := BackupReport{Expected: map[string]int64{}, NotKept: map[string]int64{}, Differences: []string{},
		Readback: Readback{Status: status,
			Expected: map[string]int64{}, Delta: map[string]int64{}, Checked: map[string]int64{},
			Mismatches: map[string]Mismatch{}}}
	for entity, count := range recordCounts() {
		r.Expected[count.name], r.Readback.Expected[count.name] = entities[entity], entities[entity]
		if !count.kept && entities[entity] > 0 {
			r.NotKept[count.name] = entities[entity]
		}
	}
	return r
}

// report is what a file of that type is expected to bring; nil for types that are not verified.
func (s *rowStats) report(kind string) *BackupReport {
	if kind != record.ServiceImport {
		return nil
	}
	r := expectReport(s.entities, readbackOpen)
	return &r
}

// keepReport stores a report; nil stores nothing.
func keepReport(ctx context.Context, tx *ledger.Tx, importID int64, r *BackupReport) error {
	if r == nil {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return tx.SetImportReport(ctx, queries.SetImportReportParams{Report: new(string(text)), ID: importID,
		HouseholdID: tx.HouseholdID})
}

// verify reads a backup that was published against what is in the books now. That it fails changes nothing of the
// import, so it must not fail the publishing.
func verify(ctx context.Context, p *publisher) {
	if p.imp.Type != record.ServiceImport {
		return
	}
	c := newBackupCheck(p)
	err := db.Recovered("panic", func() error {
		if err := c.readRejections(ctx); err != nil {
			return err
		}
		for _, sentence := range c.made.Changes {
			c.differs("%s", sentence)
		}
		if err := c.p.eachRow(ctx, func(row record.Record) error { return c.row(ctx, row) }); err != nil {
			return err
		}
		if err := c.compare(ctx); err != nil {
			return err
		}
		// Add up the counts.
		if c.more > 0 {
			c.report.Differences = append(c.report.Differences, fmt.Sprintf("and %d more", c.more))
		}
		differences := c.report.Differences
		c.report = expectReport(c.entities, readbackMatched)
		c.report.Differences = differences
		delta, err := c.delta(ctx)
		if err != nil {
			return err
		}
		r := &c.report.Readback
		for entity, count := range recordCounts() {
			if !count.kept {
				continue
			}
			r.Delta[count.name], r.Checked[count.name] = delta[entity], c.checked[entity]
			if c.checked[entity] != c.entities[entity] {
				r.Mismatches[count.name], r.Status = Mismatch{c.entities[entity], c.checked[entity]}, readbackMismatch
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return // the service stops: it stays unverified
	}
	if err != nil {
		p.im.log.LogAttrs(ctx, slog.LevelWarn, "verifying an import", slog.Int64("import", p.imp.ID),
			slog.String("error", err.Error()))
		c.report = expectReport(c.entities, readbackFailed)
		c.report.Readback.Error = new("the books could not be read back, for a reason that is in the service's log; the import itself is complete")
	}
	if err := store(ctx, p, c.report); err != nil {
		p.im.log.LogAttrs(ctx, slog.LevelWarn, "verifying an import", slog.Int64("import", p.imp.ID),
			slog.String("error", err.Error()))
	}
}

func store(ctx context.Context, p *publisher, r BackupReport) error {
	r.Readback.CheckedAt = new(p.im.now().UTC().Format(time.RFC3339))
	return p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		return keepReport(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID, &r)
	})
}

// forgetReport says of an import that was taken back that its report is of the past.
func forgetReport(ctx context.Context, p *publisher, q *queries.Queries) error {
	if p.imp.Report == nil {
		return nil
	}
	var before BackupReport
	if err := json.Unmarshal([]byte(*p.imp.Report), &before); err != nil {
		return err
	}
	after := BackupReport{Expected: before.Expected, NotKept: before.NotKept, Differences: []string{},
		Readback: Readback{Status: readbackReverted,
			Expected: before.Expected, Delta: map[string]int64{}, Checked: map[string]int64{},
			Mismatches: map[string]Mismatch{}}}
	return keepReport(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID, &after)
}
