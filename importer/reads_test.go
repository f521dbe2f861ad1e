package importer_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger"
)

// A file is read twice before it is published, for how it is to be read and for what it would do, and once to write
// it. Settings that were remembered from the last file of the same make cost nothing. What QIF proves must be known of
// all of the file before its first row, and so must be what securities a broker's file names: to write them they are
// read once more, and a broker's file to find out what it would do.
func TestHowOftenAFileIsRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind, head, row, setting         string // DAY of a row is a day of January 2026
		preflight, before, written, more int
	}{
		"a bank's file": {recordpkg.TransactionImport, "Datum;Empfänger;Betrag;Rest\n",
			"DAY.01.2026;Miete NUMBER;-500,00;LONG\n", "", 2, 2, 1, 2},
		"remembered": {recordpkg.TransactionImport, "Wann;Wer;Was;Betrag;Rest\n",
			"DAY.01.2026;Amt;Miete NUMBER;-500,00;LONG\n", `{"name_col_label":"Was"}`, 2, 2, 1, 2},
		"QIF": {recordpkg.QifImport, "!Type:Bank\n", "D1/DAY/2026\nT-5.00\nPBread NUMBER\nMLONG\n^\n", "", 2,
			2, 2, 2},
		"a broker's": {recordpkg.TradeImport, "Date,Side,Symbol,Shares,Price,Account,Rest\n",
			"2026-01-DAY,buy,ACME,1.NUMBER,81.25,Broker,LONG\n", "", 3, 3, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			content := func(rows int) string {
				text := c.head
				for n := range rows {
					text += strings.NewReplacer("DAY", fmt.Sprintf("%02d", n%28+1), "NUMBER", strconv.Itoa(n), "LONG",
						strings.Repeat("x ", 400)).Replace(c.row)
				}
				return text
			}
			const rows = 500 // more than the beginning that is looked at by itself
			request := importer.Request{Type: c.kind, AccountID: ledger.Some(k.account)}
			if c.kind == recordpkg.TradeImport {
				request.AccountID = ledger.Opt[uuid.UUID]{}
			}
			if c.setting != "" {
				request.Settings = settings(t, c.setting)
			}
			file := source.Text(content(rows))
			if _, err := k.Preflight(t.Context(), k.who, request, file); err != nil || file.Reads() != c.preflight {
				t.Errorf("the preflight read the file %d times, not %d: %v", file.Reads(), c.preflight, err)
			}
			var files []*source.File
			importer.Watch(k.Importer, func(f *source.File) { files = append(files, f) })
			reads := func() (n int) {
				for _, f := range files {
					n += f.Reads()
				}
				files = nil
				return n
			}
			request.Publish = true
			imp := k.send(content(rows), request)
			if got := reads(); got != c.before {
				t.Errorf("the file was read %d times before it is published, not %d", got, c.before)
			}
			k.work()
			if got := reads(); got != c.written || k.get(imp).Status != importer.StatusComplete {
				t.Errorf("the file was read %d times to write it, not %d: %s %v", got, c.written, k.get(imp).Status,
					reasonOf(k.get(imp).Error))
			}
			request.Settings, request.Publish = recordpkg.Settings{}, false
			next := k.send(content(rows+1), request)
			if got := reads(); got != c.more {
				t.Errorf("the next file was read %d times, not %d", got, c.more)
			}
			if c.setting != "" && !strings.Contains(next.Reasons, "remembered from the import of") {
				t.Errorf("nothing was remembered: %s", next.Reasons)
			}
		})
	}
}

func reasonOf(reason *string) string {
	if reason == nil {
		return ""
	}
	return *reason
}
