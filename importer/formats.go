package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

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
// To add one that is no CSV, write how it opens a file as a source of rows, and name it in formatNamed; see [table.Kind]
// for the rest.
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

// fileReader reads files, stored or not, as records: with the defaults that the household gives, and a PDF by another process.
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
	account, err := r.ledger.Catalog.GetAccount(ctx, who, ids[key])
	if err != nil {
		return record.Defaults{}, err
	}
	currency, _ := money.LookupCurrency(account.Currency) // was looked up when it was stored
	return record.Defaults{Type: record.PdfImport, Currency: currency, Liability: account.Classification == ledger.Liability}, nil
}

// withAccounts adds to the defaults of a QIF file the household's accounts. Where two have one name, it is that
// of neither; publishing says so.
func (r *fileReader) withAccounts(ctx context.Context, who ledger.Actor, how reading, d record.Defaults) (record.Defaults, error) {
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

// rows begins to read a stored file.
func (r *fileReader) rows(ctx context.Context, who ledger.Actor, importID int64, how reading) (record.Reader, error) {
	rows, _, err := r.read(ctx, who, r.file(ctx, who.HouseholdID, importID, 0), how)
	return rows, err
}

// stored begins to read the file of an import with the settings that it was received with.
func (r *fileReader) stored(ctx context.Context, who ledger.Actor, imp queries.Import) (record.Reader, error) {
	how, err := readingOf(imp)
	if err != nil {
		return nil, err
	}
	return r.rows(ctx, who, imp.ID, how)
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
func (r *fileReader) read(ctx context.Context, who ledger.Actor, file *source.File, how reading) (record.Reader, record.Defaults, error) {
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
		return r.existing(ctx, who, how, record.Defaults{Type: how.kind, Currency: currency, AccountKeys: currencies.Keys})
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
	return r.withAccounts(ctx, who, how, d)
}

// sniffSize is how much of the beginning of a file tells what it is.
const sniffSize = 64 << 10

// sniffed is what the bytes of a file say that it is, and what its owner may do with it.
type sniffed struct {
	what string // continues "the file is"
	then string
	kind string // the type of import that reads it; blank when none does

	packed, json bool // as the backup of a household may be
}

// What to do with a file that no import reads.
const (
	asTable   = "export the transactions as CSV instead"
	saveTable = "open it and save the sheet as CSV (UTF-8)"
	unpack    = "unpack it first, and send the file that is in it"
	asBank    = "have the bank make CSV, or QIF for QifImport, of it"
	openUp    = "decrypt it first"
)

// magics are the first bytes of files that are no text.
func magics() []struct {
	bytes string
	is    sniffed
} {
	return []struct {
		bytes string
		is    sniffed
	}{
		{"\x89PNG\r\n\x1a\n", sniffed{what: "a picture (PNG)", then: asTable}},
		{"\xff\xd8\xff", sniffed{what: "a picture (JPEG)", then: asTable}},
		{"GIF8", sniffed{what: "a picture (GIF)", then: asTable}},
		{"II*\x00", sniffed{what: "a picture (TIFF)", then: asTable}},
		{"MM\x00*", sniffed{what: "a picture (TIFF)", then: asTable}},
		{"\x1f\x8b", sniffed{what: "a packed file (gzip)", then: unpack}},
		{"7z\xbc\xaf\x27\x1c", sniffed{what: "an archive (7z)", then: unpack}},
		{"Rar!\x1a\x07", sniffed{what: "an archive (RAR)", then: unpack}},
		{"\xfd7zXZ\x00", sniffed{what: "a packed file (xz)", then: unpack}},
		{"\x28\xb5\x2f\xfd", sniffed{what: "a packed file (zstd)", then: unpack}},
		{"SQLite format 3\x00", sniffed{what: "a database (SQLite)", then: "export the transactions from the program that it belongs to as CSV"}},
		{"Salted__", sniffed{what: "an encrypted file (OpenSSL)", then: openUp}},
		{"age-encryption.org/", sniffed{what: "an encrypted file (age)", then: openUp}},
		{"-----BEGIN PGP MESSAGE", sniffed{what: "an encrypted file (PGP)", then: openUp}},
		{"-----BEGIN AGE ENCRYPTED", sniffed{what: "an encrypted file (age)", then: openUp}},
		{"-----BEGIN PKCS7", sniffed{what: "an encrypted file (PKCS #7)", then: openUp}},
		{`{\rtf`, sniffed{what: "a text document (RTF)", then: asTable}},
		{"%PDF-", sniffed{what: "a PDF", then: "choose the type PdfImport, which reads statements with text in them", kind: record.PdfImport}},
	}
}

// sniff says what a file is that is no table of text, judging by its first bytes and never by its name; blank when it may be one.
func sniff(head []byte) sniffed {
	for _, magic := range magics() {
		if bytes.HasPrefix(head, []byte(magic.bytes)) {
			return magic.is
		}
	}
	has := func(part string) bool { return bytes.Contains(head, []byte(part)) }
	at := func(offset int, part string) bool {
		return len(head) >= offset+len(part) && string(head[offset:offset+len(part)]) == part
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return sniffZip(head)
	case bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return sniffed{what: "an empty archive (zip)", then: asTable, packed: true}
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) && has(wideText("EncryptedPackage")):
		return sniffed{what: "an Excel workbook with a password", then: "save it without a password as CSV (UTF-8)"}
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return sniffed{what: "an old Excel workbook (XLS)", then: saveTable}
	case bytes.HasPrefix(head, []byte("\x09\x08")) || bytes.HasPrefix(head, []byte("\x09\x04\x06\x00")):
		return sniffed{what: "an old Excel workbook (XLS)", then: saveTable}
	case at(4, "ftyp") && (at(8, "hei") || at(8, "hev") || at(8, "mif1") || at(8, "msf1") || at(8, "avif")):
		return sniffed{what: "a picture (HEIC)", then: asTable}
	case at(0, "RIFF") && at(8, "WEBP"):
		return sniffed{what: "a picture (WebP)", then: asTable}
	case at(0, "BM") && at(6, "\x00\x00\x00\x00"):
		return sniffed{what: "a picture (BMP)", then: asTable}
	case at(0, "BZh") && at(4, "1AY&SY"):
		return sniffed{what: "a packed file (bzip2)", then: unpack}
	case at(257, "ustar"):
		return sniffed{what: "an archive (tar)", then: unpack}
	}
	return sniffText(plainHead(head))
}

// wideText is a text of ASCII as it stands in files of Windows programs.
func wideText(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		b.WriteByte(0)
	}
	return b.String()
}

// sniffZip tells documents, which are zip archives of parts, from archives.
func sniffZip(head []byte) sniffed {
	has := func(part string) bool { return bytes.Contains(head, []byte(part)) }
	const encrypted = 1 // the lowest bit of the flags at byte 6
	switch {
	case has("application/vnd.oasis.opendocument.spreadsheet"):
		return sniffed{what: "a spreadsheet (ODS)", then: saveTable}
	case has("application/vnd.oasis.opendocument"):
		return sniffed{what: "a text document (OpenDocument)", then: asTable}
	case has("word/"):
		return sniffed{what: "a text document (DOCX)", then: asTable}
	case has("xl/") || has("[Content_Types].xml") || has("docProps/"):
		return sniffed{what: "an Excel workbook (XLSX)", then: saveTable}
	case has("Index/Document.iwa") || has("Index/Tables"):
		return sniffed{what: "a spreadsheet (Numbers)", then: saveTable}
	case len(head) > 6 && head[6]&encrypted != 0:
		return sniffed{what: "an archive with a password (zip)", then: unpack}
	case has("all.ndjson"):
		return sniffed{what: "a backup of a household (zip)", then: "choose the type ServiceImport", kind: record.ServiceImport}
	}
	return sniffed{what: "an archive (zip)", then: unpack, packed: true}
}

// plainHead is the text of a head in small letters without what stands before it: a byte order mark and white space. Of a text in
// UTF-16 the zeros are left out, which is enough to know it.
func plainHead(head []byte) string {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return strings.ToLower(strings.TrimLeftFunc(string(head), unicode.IsSpace))
}

// sniffText knows formats of text that are no tables.
func sniffText(text string) sniffed {
	begins := func(list ...string) bool {
		for _, part := range list {
			if strings.HasPrefix(text, part) {
				return true
			}
		}
		return false
	}
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case begins("%pdf-"):
		return sniffed{what: "a PDF", then: "choose the type PdfImport, which reads statements with text in them", kind: record.PdfImport}
	case begins("ofxheader", "<?ofx", "<ofx>") || begins("<?xml") && (has("<?ofx") || has("<ofx>")):
		return sniffed{what: "a file for finance programs (OFX or QFX)", then: asBank}
	case begins("<") && has("urn:iso:std:iso:20022:tech:xsd:camt.") || begins("<") && has("<bktocstmr"):
		return sniffed{what: "a statement in XML (CAMT, ISO 20022)", then: asBank}
	case begins("<") && has("urn:iso:std:iso:20022:tech:xsd:pain."):
		return sniffed{what: "an order of payments in XML (ISO 20022), not what was booked", then: asBank}
	case begins(":20:", "{1:f01", ":940:", ":942:") || begins("\x01") && has(":20:"), hasLines(text, ":20:", ":25:"):
		return sniffed{what: "a statement of the interbank kind (MT940)", then: asBank}
	case begins("<?xml", "<workbook") && has("urn:schemas-microsoft-com:office:spreadsheet"):
		return sniffed{what: "an Excel workbook in XML", then: saveTable}
	case begins("<!doctype html", "<html", "<table", "<head", "<meta", "<body", "<div", "<style", "<script") || begins("<?xml", "<!--") && (has("<html") || has("<table")):
		return sniffed{what: "a web page (HTML), whatever its name says", then: "open it in a spreadsheet and save it as CSV (UTF-8), or export CSV from the bank; it may also be a page that asks for a password"}
	case begins("<?xml", "<document", "<gnc"):
		return sniffed{what: "a file in XML", then: asTable}
	case begins("!type:", "!account", "!option:", "!clear:"):
		return sniffed{what: "a file of the Quicken Interchange Format", then: "choose the type QifImport", kind: record.QifImport}
	case begins("mime-version:", "return-path:", "received:", "delivered-to:", "from:") && has("content-type:"):
		return sniffed{what: "a mail", then: "save what is attached to it, and send that"}
	case begins("{", "["):
		return sniffJSON(text)
	}
	return sniffed{}
}

// hasLines reports whether a text has lines among its first that begin so, each once at least.
func hasLines(text string, beginnings ...string) bool {
	lines := strings.FieldsFunc(text[:min(len(text), 1_000)], func(r rune) bool { return r == '\n' || r == '\r' })
	for _, part := range beginnings {
		found := false
		for _, line := range lines {
			found = found || strings.HasPrefix(line, part)
		}
		if !found {
			return false
		}
	}
	return true
}

// sniffJSON tells JSON from a table whose first cell begins with a bracket.
func sniffJSON(text string) sniffed {
	inner := strings.TrimLeftFunc(text[1:], unicode.IsSpace)
	list := text[0] == '['
	switch {
	case !list && strings.HasPrefix(inner, `"type":`), !list && strings.HasPrefix(inner, `"type" :`):
		return sniffed{what: "a backup in lines of JSON", then: "choose the type ServiceImport if it is one of a household", kind: record.ServiceImport}
	case !list && (strings.HasPrefix(inner, `"`) || strings.HasPrefix(inner, "}")), list && (strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "[")):
		return sniffed{what: "a file in JSON", then: asTable, json: true}
	}
	return sniffed{}
}

// mustBe refuses a file that a type of import does not read, naming what it is. What is no PDF, and no archive of a backup, the readers
// of these say themselves where nothing better is known.
func mustBe(kind string, file *source.File) error {
	content, err := file.Open()
	if err != nil {
		return err
	}
	head, err := io.ReadAll(io.LimitReader(content, sniffSize))
	if err != nil {
		return err
	}
	is := sniff(head)
	if is.what == "" || is.kind == kind || kind == record.ServiceImport && (is.packed || is.json) {
		return nil
	}
	return &text.FileError{Message: "is " + is.what + ", which " + kind + " does not read: " + is.then}
}
