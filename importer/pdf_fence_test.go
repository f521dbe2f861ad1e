package importer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/importer/pdf/extract"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/queries"
)

// The jobs of the test binary when it is started as the reader of PDF files.
const (
	readerJob = "pdf-text"
	hangJob   = "pdf-hang"
	crashJob  = "pdf-crash"
	floodJob  = "pdf-flood"
)

// TestMain lets the test binary be the process that reads PDF files, or one that behaves as badly as that might.
func TestMain(m *testing.M) {
	job := ""
	if len(os.Args) > 1 {
		job = os.Args[1]
	}
	switch job {
	case readerJob:
		extract.Limit(func() { os.Exit(3) })
		if extract.Text(os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case hangJob:
		select {}
	case crashJob:
		panic("as a parser might")
	case floodJob:
		for {
			fmt.Println(`{"p":1,"x":1,"y":1,"w":1,"s":1,"t":"x"}`)
		}
	}
	os.Exit(ledgertest.Main(m))
}

// pdfDesk is a desk that reads PDF files in a process with the job.
func pdfDesk(t *testing.T, job string, patience time.Duration) *fixture {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k := newFixture(t)
	k.Importer = importer.New(importer.Options{DB: k.db, Ledger: k.ledger, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return k.clock }, Max: 8 << 20, PDFText: []string{self, job}, PDFTime: patience})
	return k
}

func statement() string { return pdfPages(layouts()[0].pages...).String() }

func TestPDFIsPublished(t *testing.T) {
	t.Parallel()
	k := pdfDesk(t, readerJob, 0)
	before := k.figures()
	imp := k.upload(statement(), importer.Request{Type: recordpkg.PdfImport, Publish: true})
	k.work()
	if imp = k.get(imp); imp.Status != importer.StatusComplete || imp.ValidRowsCount != 3 {
		t.Fatalf("%s, %d rows, %s", imp.Status, imp.ValidRowsCount, message(imp))
	}
	_, rows, err := k.Results(t.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, fmt.Sprintf("%v %d %q %q %d %q %v", row.Date, row.Minor, row.Name, row.Notes, row.Line,
			row.Raw, row.EntryID != uuid.Nil))
	}
	want := []string{
		`2026-03-02 -64000 "Lastschrift Hafenmiete" "Miete März" 6 ["02.03.2026" "Lastschrift Hafenmiete Miete März" "-640,00"] true`,
		`2026-03-05 195050 "Gehalt" "Wasserwerke AG\nLohn 03/2026" 8 ["05.03.2026" "Gehalt Wasserwerke AG Lohn 03/2026" "1.950,50"] true`,
		`2026-03-09 -480 "Kartenzahlung Bäckerei" "" 11 ["09.03.2026" "Kartenzahlung Bäckerei" "-4,80"] true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	k.mustRevert(imp, false)
	k.same("reverted", before)
}

func message(imp queries.Import) string {
	if imp.Error == nil {
		return ""
	}
	return *imp.Error
}

// TestPDFSettings: what was found is shown, and reading with it comes to the same.
func TestPDFSettings(t *testing.T) {
	t.Parallel()
	k := pdfDesk(t, readerJob, 0)
	imp := k.upload(statement(), importer.Request{Type: recordpkg.PdfImport})
	var found recordpkg.Settings
	if err := json.Unmarshal([]byte(imp.Settings), &found); err != nil {
		t.Fatal(err)
	}
	want := settings(t, `{"date_col_label":"Datum","name_col_label":"Buchungstext","amount_col_label":"Betrag EUR","number_format":"1.234,56","signage_convention":"inflows_positive"}`)
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	again := k.upload(statement(), importer.Request{Type: recordpkg.PdfImport, Settings: found})
	if again.Settings != imp.Settings || again.ValidRowsCount != imp.ValidRowsCount || again.Error != nil {
		t.Errorf("read again: %s, %d rows, %s", again.Settings, again.ValidRowsCount, message(again))
	}
	out, err := k.Preflight(t.Context(), k.who, importer.Request{Type: recordpkg.PdfImport,
		AccountID: ledger.Some(k.account)}, opener(statement()))
	if err != nil || out.Obstacle != "" || out.Valid != 3 || out.Encoding != "pdf" {
		t.Fatalf("preflight: %v, %+v", err, out)
	}
	if diff := cmp.Diff(want, out.Settings); diff != "" {
		t.Errorf("settings of the preflight (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Datum", "Buchungstext", "Betrag EUR"}, out.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

// TestPDFThatDoesNotAddUp is not published, whatever is asked.
func TestPDFThatDoesNotAddUp(t *testing.T) {
	t.Parallel()
	k := pdfDesk(t, readerJob, 0)
	file := strings.Replace(layouts()[0].pages[0], "2.305,70", "2.305,80", 1)
	before := k.figures()
	imp := k.upload(pdfPages(file).String(), importer.Request{Type: recordpkg.PdfImport, Publish: true,
		SkipInvalidRows: true})
	want := "does not add up as it was read: opening balance 1000.00, the sum of 3 rows 1305.70, closing balance 2305.80; the difference is 0.10. Get the bank's CSV instead"
	if imp.Status != importer.StatusFailed || message(imp) != want {
		t.Errorf("%s: %s", imp.Status, message(imp))
	}
	_, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{SkipInvalidRows: true})
	if e := ledger.AsError(err); e == nil || e.Kind != ledger.Invalid ||
		!strings.Contains(err.Error(), "does not add up") {
		t.Errorf("publish: %v", err)
	}
	out, err := k.Preflight(t.Context(), k.who, importer.Request{Type: recordpkg.PdfImport,
		AccountID: ledger.Some(k.account), SkipInvalidRows: true},
		opener(pdfPages(file).String()))
	if err != nil || out.Obstacle != want {
		t.Errorf("preflight: %v, %+v", err, out)
	}
	k.work()
	k.same("refused", before)
}

func TestPDFNeedsAnAccount(t *testing.T) {
	t.Parallel()
	k := pdfDesk(t, readerJob, 0)
	got, err := k.Preflight(t.Context(), k.who, importer.Request{Type: recordpkg.PdfImport}, opener(statement()))
	if err != nil || got.Obstacle != "account_id must be given: a statement is of one account" ||
		!slices.Equal(got.Open, []string{"account_id"}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// broken are files that cannot be read, by what is said of them.
func broken() map[string]string {
	whole := statement()
	locked := pdfPages("x")
	locked.trailer = fmt.Sprintf("/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -1 /O <%s> /U <%s> >>",
		strings.Repeat("11", 32), strings.Repeat("22", 32))
	modern := pdfPages("x")
	modern.trailer = "/ID [<00> <00>] /Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 /P -1 >>"
	picture := pdfOf("q 100 0 0 100 0 0 cm /Im1 Do Q")
	picture.objects[3] = strings.Replace(picture.objects[3], "/Font", "/XObject << /Im1 << /Subtype /Image >> >> /Font",
		1)
	circle := pdfPages("x")
	circle.objects[1] = "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"
	form := pdfOf("/Fm Do")
	form.objects[3] = strings.Replace(form.objects[3], "/Font", "/XObject << /Fm 6 0 R >> /Font", 1)
	form.add("<< /Subtype /Form /Resources << /XObject << /Fm 6 0 R >> >> /Length 14 >>\nstream\n/Fm Do /Fm Do \nendstream")
	long := pdfOf("BT /F1 10 Tf (" + strings.Repeat("a", 65<<20) + ") Tj ET")
	flipped := []byte(whole)
	at := bytes.LastIndex(flipped, []byte("stream\n")) - 40
	copy(flipped[at-60:at], bytes.Repeat([]byte{0xFF}, 60))
	return map[string]string{
		"is no PDF: ":                        "Date,Amount\n",
		"is protected by a password: save":   locked.String(),
		"is protected by a password: save i": modern.String(),
		"has no text, only pictures: ":       picture.String(),
		"has no text: ":                      pdfOf("").String(),
		"is a damaged PDF: ":                 whole[:len(whole)/2],
		"is a damaged PDF: get":              circle.String(),
		"is a damaged PDF: get it":           string(flipped),
		"is much too large ":                 long.String(),
		"is much too large for":              form.String(),
		"is a damaged PDF: get it from":      strings.Replace(whole, "/Root 1 0 R", "/Root 9 9 R", 1),
	}
}

func TestBrokenPDF(t *testing.T) {
	t.Parallel()
	for want, file := range broken() {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			k := pdfDesk(t, readerJob, 0)
			imp := k.upload(file, importer.Request{Type: recordpkg.PdfImport, Publish: true})
			if imp.Status != importer.StatusFailed || !strings.HasPrefix(message(imp), "the file "+want) {
				t.Errorf("%s: %s", imp.Status, message(imp))
			}
		})
	}
}

// TestPDFReaderGoesWrong: whatever becomes of the process, the file is refused and the importer goes on.
func TestPDFReaderGoesWrong(t *testing.T) {
	t.Parallel()
	for job, want := range map[string]string{
		hangJob:  "the file could not be read within 300ms",
		crashJob: "the file could not be read: it is damaged, or takes more than 256 MiB",
		floodJob: "the file is much too large for a statement",
	} {
		t.Run(job, func(t *testing.T) {
			t.Parallel()
			patience := 5 * time.Minute // the race detector makes a flood slow
			if job == hangJob {
				patience = 300 * time.Millisecond
			}
			k := pdfDesk(t, job, patience)
			imp := k.upload(statement(), importer.Request{Type: recordpkg.PdfImport})
			if imp.Status != importer.StatusFailed || !strings.HasPrefix(message(imp), want) {
				t.Errorf("%s: %s", imp.Status, message(imp))
			}
		})
	}
}

// TestPDFBomb: a text whose lines say that they are 60 GB long.
func TestPDFBomb(t *testing.T) {
	t.Parallel()
	k := pdfDesk(t, readerJob, 0)
	file := pdfOf("BT (x) Tj ET")
	file.objects[4] = strings.Replace(file.objects[4], "/Filter",
		"/DecodeParms << /Predictor 12 /Columns 60000000000 >> /Filter", 1)
	imp := k.upload(file.String(), importer.Request{Type: recordpkg.PdfImport})
	if imp.Status != importer.StatusFailed || !strings.Contains(message(imp), "takes more than 256 MiB of memory") {
		t.Errorf("%s: %s", imp.Status, message(imp))
	}
}

func TestNoPDFReader(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{nil, {"/nowhere/at/all"}} {
		k := newFixture(t)
		k.Importer = importer.New(importer.Options{DB: k.db, Ledger: k.ledger, Logger: slog.New(slog.DiscardHandler),
			PDFText: command})
		_, err := k.Preflight(t.Context(), k.who, importer.Request{Type: recordpkg.PdfImport,
			AccountID: ledger.Some(k.account)}, opener(statement()))
		if err == nil || ledger.AsError(err) != nil {
			t.Errorf("%v: %v", command, err)
		}
	}
}

// FuzzPDF has files read behind the fence: whatever they are, the importer gets words or an error about the file. The
// library is known to hang and to crash.
func FuzzPDF(f *testing.F) {
	f.Add([]byte(statement()))
	for _, file := range broken() {
		if len(file) < 64<<10 {
			f.Add([]byte(file))
		}
	}
	self, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	k := newFixture(f)
	im := importer.New(importer.Options{DB: k.db, Ledger: k.ledger, Logger: slog.New(slog.DiscardHandler),
		PDFText: []string{self, readerJob}, PDFTime: 2 * time.Second})
	f.Fuzz(func(t *testing.T, file []byte) {
		out, err := im.Preflight(t.Context(), k.who, importer.Request{Type: recordpkg.PdfImport,
			AccountID: ledger.Some(k.account)}, opener(string(file)))
		if err != nil {
			t.Fatal(err)
		}
		if out.Broken == nil && out.Obstacle == "" && out.Valid == 0 {
			t.Errorf("neither read nor refused: %+v", out)
		}
	})
}
