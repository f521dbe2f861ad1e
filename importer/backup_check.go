package importer

import (
	"context"
	"errors"
	"fmt"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// maxDifferences is how many sentences a report has at most.
const maxDifferences = 100

// backupCheck reads the file of an import that was published once more and looks for what it says in the books.
type backupCheck struct {
	p        *publisher
	made     *restored
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
	return &backupCheck{p: p, made: &p.applier.restored, refs: p.names.refs, entities: map[string]int64{}, checked: map[string]int64{},
		rejected: map[[2]queries.PublicID]bool{}, balanced: map[int64]bool{}, report: expectReport(nil, readbackFailed)}
}

func (c *backupCheck) run(ctx context.Context) error {
	if err := c.readRejections(ctx); err != nil {
		return err
	}
	for _, sentence := range c.made.told {
		c.differs("%s", sentence)
	}
	if err := c.p.eachRow(ctx, func(row Row) error { return c.row(ctx, row) }); err != nil {
		return err
	}
	if err := c.compare(ctx); err != nil {
		return err
	}
	return c.settle(ctx)
}

// fail makes the report one of a check that could not be done.
func (c *backupCheck) fail() {
	c.report = expectReport(c.entities, readbackFailed)
	c.report.Readback.Error = pointer("the books could not be read back, for a reason that is in the service's log; the import itself is complete")
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
			FirstKey: int64(ledger.FirstKey(home, ledger.MinDate)), LastKey: int64(ledger.LastKey(home, ledger.MaxDate))})
		for _, r := range rows {
			c.rejected[[2]queries.PublicID{r.InflowID, r.OutflowID}] = true
		}
		return err
	})
}

// row looks for what a row says.
func (c *backupCheck) row(ctx context.Context, row Row) error {
	c.entities[row.Entity()]++
	for _, sentence := range row.Told {
		c.differs("%s", sentence)
	}
	if len(row.Issues) > 0 {
		return ctx.Err()
	}
	if row.Entity() == entityBalance || row.Entity() == entityHolding {
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

// find says whether what a row says is there. Transactions, trades and rules are counted as a whole.
func (c *backupCheck) find(ctx context.Context, q *queries.Queries, row Row) (found bool, err error) {
	home := c.p.who.HouseholdID
	switch body := row.Body.(type) {
	case *RestoredAccount:
		return c.findAccount(ctx, q, row)
	case *RestoredCategory:
		category := c.made.categories[body.ID]
		if category == nil {
			return false, nil
		}
		_, err = q.GetCategory(ctx, queries.GetCategoryParams{PublicID: category.PublicID, HouseholdID: home})
	case *Tag:
		_, err = q.GetTagNamed(ctx, queries.GetTagNamedParams{HouseholdID: home, NameKey: ledger.Fold(row.Name)})
	case *Merchant:
		_, err = q.GetMerchantNamed(ctx, queries.GetMerchantNamedParams{HouseholdID: home, NameKey: ledger.Fold(row.Name)})
	case *Valuation:
		return c.findValuation(ctx, q, row, body)
	case *Transfer:
		return c.findPair(ctx, q, body)
	default:
		return false, nil
	}
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (c *backupCheck) findAccount(ctx context.Context, q *queries.Queries, row Row) (bool, error) {
	key, made := c.refs[row.AccountRef]
	if !made {
		return false, nil
	}
	c.claims = append(c.claims, claim{account: key, name: row.Name, minor: row.Minor, currency: row.Currency, current: true})
	_, err := c.p.im.ledger.Exports.LabelID(ctx, q, c.p.who, entityAccount, key)
	return err == nil, err
}

func (c *backupCheck) findValuation(ctx context.Context, q *queries.Queries, row Row, body *Valuation) (bool, error) {
	key := c.refs[row.AccountRef]
	var v queries.Valuation
	var err error
	if body.Opening {
		v, err = q.GetOpening(ctx, queries.GetOpeningParams{AccountID: key, HouseholdID: c.p.who.HouseholdID})
	} else {
		v, err = q.GetValuationOfDay(ctx, queries.GetValuationOfDayParams{AccountID: key, Day: int64(row.Date), HouseholdID: c.p.who.HouseholdID})
	}
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return v.Amount == body.Sign*row.Minor, err
}

func (c *backupCheck) findPair(ctx context.Context, q *queries.Queries, body *Transfer) (bool, error) {
	a, err := importSide(ctx, q, c.p.who, c.p.imp.ID, body.Inflow)
	if err != nil {
		return false, err
	}
	b, err := importSide(ctx, q, c.p.who, c.p.imp.ID, body.Outflow)
	if body.Rejected {
		return c.rejected[[2]queries.PublicID{a.PublicID, b.PublicID}] || c.rejected[[2]queries.PublicID{b.PublicID, a.PublicID}], err
	}
	return a.TransferID != nil && b.TransferID != nil && *a.TransferID == *b.TransferID, err
}

// settle adds up the counts.
func (c *backupCheck) settle(ctx context.Context) error {
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
}

// delta is what the import added, by entity.
func (c *backupCheck) delta(ctx context.Context) (map[string]int64, error) {
	delta := map[string]int64{}
	err := c.p.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		created, err := q.SumImportCreations(ctx, queries.SumImportCreationsParams{ImportID: c.p.imp.ID, HouseholdID: c.p.who.HouseholdID})
		if err != nil {
			return err
		}
		for _, row := range created {
			delta[row.Entity] = row.Things
		}
		rows, err := q.CountImportRows(ctx, queries.CountImportRowsParams{ImportID: c.p.imp.ID, HouseholdID: c.p.who.HouseholdID})
		delta[""], delta[entityTrade] = rows.Transactions, rows.Trades
		c.checked[""], c.checked[entityTrade], c.checked[entityRule] = rows.Transactions+rows.Matches, rows.Trades, delta[entityRule]
		return err
	})
	delta[entityTransfer], delta[entityRejected] = c.checked[entityTransfer], c.checked[entityRejected]
	return delta, err
}
