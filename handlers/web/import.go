package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// importView is one import: what was understood of its file and what it would do, how far it is, or what it did.
type importView struct {
	ID, File, Type, State, Account string
	Status                         string
	Day                            ledger.Date
	Rows                           int64
	Error                          string
	Problems                       formProblems

	Questions []importQuestion // that must be answered before anything else
	Settings  []importSetting  // that something was found for
	More      []importSetting  // the others
	Accounts  []option         // nil where its rows belong to no account
	AccountID string

	Out      *importer.Preflight // nil where nothing can be said of what it would do
	Obstacle string
	Sums     []sumView // of what it would book
	Notes    []string  // what else is to be known of what it would do
	Issues   []importIssue
	Doubts   []importDoubt
	Changed  []importDoubt
	Creates  []importCreation
	Unused   []string
	Proofs   []importProof

	Columns   []importColumn // of a table; nil of what is none
	Lines     []importRow
	RowsFrom  pager
	Undecided int64 // rows of a complete import that are held back

	Progress importer.Progress
	Left     string // how long it takes still; may be blank

	Booked  []importBooked
	Made    []string
	InWay   []importEdit // transactions that were changed since, where that keeps it from being undone
	Relying []importEdit // imports that left rows out because of this one
}

// Waits reports whether the import can be published, read anew or removed.
func (view importView) Waits() bool {
	return view.Status == importer.StatusPending || view.Status == importer.StatusFailed
}

// Works reports whether it is being published or undone.
func (view importView) Works() bool {
	return view.Status == importer.StatusImporting || view.Status == importer.StatusReverting
}

// importQuestion is what must be answered, with the answers that fit. Without any, it is answered by its setting.
type importQuestion struct {
	importSetting
	Text    string
	Answers []option // by their number
}

// importSetting is how something of a file is read, why, and how that is changed. Was is its value as the form has it.
type importSetting struct {
	Name, Label, Value, Was, Reason string
	Choices                         []option // nil where a text is typed
}

// importColumn is a column of a table and what is made of it.
type importColumn struct{ Title, Means string }

// importCell is what stands in a file, and what was understood of it.
type importCell struct{ Raw, Means string }

// importRow is a row of the file.
type importRow struct {
	Number                                int
	Cells                                 []importCell
	Date, Name, Category, Account, Amount string // of what is no table
	Fate                                  string
	Wrong                                 []string // what is wrong with it, or told of it
	EntryID, DoubtID                      string
	Differs                               []match.Difference
	MayDecide, Decided                    bool
}

// importIssue is what keeps a row from being booked.
type importIssue struct {
	Row, Line             int
	Column, Cell, Message string
}

// importDoubt is a row that is, or may be, booked already, and what that has otherwise.
type importDoubt struct {
	Row                int
	Day                ledger.Date
	Name, Amount, File string
	EntryID            string
	Differs            []match.Difference
}

// importCreation is what is made of one kind.
type importCreation struct {
	Kind  string
	Names []string
}

// importProof is what a file proves of a balance.
type importProof struct {
	Account, Currency                   string
	Opening, Closing, Shown, Difference int64
	First, Last, From                   ledger.Date // From is 0 where they do not differ
}

// importBooked is what an import has booked in an account.
type importBooked struct {
	Account, Currency, Path string // Path is where it is seen; may be blank
	Transactions            int64
	First, Last             ledger.Date
	Before, After           int64
	Balances                bool // whether these are known
}

// importEdit is something that is in the way of undoing an import.
type importEdit struct{ ID, Name, Date string }

// fileText writes a text that a file may have brought, without the characters that no page may have. Where amounts are
// hidden no digit is in it, for it may be one of an amount.
func (d *display) fileText(text string) string {
	var b strings.Builder
	within := false
	for _, c := range text {
		digit := d.hidden && unicode.IsDigit(c)
		switch {
		case digit && !within:
			b.WriteString(dots)
		case digit:
		case unicode.IsControl(c) && c != '\n' && c != '\t':
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(c)
		}
		within = digit
	}
	return b.String()
}

// hasNumber reports whether a text has a digit.
func hasNumber(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

// rowsShown is how many rows of a file a page shows.
const rowsShown = 20

// showImport answers GET /imports/{id}.
func showImport(v *visit) error {
	id, err := v.id("Import")
	if err != nil {
		return err
	}
	imp, err := v.site.Imports.Get(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	view, err := v.importPage(imp)
	if err != nil {
		return err
	}
	title := view.File
	if view.Works() {
		title = view.State + " · " + title
	}
	return v.render("import", title, view)
}

// importPage is what is to be seen of an import in the state in which it is.
func (v *visit) importPage(imp queries.Import) (view importView, err error) {
	view = importView{ID: uuid.UUID(imp.PublicID).String(), File: fileName(&imp), Type: typeWords(imp.Type),
		State: stateWords(&imp), Status: imp.Status, Day: v.dayOf(imp.CreatedAt), Rows: imp.RowsCount,
		Error: v.show.fileText(ledger.OrBlank(imp.Error))}
	names, err := v.accountNames()
	if err != nil {
		return view, err
	}
	if imp.AccountID != nil {
		view.Account = names[*imp.AccountID]
	}
	page := ledger.Page{Number: max(1, int(number(v.URL.Query().Get("page")))), Size: rowsShown}
	view.RowsFrom = pagerOf(&url.URL{Path: v.path("/imports/" + view.ID)}, page, imp.RowsCount)
	switch {
	case view.Works():
		view.Progress, _ = importer.ProgressOf(&imp)
		if view.Progress.Rate > 0 {
			left := time.Duration(view.Progress.Left) * time.Second
			view.Left = left.String()
		}
	case view.Waits():
		err = v.lookAt(imp, &view, page)
	default:
		err = v.lookBack(imp, &view, page)
	}
	return view, err
}

// lookAt says of an import that waits what was understood and what it would do.
func (v *visit) lookAt(imp queries.Import, view *importView, page ledger.Page) error {
	look, err := v.site.Imports.Look(v.Context(), v.who(), imp, page)
	if err != nil {
		return err
	}
	if record.HasAccount(imp.Type) {
		view.Accounts, err = v.accountOptions()
		if err != nil {
			return err
		}
		ids, err := v.site.Ledger.Entries.AccountIDs(v.Context(), v.who())
		if err != nil {
			return err
		}
		if imp.AccountID != nil {
			view.AccountID = ids[*imp.AccountID].String()
		}
	}
	if err := v.addSettings(imp, view, look); err != nil {
		return err
	}
	for i, field := range look.Fields {
		c := importColumn{Title: "Column " + strconv.Itoa(i+1), Means: fieldWords(field)}
		if i < len(look.Header) && look.Header[i] != "" {
			c.Title = v.show.fileText(look.Header[i])
		}
		view.Columns = append(view.Columns, c)
	}
	for i := range look.Rows {
		view.Lines = append(view.Lines, v.importRow(&look.Rows[i], imp.Status, look.Fields))
	}
	if len(look.Rows) == 0 {
		view.RowsFrom = pager{} // what is shown are the first ones, whatever the page
	}
	for i, cells := range look.Cells {
		row := importRow{Number: i + 1}
		for _, cell := range cells {
			row.Cells = append(row.Cells, importCell{Raw: v.show.fileText(cell)})
		}
		view.Lines = append(view.Lines, row)
	}
	if len(view.Questions) > 0 {
		view.Error = "" // it says the same
	}
	if look.Preflight == nil {
		return nil
	}
	v.addOutcome(imp, view, look.Preflight)
	for i := range view.Lines {
		if len(view.Doubts) == int(look.Preflight.Possible) {
			view.Lines[i].MayDecide = false // that is done where they are listed
		}
	}
	return nil
}

// addOutcome says what publishing an import would do.
func (v *visit) addOutcome(imp queries.Import, view *importView, out *importer.Preflight) {
	view.Out, view.Obstacle = out, v.show.fileText(out.Obstacle)
	if out.Invalid > 0 && out.Valid > 0 && out.Broken == nil {
		view.Obstacle = "" // the rows that are wrong may be left out
	}
	if view.Error == view.Obstacle || out.Invalid > 0 && imp.Status == importer.StatusPending {
		view.Error = "" // which is said below
	}
	for _, sum := range out.Sums {
		left, _ := money.SubMinor(0, sum.Out) // what cannot be held is left at the most there is
		view.Sums = append(view.Sums, sumView{sum.In, left, sum.Currency.Code})
	}
	for _, note := range out.Warnings() {
		view.Notes = append(view.Notes, v.show.fileText(note))
	}
	if out.Unfinished {
		view.Notes = append(view.Notes, "The file has so much in it that what would be made, and the balances, are not worked out here.")
	}
	for _, name := range out.Unused {
		view.Unused = append(view.Unused, v.show.fileText(name))
	}
	for _, issue := range out.Issues {
		view.Issues = append(view.Issues, importIssue{issue.Row, issue.Line, v.show.fileText(issue.Column),
			v.show.fileText(issue.Cell), v.show.fileText(issue.Message)})
	}
	view.Doubts, view.Changed = v.doubtsOf(out.PossibleDuplicates), v.doubtsOf(out.Changed)
	for _, c := range out.Creates {
		at := slices.IndexFunc(view.Creates, func(made importCreation) bool { return made.Kind == c.Entity })
		if at < 0 {
			at, view.Creates = len(view.Creates), append(view.Creates, importCreation{Kind: c.Entity})
		}
		name := c.Name
		if c.Currency != "" {
			name += " (" + c.Currency + ")"
		}
		if len(c.Changes) > 0 {
			name += ": " + strings.Join(c.Changes, ", ")
		}
		view.Creates[at].Names = append(view.Creates[at].Names, v.show.fileText(name))
	}
	view.Proofs = proofsOf(out.Reconciliations)
}

// doubtsOf are rows that are, or may be, booked already.
func (v *visit) doubtsOf(list []importer.PossibleDuplicate) (doubts []importDoubt) {
	for _, d := range list {
		doubts = append(doubts, importDoubt{Row: d.Row.Number, Day: d.Row.Date, Name: v.show.fileText(d.Row.Name),
			Amount: v.show.Signed(d.Row.Minor, d.Row.Currency.Code), EntryID: d.EntryID.String(), Differs: v.differences(d.Differs)})
	}
	return doubts
}

// differences are what a row and an entry do not share, with no amount in them where these are hidden.
func (v *visit) differences(list []match.Difference) (shown []match.Difference) {
	for _, d := range list {
		shown = append(shown, match.Difference{Column: d.Column, Booked: v.show.fileText(d.Booked), File: v.show.fileText(d.File)})
	}
	return shown
}

// proofsOf are what a file proves of balances.
func proofsOf(list []importer.Reconciliation) (proofs []importProof) {
	day := func(text string) ledger.Date {
		d, _ := ledger.ParseDate(text) // it was written from one
		return d
	}
	for _, r := range list {
		p := importProof{Account: r.Account, Currency: r.Currency, Opening: r.Opening, Closing: r.Closing, Shown: r.Shown,
			Difference: r.Difference, First: day(r.FirstDay), Last: day(r.LastDay)}
		if r.From != nil {
			p.From = day(*r.From)
		}
		proofs = append(proofs, p)
	}
	return proofs
}

// importRow is a row as a page shows it. Fields are what is made of its cells; without any, it is shown by what it says.
func (v *visit) importRow(r *importer.Result, status string, fields []string) importRow {
	fate := r.Fate(status)
	row := importRow{Number: r.Number, Fate: fateWords(fate), Decided: r.Decision != "" && status != importer.StatusComplete,
		MayDecide: fate == "possible_duplicate", Differs: v.differences(r.Differs)}
	if r.EntryID != uuid.Nil && r.Trade() == nil {
		row.EntryID = r.EntryID.String()
	}
	if r.DoubtID != uuid.Nil {
		row.DoubtID = r.DoubtID.String()
	}
	for _, text := range slices.Concat(r.Sentences(), r.Remarks) {
		row.Wrong = append(row.Wrong, v.show.fileText(text))
	}
	if r.Dated() {
		row.Date = v.show.Day(r.Date)
	}
	if r.Valued() {
		row.Amount = v.show.Signed(r.Minor, r.Currency.Code)
	}
	row.Name, row.Category, row.Account = v.show.fileText(r.Name), v.show.fileText(r.Category), v.show.fileText(r.Account)
	for i, raw := range r.Raw {
		if i >= len(fields) {
			break
		}
		cell := importCell{Raw: v.show.fileText(raw), Means: row.understood(fields[i], r)}
		if cell.Means == cell.Raw {
			cell.Means = ""
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// understood is what was made of a cell by a setting.
func (row *importRow) understood(setting string, r *importer.Result) string {
	switch setting {
	case "date_col_label":
		return row.Date
	case "amount_col_label":
		return row.Amount
	case "debit_col_label":
		if r.Minor < 0 {
			return row.Amount
		}
	case "credit_col_label":
		if r.Minor > 0 {
			return row.Amount
		}
	case "name_col_label":
		return row.Name
	case "category_col_label":
		return row.Category
	case "account_col_label":
		return row.Account
	case "currency_col_label":
		return r.Currency.Code
	}
	return ""
}

// fateWords says in words what becomes of a row.
func fateWords(fate string) string {
	return map[string]string{"invalid": "cannot be read", "skipped": "left out", "pending_at_bank": "pending at the bank",
		"already_imported": "already there", "possible_duplicate": "may be there already", "imported": "booked",
		"deleted": "deleted since", "pending": "new"}[fate]
}

// lookBack says of an import that is done what it did.
func (v *visit) lookBack(imp queries.Import, view *importView, page ledger.Page) error {
	view.Undecided = imp.DoubtfulRowsCount
	booked, err := v.site.Imports.Booked(v.Context(), v.who(), imp)
	if err != nil {
		return err
	}
	accounts, err := v.listed()
	if err != nil {
		return err
	}
	for _, b := range booked {
		of := importBooked{Transactions: b.Transactions, First: b.First, Last: b.Last}
		for _, a := range accounts {
			if uuid.UUID(a.PublicID) != b.AccountID {
				continue
			}
			of.Account, of.Currency = a.Name, a.Currency
			of.Path = pathTo(a.Name, b)
			of.Before, of.After, of.Balances, err = v.balancesAround(b)
			if err != nil {
				return err
			}
		}
		view.Booked = append(view.Booked, of)
	}
	made, err := v.site.Imports.Made(v.Context(), v.who(), uuid.UUID(imp.PublicID))
	if err != nil {
		return err
	}
	for _, m := range made {
		if m.Count > 0 {
			view.Made = append(view.Made, count(m.Count, m.Kind))
		}
	}
	if imp.Reconciliation != nil {
		var list []importer.Reconciliation
		if err := json.Unmarshal([]byte(*imp.Reconciliation), &list); err != nil {
			return err
		}
		view.Proofs = proofsOf(list)
	}
	_, rows, err := v.site.Imports.Results(v.Context(), v.who(), uuid.UUID(imp.PublicID), page)
	if ledger.IsKind(err, ledger.Invalid) { // its account is gone, say
		err = nil
	}
	for i := range rows {
		view.Lines = append(view.Lines, v.importRow(&rows[i], imp.Status, nil))
	}
	return err
}

// balancesAround are those of an account before the first day on which something was booked, and at the end of the
// last; known is false where there are none, as after today.
func (v *visit) balancesAround(b importer.Booked) (before, after int64, known bool, err error) {
	on := func(day ledger.Date) (*balance.Day, error) {
		list, _, err := v.site.Ledger.Balances.ListBalanceDays(v.Context(), v.who(), balance.DayFilter{
			AccountID: ledger.Some(b.AccountID), StartDate: ledger.Some(day), EndDate: ledger.Some(day)}, ledger.Page{Number: 1, Size: 1})
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return &list[0], nil
	}
	first, err := on(b.First)
	if err != nil || first == nil {
		return 0, 0, false, err
	}
	last, err := on(b.Last)
	if err != nil || last == nil {
		return 0, 0, false, err
	}
	return first.Start, last.End, true, nil
}

// pathTo is where that is seen which was booked: in the search for the account and the days, or on the page of an account
// whose name no search can have.
func pathTo(account string, b importer.Booked) string {
	if strings.Contains(account, `"`) {
		return "/accounts/" + b.AccountID.String()
	}
	q := `@"` + account + `" since:` + b.First.String() + " until:" + b.Last.String()
	return "/transactions?" + url.Values{"q": {q}}.Encode()
}

// changeImport does something with an import and leads to its page; what cannot be done is said there.
func (v *visit) changeImport(do func(id uuid.UUID) error) error {
	id, err := v.id("Import")
	if err != nil {
		return err
	}
	err = do(id)
	if err == nil {
		return v.goTo("/imports/" + id.String())
	}
	imp, failed := v.site.Imports.Get(v.Context(), v.who(), id)
	if failed != nil {
		return failed
	}
	view, failed := v.importPage(imp)
	if failed != nil {
		return failed
	}
	if e := ledger.AsError(err); e != nil {
		view.addInTheWay(e.Details)
	}
	return v.again(err, "import", view.File, func(p formProblems) any {
		for i := range p.All {
			p.All[i] = v.show.fileText(p.All[i])
		}
		view.Problems = p
		view.typed(v)
		return view
	})
}

// addInTheWay lists what an error says is in the way of undoing an import.
func (view *importView) addInTheWay(details map[string]any) {
	edits, _ := details["edited"].([]map[string]string)
	for _, e := range edits {
		view.InWay = append(view.InWay, importEdit{e["id"], e["name"], e["date"]})
	}
	relying, _ := details["relying_imports"].([]map[string]any)
	for _, r := range relying {
		id, _ := r["id"].(string)
		name, _ := r["file"].(*string)
		day, _ := r["created_at"].(string)
		day, _, _ = strings.Cut(day, "T")
		view.Relying = append(view.Relying, importEdit{id, cmp.Or(ledger.OrBlank(name), "A file without a name"), day})
	}
}

// configureImport answers POST /imports/{id}/settings: the file is read again with what was changed. Without anything it
// is read again as it was.
func configureImport(v *visit) error {
	return v.changeImport(func(id uuid.UUID) error {
		imp, err := v.site.Imports.Get(v.Context(), v.who(), id)
		if err != nil {
			return err
		}
		var questions []record.Question
		if err := json.Unmarshal([]byte(imp.Questions), &questions); err != nil {
			return err
		}
		f := &form{visit: v}
		in := importer.Request{}
		for name, member := range in.Settings.Members() {
			if f.given(name) && f.FormValue(name) != f.FormValue("was_"+name) {
				*member = new(f.FormValue(name))
			}
			for _, q := range questions {
				at, err := strconv.Atoi(f.text("answer_" + name))
				if q.Setting == name && err == nil && at >= 0 && at < len(q.Candidates) {
					*member = new(q.Candidates[at])
				}
			}
		}
		if f.text("account_id") != "" && f.text("account_id") != f.text("was_account_id") {
			in.AccountID = f.chosen("account_id")
		}
		if err := f.problems.Err(); err != nil {
			return err
		}
		_, err = v.site.Imports.Configure(v.Context(), v.who(), id, in)
		return err
	})
}

// decideRow answers POST /imports/{id}/rows/{number}: whether a row is what it may be, or new.
func decideRow(v *visit) error {
	return v.changeImport(func(id uuid.UUID) error {
		row := number(v.PathValue("number"))
		if row < 1 {
			return ledger.NewNotFound("Row")
		}
		_, err := v.site.Imports.Decide(v.Context(), v.who(), id, row, v.FormValue("decision"))
		return err
	})
}

// decideRows answers POST /imports/{id}/rows: the same of all rows that may be booked already.
func decideRows(v *visit) error {
	return v.changeImport(func(id uuid.UUID) error {
		_, err := v.site.Imports.DecideAll(v.Context(), v.who(), id, v.FormValue("decision"))
		return err
	})
}

// publishImport answers POST /imports/{id}/publish: what the page has shown, or nothing.
func publishImport(v *visit) error {
	return v.changeImport(func(id uuid.UUID) error {
		_, err := v.site.Imports.Publish(v.Context(), v.who(), id, importer.Publication{Plan: v.FormValue("plan"),
			SkipInvalidRows: v.FormValue("skip_invalid_rows") == "true"})
		return err
	})
}

// cancelImport answers POST /imports/{id}/cancel.
func cancelImport(v *visit) error {
	return v.changeImport(func(id uuid.UUID) error {
		_, err := v.site.Imports.Cancel(v.Context(), v.who(), id)
		return err
	})
}

// revertImport answers POST /imports/{id}/revert.
func revertImport(v *visit) error {
	return v.changeImport(func(id uuid.UUID) error {
		_, err := v.site.Imports.Revert(v.Context(), v.who(), id, v.FormValue("force") == "true")
		return err
	})
}

// removeImport answers POST /imports/{id}/delete: an import of which nothing is booked goes, with its file.
func removeImport(v *visit) error {
	id, err := v.id("Import")
	if err != nil {
		return err
	}
	if err := v.site.Imports.Delete(v.Context(), v.who(), id); err != nil {
		return err
	}
	return v.goTo("/imports")
}

// streamImport answers GET /imports/{id}/events: how far the work is, as often as that changes, and done when there is
// none any more.
func streamImport(v *visit) error {
	id, err := v.id("Import")
	if err != nil {
		return err
	}
	states, stop, err := v.site.Imports.Watch(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	defer stop()
	return follow(v, states, progressEvent)
}

// progressEvent is how far an import is, as a module of the page understands it.
func progressEvent(imp *queries.Import) string {
	name := "done"
	if importer.Working(imp) {
		name = "progress"
	}
	p, _ := importer.ProgressOf(imp)
	data, _ := json.Marshal(map[string]any{"state": stateWords(imp), "done": p.Done, "total": p.Total, "left": p.Left})
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, data)
}

// typed puts what was typed in the place of what the settings are, so that it can be mended.
func (view *importView) typed(v *visit) {
	for _, list := range [][]importSetting{view.Settings, view.More} {
		for i := range list {
			if values, given := v.PostForm[list[i].Name]; given && len(values) > 0 {
				list[i].Value = values[0]
			}
		}
	}
}

// New is how many rows would be booked.
func (view importView) New() int64 { return view.Out.Valid - view.Out.Matched - view.Out.Held }
