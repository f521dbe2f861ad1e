package importer_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
)

// linesOf are a header and so many lines after it.
func linesOf(header string, n int, line func(i int) string) string {
	var out strings.Builder
	out.WriteString(header)
	for i := range n {
		out.WriteString(line(i))
		out.WriteByte('\n')
	}
	return out.String()
}

// backupLineOf is a line of a backup.
func backupLineOf(kind, members string) func(int) string {
	return func(i int) string {
		return fmt.Sprintf(`{"type":%q,"data":{"id":"%d",`+members+`}}`, kind, i, i)
	}
}

// TestFilesHaveLimits: a file that lists or names more of a kind than a household can have of it in memory is refused,
// says what the limit is and where it is passed, and creates nothing. One within the limit is taken.
func TestFilesHaveLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind, header string
		line         func(i int) string
		rows         int // the limit
		want         string
	}{
		"categories": {recordpkg.CategoryImport, "name,color\n",
			func(i int) string { return fmt.Sprintf("Label %d,#123456", i) }, 10_000,
			"lists more than 10,000 categories"},
		"accounts": {recordpkg.AccountImport, "name,type,balance,currency\n",
			func(i int) string { return fmt.Sprintf("Bank %d,checking,1.00,EUR", i) }, 10_000,
			"lists more than 10,000 accounts"},
		"named categories": {recordpkg.TransactionImport, "date,amount,name,category\n",
			func(i int) string { return fmt.Sprintf("2026-01-31,-1.00,Row %d,Label %d", i, i) },
			10_000, "names more than 10,000 categories"},
		"named tags": {recordpkg.TransactionImport, "date,amount,name,tags\n",
			func(i int) string { return fmt.Sprintf("2026-01-31,-1.00,Row %d,tag %d", i, i) }, 10_000,
			"names more than 10,000 tags"},
		"tags of one row": {recordpkg.TransactionImport, "date,amount,name,tags\n", func(i int) string {
			if i > 0 {
				return fmt.Sprintf("2026-01-31,-1.00,Row %d,", i)
			}
			return `2026-01-31,-1.00,Row,"` + strings.TrimSuffix(linesOf("", 10_001,
				func(i int) string { return fmt.Sprintf("tag %d,", i) }), ",\n") + `"`
		}, 0, "names more than 10,000 tags"},
		"trades": {recordpkg.TradeImport, "date,ticker,qty,price,currency,account\n",
			func(i int) string { return fmt.Sprintf("2026-01-31,ACME,1,%d,EUR,Depot", 1+i%90) }, 100_000,
			"lists more than 100,000 trades"},
		"tickers": {recordpkg.TradeImport, "date,ticker,qty,price,currency,account\n",
			func(i int) string { return fmt.Sprintf("2026-01-31,T%d,1,10,EUR,Depot", i) }, 10_000,
			"names more than 10,000 securities"},
		"backup, categories": {recordpkg.ServiceImport, "", backupLineOf("Category",
			`"name":"Label %d","classification":"expense"`), 10_000, "lists more than 10,000 categories"},
		"backup, tags": {recordpkg.ServiceImport, "", backupLineOf("Tag", `"name":"Label %d","color":"#123456"`),
			10_000, "lists more than 10,000 tags"},
		"backup, merchants": {recordpkg.ServiceImport, "", backupLineOf("Merchant", `"name":"Shop %d"`), 25_000,
			"lists more than 25,000 merchants"},
		"backup, valuations": {recordpkg.ServiceImport, "", backupLineOf("Valuation",
			`"account_id":"%d","date":"2026-01-31","amount":"1"`), 100_000, "lists more than 100,000 valuations"},
		"QIF, categories": {recordpkg.QifImport, "!Type:Bank\n",
			func(i int) string { return fmt.Sprintf("D01/31/2026\nT-1.00\nPRow %d\nLLabel %d\n^", i, i) },
			10_000, "names more than 10,000 categories"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.Importer = importer.New(importer.Options{DB: k.db, Ledger: k.ledger,
				Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return k.clock }})
			before := k.figures()
			in := importer.Request{Type: c.kind}
			send := k.upload
			if c.kind != recordpkg.TransactionImport && c.kind != recordpkg.QifImport {
				send = k.send
			}
			imp := send(linesOf(c.header, c.rows+1, c.line), in)
			if imp.Error == nil || !strings.Contains(*imp.Error, c.want) {
				t.Fatalf("%s, %v", imp.Status, imp.Error)
			}
			k.same("refused", before)
			if c.rows == 0 || c.rows > 25_000 {
				return
			}
			if imp = send(linesOf(c.header, c.rows, c.line), in); imp.Error != nil &&
				strings.Contains(*imp.Error, "the most that one file may have") {
				t.Errorf("within the limit: %s %s", imp.Status, *imp.Error)
			}
		})
	}
}
