package web

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/importer/sniff"
	"finsvc/ledger"
	"finsvc/ledger/names"
	"finsvc/queries"
)

// importsView is the list of imports, and the form by which a file comes in.
type importsView struct {
	Problems formProblems
	Imports  []importLine
	Pages    pager
	Accounts []option
	Types    []option
	Account  string // that is chosen
	Type     string
	Longest  int64 // of a file, in MiB
}

// importLine is an import in a list.
type importLine struct {
	ID, File, State, Account, Type string
	Rows                           int64
	Day                            ledger.Date
	Error                          string
}

// importTypes are what a file may be, to choose from.
func importTypes() []option {
	return []option{
		{ID: record.TransactionImport, Name: "Transactions of a bank (CSV)"},
		{ID: record.TradeImport, Name: "Trades of a broker (CSV)"},
		{ID: record.PdfImport, Name: "A bank's statement (PDF)"},
		{ID: record.QifImport, Name: "Quicken (QIF)"},
		{ID: record.MintImport, Name: "Mint (CSV)"},
		{ID: record.AccountImport, Name: "Accounts (CSV)"},
		{ID: record.CategoryImport, Name: "Categories (CSV)"},
		{ID: record.RuleImport, Name: "Rules (CSV)"},
		{ID: record.ServiceImport, Name: "A backup of a household"},
	}
}

// typeWords says in words what a type of import is.
func typeWords(name string) string {
	for _, t := range importTypes() {
		if t.ID == name {
			return t.Name
		}
	}
	return name
}

// stateWords says in words what state an import is in.
func stateWords(imp *queries.Import) string {
	progress, _ := importer.ProgressOf(imp)
	far := ""
	if progress.Total > 0 {
		far = " " + strconv.FormatInt(progress.Done*100/progress.Total, 10) + " %"
	}
	switch imp.Status {
	case importer.StatusPending:
		if imp.Questions != "[]" {
			return "Waits for an answer"
		}
		return "Waits to be published"
	case importer.StatusImporting:
		return "Running" + far
	case importer.StatusReverting:
		return "Undoing" + far
	case importer.StatusComplete:
		if imp.DoubtfulRowsCount > 0 {
			return "Complete, " + count(imp.DoubtfulRowsCount, "row") + " to decide"
		}
		return "Complete"
	case importer.StatusRevertFailed:
		return "Could not undo"
	}
	return "Failed"
}

// fileName is what a file is called.
func fileName(imp *queries.Import) string {
	if name := ledger.OrBlank(imp.FileName); name != "" {
		return name
	}
	return "A file without a name"
}

// dayOf is the day of a stamp where the household lives.
func (v *visit) dayOf(stamp int64) ledger.Date {
	return ledger.DateOf(time.UnixMilli(stamp).In(v.site.Ledger.Zone(v.session.Household.Timezone)))
}

// accountNames are the names of accounts by their inner keys, as imports have them.
func (v *visit) accountNames() (map[int64]string, error) {
	ids, err := v.site.Ledger.Entries.AccountIDs(v.Context(), v.who())
	if err != nil {
		return nil, err
	}
	all, err := v.site.Ledger.Names.List(v.Context(), v.who(), names.Account)
	if err != nil {
		return nil, err
	}
	byID := map[uuid.UUID]string{}
	for _, n := range all {
		byID[n.ID] = n.Name
	}
	called := map[int64]string{}
	for key, id := range ids {
		called[key] = byID[id]
	}
	return called, nil
}

// importsPage is a page of the list, with an empty form.
func (v *visit) importsPage() (view importsView, err error) {
	page := ledger.Page{Number: max(1, int(number(v.URL.Query().Get("page")))), Size: rowsPerPage}
	list, total, err := v.site.Imports.List(v.Context(), v.who(), importer.Filter{}, page)
	if err != nil {
		return view, err
	}
	accounts, err := v.accountNames()
	if err != nil {
		return view, err
	}
	for i := range list {
		imp := &list[i]
		line := importLine{ID: uuid.UUID(imp.PublicID).String(), File: fileName(imp), State: stateWords(imp),
			Type: typeWords(imp.Type), Rows: imp.RowsCount, Day: v.dayOf(imp.CreatedAt)}
		if imp.AccountID != nil {
			line.Account = accounts[*imp.AccountID]
		}
		if imp.Status == importer.StatusFailed || imp.Status == importer.StatusRevertFailed {
			line.Error = v.show.fileText(ledger.OrBlank(imp.Error))
		}
		view.Imports = append(view.Imports, line)
	}
	view.Pages = pagerOf(v.URL, page, total)
	view.Types, view.Longest = importTypes(), v.site.Imports.Max()>>20
	view.Account = v.URL.Query().Get("account")
	if v.session.Writes() {
		view.Accounts, err = v.accountOptions()
	}
	return view, err
}

// accountOptions are the accounts to choose from, with their currencies.
func (v *visit) accountOptions() (list []option, err error) {
	accounts, err := v.listed()
	for _, a := range accounts {
		list = append(list, option{ID: uuid.UUID(a.PublicID).String(), Name: a.Name, Below: a.Currency})
	}
	return list, err
}

// listImports answers GET /imports.
func listImports(v *visit) error {
	view, err := v.importsPage()
	if err != nil {
		return err
	}
	return v.render("imports", "Imports", view)
}

// uploadImport answers POST /imports: a file, which is stored as it comes in and read as far as it says itself how.
func uploadImport(v *visit) error {
	whole := v.Body
	v.Body = http.MaxBytesReader(v.w, whole, v.site.Imports.Max()+formMax)
	parts, err := v.MultipartReader()
	if err != nil {
		return ledger.NewMalformed("what was sent is no form with a file: %s", err)
	}
	upload, err := v.site.Imports.Receive(v.Context(), v.who())
	if err != nil {
		return err
	}
	in, err := receiveFile(parts, upload)
	if err == nil && len(in.Problems) > 0 {
		err = in.Problems.Err()
	}
	var imp queries.Import
	if err != nil {
		err = errors.Join(err, upload.Discard(v.Context()))
	} else {
		imp, err = upload.Finish(v.Context(), in)
	}
	if err == nil {
		return v.goTo("/imports/" + uuid.UUID(imp.PublicID).String())
	}
	// A browser shows the answer only when it could send all that it wanted to.
	_, _ = io.CopyN(io.Discard, whole, v.site.Imports.Max())
	view, failed := v.importsPage()
	if failed != nil {
		return failed
	}
	view.Type, view.Account = in.Type, ""
	if in.AccountID.Has() {
		view.Account = in.AccountID.Value.String()
	}
	return v.again(err, "imports", "Imports", func(p formProblems) any {
		view.Problems = p
		return view
	})
}

// receiveFile stores the file of a form, and reads the fields beside it. A type that was not chosen is told by how the
// file begins.
func receiveFile(parts *multipart.Reader, upload io.Writer) (in importer.Request, err error) {
	begin := &beginning{}
	given := false
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return in, cutOff(err)
		}
		if part.FormName() == "file" {
			n, err := io.Copy(io.MultiWriter(upload, begin), part)
			if err != nil {
				return in, cutOff(err)
			}
			given, in.FileName = given || n > 0 || part.FileName() != "", part.FileName()
			continue
		}
		const longest = 4096 // of an id or a type
		content, err := io.ReadAll(io.LimitReader(part, longest))
		if err != nil {
			return in, cutOff(err)
		}
		switch text := strings.TrimSpace(string(content)); part.FormName() {
		case "type":
			in.Type = text
		case "account_id":
			id, ok := ledger.ParseID(text)
			if ok {
				in.AccountID = ledger.Some(id)
			} else if text != "" {
				in.Problems.Add("account", "must be one of the list")
			}
		}
	}
	if !given {
		in.Problems.Add("file", "must be chosen first")
	}
	if in.Type == "" {
		in.Type = sniff.TypeOf(begin.head)
	}
	if !record.HasAccount(in.Type) {
		in.AccountID = ledger.Opt[uuid.UUID]{} // what was chosen beside it is no part of such a file
	}
	return in, nil
}

// cutOff says of an error in receiving what it is; one for people stays what it is.
func cutOff(err error) error {
	if ledger.AsError(err) != nil {
		return err
	}
	return ledger.NewMalformed("the file did not arrive as a whole: send it again")
}

// beginning keeps the first bytes of what is written to it.
type beginning struct{ head []byte }

// Write keeps bytes as long as there is room.
func (b *beginning) Write(p []byte) (int, error) {
	b.head = append(b.head, p[:min(len(p), sniff.HeadSize-len(b.head))]...)
	return len(p), nil
}
