package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/importer/backup"
	"finsvc/importer/pdf"
	"finsvc/importer/pdf/extract"
	"finsvc/importer/qif"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// format is how the files of one type of import are read.
//
// To add one that is no CSV, write how it opens a file as a source of rows, and name it in formatNamed; see
// [table.Kind] for the rest.
type format interface {
	// Settings fills in what a request leaves out, where the type knows better than the general defaults.
	Settings(s record.Settings) record.Settings
	// Open begins to read a file. The error is a validation error of the settings, a *[text.FileError] for content
	// that cannot be read, or that of the reader.
	Open(file *source.File, s record.Settings, d record.Defaults) (record.Reader, error)
}

// formatNamed is nil for a type that this version does not read.
func formatNamed(name string) format {
	switch name {
	case record.QifImport:
		return qif.Format{}
	case record.PdfImport:
		return pdf.Format{}
	case record.ServiceImport:
		return backup.Format{}
	}
	if table.KindNamed(name, record.Defaults{}) != nil {
		return table.Format{Kind: name}
	}
	return nil
}

// readable are the types that this version reads.
func readable() []string {
	return slices.DeleteFunc(record.Types(), func(name string) bool { return formatNamed(name) == nil })
}

// fileReader reads files, stored or not, as records: with the defaults that the household gives, and a PDF by another
// process.
type fileReader struct {
	db     *db.DB
	ledger *books.Books
	max    int64
	places *db.Places // of reads of whole files

	opened func(*source.File) // is shown every stored file; for tests

	pdfText    []string
	pdfTime    time.Duration
	pdfReaders chan struct{} // has room for as many processes as may run
}

// readsFile waits for a place to read a whole file for a request that writes nothing: so that no household keeps all
// processors busy with files. A write does not wait, as others wait for it.
func (r *fileReader) readsFile(ctx context.Context, who ledger.Actor) (leave func(), err error) {
	if db.InWrite(ctx) {
		return func() {}, nil
	}
	if err := r.places.Enter(ctx, who.HouseholdID); err != nil {
		return nil, err
	}
	return func() { r.places.Leave(who.HouseholdID) }, nil
}

// file is a stored file; the size may be 0 for who does not ask how much is left to read.
func (r *fileReader) file(ctx context.Context, householdID, importID, size int64) *source.File {
	file := source.Stored(ctx, r.db, householdID, importID, size)
	if r.opened != nil {
		r.opened(file)
	}
	return file
}

// pdfWords has another process read a PDF. Whatever becomes of that process, the error is a *[text.FileError].
//
// Any parser can be made to crash, hang or bloat by a file. So a process of its own, this program with a hidden
// command, turns bytes into words with their places, within limits of time and memory and without an environment.
// Lines, columns and rows are found from the words here, by code that knows no file format.
func (r *fileReader) pdfWords(ctx context.Context, file io.Reader) ([]extract.Word, error) {
	if len(r.pdfText) == 0 {
		return nil, errors.New("nobody said how PDF files are read")
	}
	select {
	case r.pdfReaders <- struct{}{}:
		defer func() { <-r.pdfReaders }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, r.pdfTime)
	defer cancel()
	words, err := extract.Run(limited, r.pdfText, file)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, &text.FileError{Message: fmt.Sprintf("could not be read within %s: it is damaged or much too large for a statement", r.pdfTime)}
	}
	return words, err
}

// statementDefaults are what a statement need not say: whose it is.
func (r *fileReader) statementDefaults(ctx context.Context, who ledger.Actor, key int64) (record.Defaults, error) {
	ids, err := r.ledger.Entries.AccountIDs(ctx, who)
	if err != nil {
		return record.Defaults{}, err
	}
	account, err := r.ledger.Accounts.GetAccount(ctx, who, ids[key])
	if err != nil {
		return record.Defaults{}, err
	}
	currency, _ := money.LookupCurrency(account.Currency) // was looked up when it was stored
	return record.Defaults{Type: record.PdfImport, Currency: currency,
		Liability: account.Classification == ledger.Liability}, nil
}

// stored begins to read the file of an import with the settings that it was received with.
func (r *fileReader) stored(ctx context.Context, who ledger.Actor, imp queries.Import) (record.Reader, error) {
	how, err := readingOf(imp)
	if err != nil {
		return nil, err
	}
	importID := imp.ID
	rows, _, err := r.read(ctx, who, r.file(ctx, who.HouseholdID, importID, 0), how)
	return rows, err
}

// reading is how a file is read. The import is 0 when none is stored yet: what it created itself is nothing
// that was there before.
type reading struct {
	kind      string
	accountID *int64
	settings  record.Settings
	importID  int64
	// duplicates is what becomes of rows that may be booked already, see [DuplicatesHold].
	duplicates string
}

func readingOf(imp queries.Import) (reading, error) {
	how := reading{kind: imp.Type, accountID: imp.AccountID, importID: imp.ID, duplicates: imp.PossibleDuplicates}
	err := json.Unmarshal([]byte(imp.Settings), &how.settings)
	return how, err
}

// read begins to read a file, and says what it need not say.
func (r *fileReader) read(ctx context.Context, who ledger.Actor, file *source.File, how reading) (record.Reader,
	record.Defaults, error) {
	d, err := r.defaults(ctx, who, how)
	if err != nil {
		return nil, d, err
	}
	d.Max = r.max
	format := formatNamed(how.kind)
	if how.kind == record.PdfImport && how.accountID != nil {
		format = pdf.Format{Words: func(file io.Reader) ([]extract.Word, error) { return r.pdfWords(ctx, file) }}
	}
	rows, err := format.Open(file, how.settings, d)
	return rows, d, err
}

// defaults are the currency of the import's account, or of the household and its accounts by name.
func (r *fileReader) defaults(ctx context.Context, who ledger.Actor, how reading) (record.Defaults, error) {
	home, err := r.ledger.Tenants.GetHousehold(ctx, who)
	if err != nil {
		return record.Defaults{}, err
	}
	currencies, err := r.ledger.Entries.AccountCurrencies(ctx, who)
	if err != nil {
		return record.Defaults{}, err
	}
	currency, _ := money.LookupCurrency(home.Currency) // was looked up when it was stored
	if !record.HasAccount(how.kind) {
		return r.existing(ctx, who, how, record.Defaults{Type: how.kind, Currency: currency,
			AccountKeys: currencies.Keys})
	}
	if how.kind == record.PdfImport && how.accountID != nil {
		return r.statementDefaults(ctx, who, *how.accountID)
	}
	d := record.Defaults{Type: how.kind, Currency: currency, AccountKeys: currencies.Keys}
	if how.accountID != nil {
		d.Currency, d.Liability = currencies.ByKey[*how.accountID], currencies.Owed[*how.accountID]
	} else {
		d.AccountCurrency = func(name string) (money.Currency, bool) {
			c, ok := currencies.ByName[ledger.Fold(name)]
			return c, ok
		}
	}
	// Add to the defaults of a QIF file the household's accounts. Where two have one name, it is that of
	// neither; publishing says so.
	if how.kind != record.QifImport {
		return d, nil
	}
	accounts, err := r.ledger.Intake.AccountLabels(ctx, who)
	if err != nil {
		return d, err
	}
	named := make(map[string]*ledger.AccountRef, len(accounts))
	for _, account := range accounts {
		named[ledger.Fold(account.Name)] = account
	}
	if how.accountID != nil {
		d.Account = accounts[*how.accountID]
	}
	d.Named = func(name string) *ledger.AccountRef { return named[ledger.Fold(name)] }
	return d, nil
}

// existing adds to the defaults of a list of categories, accounts or rules what the household has, without what the
// import itself made.
func (r *fileReader) existing(ctx context.Context, who ledger.Actor, how reading, d record.Defaults) (record.Defaults,
	error) {
	if how.kind != record.CategoryImport && how.kind != record.AccountImport && how.kind != record.RuleImport {
		return d, nil
	}
	own := map[uuid.UUID]bool{}
	err := r.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		ids, err := q.ListImportCreations(ctx, queries.ListImportCreationsParams{ImportID: how.importID,
			HouseholdID: who.HouseholdID})
		for _, id := range ids {
			own[uuid.UUID(id)] = true
		}
		return err
	})
	if err != nil {
		return d, err
	}
	if how.kind == record.CategoryImport {
		d.Categories, err = r.ledger.Intake.CategoryPlaces(ctx, who, how.importID, own)
		return d, err
	}
	d.Accounts, err = r.ledger.Intake.AccountKinds(ctx, who, own)
	return d, err
}
