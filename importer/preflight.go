package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
)

// Preflight is what publishing a file would do.
//
// It is found out by a dry run: names are found or made and balances added up by the functions that publish, in a
// write that is undone.
type Preflight struct {
	Type     string
	Settings record.Settings   // those that were given, and those that were found
	Reasons  map[string]string // why a setting that was not given has its value, by its name
	Open     []string          // the settings that must be given before the file can be read
	Header   []string          // nil when the file has none
	Unused   []string          // columns that nothing is made of, by header or number
	Required []string          // labels of the columns that the settings call for
	Missing  []string          // those of them that the header does not have
	Encoding string            // the character set the file was read in

	Rows, Valid, Invalid, Skipped int64
	Matched                       int64 // of the valid rows: booked, or there, already; they are left out
	// of the valid rows: may be booked already, and nobody has said whether they are
	Possible int64
	Held     int64 // of these: are held back
	Pending  int64 // rows that are pending at the bank, and left out
	// the first of the matched rows that the bank has changed since they were booked
	Changed []PossibleDuplicate
	// names this outcome: publish with it, and what happens is this or nothing
	Plan               string
	PossibleDuplicates []PossibleDuplicate // the first of the doubtful rows
	Issues             []record.Issue      // the first of them
	Sums               []Sum               // of the rows to be booked, by currency
	First, Last        ledger.Date
	Creates            []Creation
	Reconciliations    []Reconciliation // what the file proves of balances
	Short              []int64          // rows with sales of more than is held
	Warned             []RowWarning     // what is told of rows, the first row first
	Balances           []BalanceChange  // of the accounts that exist already, by name

	Broken     *text.FileError // content that cannot be read; then the rest says nothing
	Obstacle   string          // why it would not be published; blank when it would
	Unfinished bool            // the file has so many names that Creates and Balances were not worked out

	upload *uploadKey // by who makes the import of it; nil when it cannot be imported
}

// Sum is what the rows in one currency come to, in its minor units; Out is zero or negative. A currency has several
// where one number does not hold all of it.
type Sum struct {
	Currency money.Currency
	In, Out  int64
}

// Creation is something the file names that does not exist yet, or a category that it changes. Currency is an
// account's.
type Creation struct {
	Entity   string // account, category, changed category, tag or security
	Name     string // of a sub-category "Parent:Child", as it will be
	Currency string
	Changes  []string // what a change makes of a category, such as "icon apple, was pear"
}

// BalanceChange is an account before and after, as of the end of today.
type BalanceChange struct{ Before, After catalog.Account }

// PossibleDuplicate is a row that may be booked already, the entry that it may be, and what the two do not share.
type PossibleDuplicate struct {
	Row     record.Record
	EntryID uuid.UUID
	Differs []match.Difference
}

// What an outcome lists at most.
const (
	maxIssues = 100
	maxNames  = 2_000
	maxMade   = 50_000 // rows that become no transactions
)

// Preflight works out what publishing a file would do and stores nothing. A request that is wrong in itself is a
// validation error; what is wrong with the content is part of the outcome.
func (im *Importer) Preflight(ctx context.Context, who ledger.Actor, in Request, file *source.File) (*Preflight,
	error) {
	in.Type = cmp.Or(strings.TrimSpace(in.Type), record.TransactionImport)
	f, err := im.reviewer.describe(ctx, who, in)
	if err != nil {
		return nil, err
	}
	leave, err := im.reader.readsFile(ctx, who)
	if err != nil {
		return nil, err
	}
	defer leave()
	how := reading{kind: f.Type, accountID: f.AccountID, settings: in.Settings, duplicates: in.Duplicates}
	basis, err := im.analyser.basis(ctx, who, 0)
	if err != nil {
		return nil, err
	}
	var c *preview
	for remember := true; ; remember = false {
		found, failed := im.analyser.detected(ctx, who, how, file, remember)
		c, err = newPreview(outcomeOf(found.Result, f.Type)), failed
		if err == nil && c.out.Obstacle != "" {
			return &c.out, nil
		}
		c.out.upload = &uploadKey{householdID: who.HouseholdID, how: how, basis: basis, detection: found}
		as := how
		as.settings = found.Settings
		if err == nil {
			err = im.analyser.preview(ctx, who, c, as, file)
		}
		if !found.remembered || c.look.isClean(err) {
			break
		}
	}
	return im.conclude(ctx, who, f.AccountID, in, c, err)
}

// conclude ends a preflight whose rows were read: with what names it would make, and the balances, or with what keeps
// the file from being read.
func (im *Importer) conclude(ctx context.Context, who ledger.Actor, accountID *int64, in Request, c *preview,
	err error) (*Preflight, error) {
	if open, ok := errors.AsType[*record.OpenQuestion](err); ok {
		c.out.Obstacle, c.out.Open = open.Error(), []string{open.Setting}
		return &c.out, nil
	}
	if broken, ok := errors.AsType[*text.FileError](err); ok {
		c.out.Broken, c.out.Obstacle = broken, broken.Error()
		return &c.out, nil
	}
	if err != nil {
		return nil, err
	}
	c.out.Settings = record.Complete(c.out.Type, c.look.settings)
	if c.out.Reasons == nil {
		c.out.Reasons = c.look.settings.ProvedBeyond(in.Settings)
	}
	if obstacle := c.look.obstacle(in.SkipInvalidRows); obstacle != nil {
		c.out.Obstacle = *obstacle
	}
	if err := im.comparer.listDoubts(ctx, who, c); err != nil {
		return nil, err
	}
	return c.finish(), im.dryRun(ctx, who, accountID, c)
}

// listDoubts says of the first rows that may be booked, or were changed by the bank since, what differs.
func (r *rowComparer) listDoubts(ctx context.Context, who ledger.Actor, c *preview) (err error) {
	c.out.PossibleDuplicates, err = r.doubtsOf(ctx, who, c, c.duplicates, c.look.possibleDuplicates)
	if err != nil {
		return err
	}
	c.out.Changed, err = r.doubtsOf(ctx, who, c, c.changed, c.look.changed)
	return err
}

func (r *rowComparer) doubtsOf(ctx context.Context, who ledger.Actor, c *preview, rows []record.Record,
	of match.List) ([]PossibleDuplicate, error) {
	var found match.List
	for _, row := range rows {
		m, _ := of.Find(row.Number) // that is why it is listed
		found = append(found, m)
	}
	entries, err := r.originsOf(ctx, who, found)
	if err != nil {
		return nil, err
	}
	pairs := make([]compared, len(rows))
	for i := range rows {
		pairs[i] = compared{&rows[i], entries[found[i].Key]}
	}
	differ, err := r.differences(ctx, who, c.look.layout, c.out.Header, pairs)
	if err != nil {
		return nil, err
	}
	var list []PossibleDuplicate
	for i, p := range pairs {
		list = append(list, PossibleDuplicate{*p.row, uuid.UUID(p.entry.PublicID), differ[i]})
	}
	return list, nil
}

// preview reads the file for what is booked already and for what its rows would do: at once as long as all of them are
// new, as they mostly are, or none. A file of which only some are booked is read again.
func (a *analyser) preview(ctx context.Context, who ledger.Actor, c *preview, how reading, file *source.File) error {
	rows, d, err := a.reader.read(ctx, who, file, how)
	if rows != nil {
		c.out.Header = rows.Header()
	}
	if lines, ok := rows.(*table.Rows); ok {
		c.out.Required, c.out.Missing = lines.Required(how.settings)
	}
	if err != nil {
		return err
	}
	before := c.out
	look, err := a.analyseRows(ctx, who, opened{file, rows, d}, how, c.add)
	c.out.upload.analysis = look
	if err == nil {
		c.out.upload.sum, err = file.Sum()
	}
	if err == nil && look.allNew() {
		c.look = look
		return nil
	}
	issues, skipped, warned := c.out.Issues, c.out.Skipped, c.out.Warned
	*c = *newPreview(before)
	if err != nil {
		return err
	}
	c.look = look
	if look.bookedCount()+int64(len(look.held)) < look.valid || len(look.held)+len(look.changed) > 0 {
		rows, _, err := a.reader.read(ctx, who, file, how)
		if err != nil {
			return err
		}
		return record.Each(rows, func(row record.Record) error { c.add(row); return ctx.Err() })
	}
	c.out.Issues, c.out.Skipped, c.out.Warned = issues, skipped, warned
	return nil
}

// preview gathers from the rows what the outcome is made of.
type preview struct {
	out        Preflight
	look       *analysis // by which all rows are new until the file was looked at
	sums       map[string]*Sum
	flows      map[flow]*money.Sum
	names      map[string]bool // folded, after the kind of thing they name
	firsts     []record.Record // transactions that name something for the first time
	made       []record.Record // that become no transactions
	duplicates []record.Record // the first that may be booked already
	changed    []record.Record // the first that the bank has changed since they were booked

	last    record.RowNames // of the row before
	account string          // its account, see AccountName; blank before the first row
	flow    flow            // of the row before
	flowing *money.Sum      // where its money went; nil before the first row
}

// flow is where the money of rows goes.
type flow struct {
	account, currency string
	date              ledger.Date
}

func newPreview(out Preflight) *preview {
	return &preview{out: out, look: &analysis{}, sums: map[string]*Sum{}, flows: map[flow]*money.Sum{},
		names: map[string]bool{}}
}

func (c *preview) add(row record.Record) {
	c.warn(row)
	switch {
	case len(row.Issues) > 0:
		c.out.Issues = append(c.out.Issues, row.Issues[:min(len(row.Issues), maxIssues-len(c.out.Issues))]...)
		return
	case row.Skipped == record.SkippedPending:
		return
	case row.Skipped != "":
		c.out.Skipped++
		return
	}
	if _, doubtful := c.look.possibleDuplicates.Find(row.Number); doubtful && len(c.duplicates) < maxIssues {
		c.duplicates = append(c.duplicates, row)
	}
	if _, changed := c.look.changed.Find(row.Number); changed && len(c.changed) < maxIssues {
		c.changed = append(c.changed, row)
	}
	if !c.look.isNew(row) {
		return
	}
	if row.Entity() != "" {
		c.addMaking(row)
		return
	}
	c.addDay(row)
	names := record.RowNames{Account: row.Account, Ref: row.AccountRef, Category: row.Category, Merchant: row.Merchant}
	same := names == c.last && c.account != ""
	if !same {
		c.last, c.account = names, record.AccountName(row)
	}
	account := c.account
	c.addSum(row)
	if to := (flow{account, row.Currency.Code, row.Date}); to != c.flow || c.flowing == nil {
		if c.flows[to] == nil {
			c.flows[to] = new(money.Sum)
		}
		c.flow, c.flowing = to, c.flows[to]
	}
	c.flowing.Add(row.Minor)
	if same && len(row.Tags) == 0 {
		return
	}
	if c.addNames(row, c.account) {
		c.firsts = append(c.firsts, record.JustNames(row))
	}
}

// addMaking keeps a row that becomes no transaction, without what is not needed to make it.
func (c *preview) addMaking(row record.Record) {
	row.Raw = nil
	if row.Entity() == record.EntityTrade {
		c.addDay(row)
		c.addSum(row)
	}
	c.out.Unfinished = c.out.Unfinished || len(c.made) >= maxMade
	if !c.out.Unfinished {
		c.made = append(c.made, row)
	}
}

// addDay comes before addSum, which tells the first row from the others.
func (c *preview) addDay(row record.Record) {
	if len(c.sums) == 0 {
		c.out.First, c.out.Last = row.Date, row.Date
	}
	c.out.First, c.out.Last = min(c.out.First, row.Date), max(c.out.Last, row.Date)
}

func (c *preview) addSum(row record.Record) {
	sum := c.sums[row.Currency.Code]
	if sum == nil {
		sum = &Sum{Currency: row.Currency}
		c.sums[row.Currency.Code] = sum
	}
	in, fits := money.AddMinor(sum.In, max(row.Minor, 0))
	out, also := money.AddMinor(sum.Out, min(row.Minor, 0))
	if !fits || !also {
		c.out.Sums = append(c.out.Sums, *sum)
		in, out = max(row.Minor, 0), min(row.Minor, 0)
	}
	sum.In, sum.Out = in, out
}

// addNames reports whether the row names anything that no row before it did.
func (c *preview) addNames(row record.Record, account string) bool {
	before := len(c.names)
	c.names[account] = true
	c.names["category "+ledger.Fold(row.Category)] = true
	c.names["merchant "+ledger.Fold(row.Merchant)] = true
	for _, tag := range row.Tags {
		c.names["tag "+ledger.Fold(tag)] = true
	}
	c.out.Unfinished = c.out.Unfinished || len(c.names) > maxNames
	return len(c.names) > before && !c.out.Unfinished
}

func (c *preview) finish() *Preflight {
	c.out.Encoding = c.look.encoding
	c.out.Rows, c.out.Valid, c.out.Invalid = c.look.rows, c.look.valid, c.look.invalid
	c.out.Matched, c.out.Possible, c.out.Held, c.out.Plan = c.look.bookedCount(), int64(len(c.look.possibleDuplicates)),
		int64(len(c.look.held)), c.look.plan
	c.out.Pending = c.look.pending
	for _, sum := range c.sums {
		c.out.Sums = append(c.out.Sums, *sum)
	}
	slices.SortStableFunc(c.out.Sums, func(a, b Sum) int { return strings.Compare(a.Currency.Code, b.Currency.Code) })
	return &c.out
}

// RowWarning is told of rows for the same reason.
type RowWarning struct {
	Text  record.Warning
	First int // the number of the first of the rows
	Rows  int
}

// String is the whole sentence.
func (w RowWarning) String() string {
	return fmt.Sprintf("row %d %s (rows that do: %d)", w.First, w.Text, w.Rows)
}

// warn counts what is told of a row.
func (c *preview) warn(row record.Record) {
	if row.Warning == "" || len(row.Issues) > 0 {
		return
	}
	for i := range c.out.Warned {
		if c.out.Warned[i].Text == row.Warning {
			c.out.Warned[i].Rows++
			return
		}
	}
	c.out.Warned = append(c.out.Warned, RowWarning{row.Warning, row.Number, 1})
}

// Warnings are what a preflight tells of the rows of trades.
func (out *Preflight) Warnings() []string {
	list := out.shortWarning()
	for _, w := range out.Warned {
		list = append(list, w.String())
	}
	return list
}

// shortWarning says that the file sells more than is held; it is empty when it does not.
func (out *Preflight) shortWarning() []string {
	if len(out.Short) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("row %d sells more than is held (rows that do: %d): purchases before it seem to be missing; allow_short=false refuses such rows",
		out.Short[0], len(out.Short))}
}
