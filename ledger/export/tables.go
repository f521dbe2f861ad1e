package export

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"finsvc/ledger"
	"finsvc/queries"
)

// table is one of the tables that a household is written as.
type table struct {
	name    string
	columns []string
	rows    func(*tableWriter, context.Context) error
}

// tables are all of them. Amounts are in the ledger's sign: money into the account positive, what is owed negative.
func tables() []table {
	return []table{
		{"accounts", []string{"id", "name", "type", "subtype", "classification", "currency", "balance", "cash",
			"holdings", "status",
			"institution", "institution_domain", "notes"}, (*tableWriter).accountRows},
		{"transactions", []string{TransactionIDColumn, "date", "account", "amount", "currency", "name", "notes",
			"category", "merchant", "tags", "transfer",
			"transfer_account", "lines", "external_id", "source", "account_id"}, (*tableWriter).transactionRows},
		{"lines", []string{"transaction_id", "line", "date", "account", "amount", "currency", "name", "notes",
			"category", "merchant", "tags"},
			(*tableWriter).lineRows},
		{"trades", []string{"id", "date", "account", "type", "ticker", "exchange_operating_mic", "security", "qty",
			"price", "fee", "amount", "currency",
			"name", "notes", "category", "label", "account_id"}, (*tableWriter).tradeRows},
		{"holdings", []string{"date", "account", "ticker", "exchange_operating_mic", "security", "qty", "price",
			"value", "currency", "average_cost",
			"cost_currency", "price_date"}, (*tableWriter).holdingRows},
		{"valuations", []string{"id", "date", "account", "kind", "amount", "currency", "notes", "account_id"},
			(*tableWriter).valuationRows},
		{"balances", []string{"date", "account", "balance", "cash", "holdings", "currency", "left_out", "account_id",
			"stale_rates"}, (*tableWriter).balanceRows},
		{"categories", []string{"id", "name", "parent", "color", "classification", "icon"},
			(*tableWriter).categoryRows},
		{"tags", []string{"id", "name", "color"}, (*tableWriter).tagRows},
		{"merchants", []string{"id", "name", "color", "website"}, (*tableWriter).merchantRows},
		{"rules", []string{"id", "name", "resource_type", "active", "effective_date", "conditions", "actions"},
			(*tableWriter).ruleRows},
		{"securities", []string{"id", "ticker", "exchange_operating_mic", "name", "kind", "manual"},
			(*tableWriter).securityRows},
		{"splits", []string{"date", "ticker", "exchange_operating_mic", "numerator", "denominator"},
			(*tableWriter).splitRows},
		{"prices", []string{"date", "ticker", "price", "currency", "mic", "source"}, (*tableWriter).priceRows},
		{"rates", []string{"date", "from", "to", "rate"}, (*tableWriter).rateRows},
	}
}

// TransactionIDColumn is the column of a table of transactions with the id by which an import knows each row again.
const TransactionIDColumn = "finsvc_id"

// TableNames are the tables that a household is written as.
func TableNames() (names []string) {
	for _, t := range tables() {
		names = append(names, t.name)
	}
	return names
}

// Table writes one of the tables as CSV: UTF-8, commas, a header, lines that end in CR LF, as RFC 4180 has it. A text
// that a spreadsheet would run is made harmless by [Harmless]. It gives how many rows there are.
func (s *Snapshot) Table(ctx context.Context, name string, w io.Writer) (rows int64, err error) {
	all := tables()
	at := slices.IndexFunc(all, func(t table) bool { return t.name == name })
	if at < 0 {
		return 0, ledger.NewInvalid("table", "must be one of %s, got %s", strings.Join(TableNames(), ", "),
			ledger.Quote(name))
	}
	b, err := s.s.newBackup(ctx, s.tx, w)
	if err != nil {
		return 0, err
	}
	t := &tableWriter{backup: b, paths: map[int64]string{}}
	if err := t.readPaths(ctx); err != nil {
		return 0, err
	}
	if err := t.row(all[at].columns...); err != nil {
		return 0, err
	}
	if err := all[at].rows(t, ctx); err != nil {
		return 0, err
	}
	return t.written - 1, t.w.Flush()
}

// Tables writes all of them; put makes a file of a name and has it filled. It gives how many rows there are.
func (s *Snapshot) Tables(ctx context.Context, put func(name string, fill func(io.Writer) error) error) (rows int64, err error) {
	for _, name := range TableNames() {
		if err := put(name+".csv", func(w io.Writer) error {
			n, err := s.Table(ctx, name, w)
			rows += n
			return err
		}); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// Zip writes all tables into a zip file. They are of the moment of the export, which an unpacked file then shows in local
// time.
func (s *Snapshot) Zip(ctx context.Context, w io.Writer, made time.Time) (rows int64, err error) {
	archive := zip.NewWriter(w)
	rows, err = s.Tables(ctx, func(name string, fill func(io.Writer) error) error {
		member, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made.Local()})
		if err != nil {
			return err
		}
		return fill(member)
	})
	return rows, errors.Join(err, archive.Close())
}

// tableWriter writes a table; what it reads is what a backup reads.
type tableWriter struct {
	*backup
	paths   map[int64]string // of categories: parent and name
	written int64
}

// row writes the cells of a row, which are harmless already.
func (t *tableWriter) row(cells ...string) error {
	t.written++
	for i, cell := range cells {
		if i > 0 {
			t.w.WriteByte(',')
		}
		writeCell(t.w, cell)
	}
	_, err := t.w.WriteString("\r\n") // a buffered writer keeps its first error
	return err
}

// writeCell writes a cell as RFC 4180 has it. The writer of encoding/csv, told to end lines in CR LF, would also
// change the line ends inside of cells, and a text must come back as it was.
func writeCell(w *bufio.Writer, cell string) {
	if !strings.ContainsAny(cell, ",\"\r\n") && strings.TrimSpace(cell) == cell {
		w.WriteString(cell)
		return
	}
	w.WriteByte('"')
	w.WriteString(strings.ReplaceAll(cell, `"`, `""`))
	w.WriteByte('"')
}

// Harmless puts an apostrophe before a text that a spreadsheet would take for a formula: one that begins with =, +,
// -, @, a tab or a carriage return, perhaps after apostrophes. [FromHarmless] takes it off again.
func Harmless(text string) string {
	if formula(text) {
		return "'" + text
	}
	return text
}

// FromHarmless is the text of which [Harmless] made another.
func FromHarmless(text string) string {
	if strings.HasPrefix(text, "'") && formula(text) {
		return text[1:]
	}
	return text
}

func formula(text string) bool {
	bare := strings.TrimLeft(text, "'")
	return bare != "" && strings.IndexByte("=+-@\t\r", bare[0]) >= 0
}

// harmless is the text of a cell; blank without one.
func harmless(text *string) string { return Harmless(ledger.OrBlank(text)) }

// readPaths names categories as imports read them: "Parent:Child".
func (t *tableWriter) readPaths(ctx context.Context) error {
	rows, err := t.tx.ListCategories(ctx, queries.ListCategoriesParams{HouseholdID: t.tx.HouseholdID,
		RowLimit: int64(ledger.Everything().Size)})
	for _, r := range rows {
		t.paths[r.Category.ID] = r.Category.Name
		if r.ParentName != nil {
			t.paths[r.Category.ID] = *r.ParentName + ":" + r.Category.Name
		}
	}
	return err
}

func (t *tableWriter) path(key *int64) string {
	if key == nil {
		return ""
	}
	return Harmless(t.paths[*key])
}

func (t *tableWriter) merchantName(key *int64) string {
	if key == nil || t.tx.Refs.Merchants.ByKey[*key] == nil {
		return ""
	}
	return Harmless(t.tx.Refs.Merchants.ByKey[*key].Name)
}

func (t *tableWriter) accountName(key int64) string {
	if a := t.tx.Refs.Accounts.ByKey[key]; a != nil {
		return Harmless(a.Name)
	}
	return ""
}

// tagNames are names by commas, as imports read them. A single one that could be taken for several has its signs
// escaped.
func (t *tableWriter) tagNames(packed string) (string, error) {
	keys, err := queries.Numbers(packed, ",")
	names := []string{}
	escape := strings.NewReplacer(`\`, `\\`, `,`, `\,`, `|`, `\|`)
	for _, tag := range t.tagLabels(keys) {
		names = append(names, escape.Replace(tag.Name))
	}
	return Harmless(strings.Join(names, ",")), err
}

func yes(flag int64) string { return strconv.FormatBool(flag != 0) }
