package output_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"finsvc/cmd/output"
	"finsvc/cmd/term"
	"finsvc/ledger"
)

var errBroken = errors.New("broken")

func TestWrite(t *testing.T) {
	t.Parallel()
	whole := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	half := func(w io.Writer) error { _, err := io.WriteString(w, "ne"); return errors.Join(err, errBroken) }
	for name, c := range map[string]struct {
		there, force bool
		write        func(io.Writer) error
		want         string // what the file has then; blank: there is none
		fails        func(error) bool
	}{
		"a new file":                 {write: whole, want: "new"},
		"over a file":                {there: true, write: whole, want: "old", fails: isConflict},
		"over a file by force":       {there: true, force: true, write: whole, want: "new"},
		"half of a new file":         {write: half, fails: isBroken},
		"half over a file, by force": {there: true, force: true, write: half, want: "old", fails: isBroken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			file := filepath.Join(folder, "out.csv")
			if c.there {
				if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := output.Write(&term.Terminal{Stdout: io.Discard, Stderr: io.Discard}, file, c.force, c.write)
			if c.fails == nil && err != nil || c.fails != nil && !c.fails(err) {
				t.Errorf("the error is %v", err)
			}
			got, _ := os.ReadFile(file)
			if string(got) != c.want {
				t.Errorf("the file has %q", got)
			}
			entries, err := os.ReadDir(folder)
			if left := len(entries); err != nil || left > 1 || left == 1 && c.want == "" {
				t.Errorf("left beside it: %v, %v", entries, err)
			}
		})
	}
}

// What does not read back as it should is given to nobody, on standard output either.
func TestWriteVerified(t *testing.T) {
	t.Parallel()
	write := func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }
	for name, check := range map[string]func(*io.SectionReader) error{
		"it reads back": func(r *io.SectionReader) error {
			if got, err := io.ReadAll(r); err != nil || string(got) != "text" {
				return errBroken
			}
			return nil
		},
		"it does not": func(*io.SectionReader) error { return errBroken },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := output.WriteVerified(&term.Terminal{Stdout: &out, Stderr: io.Discard}, "", false, true, write, check)
			want := map[bool]string{true: "text"}[err == nil]
			if out.String() != want || (err != nil) != (name == "it does not") {
				t.Errorf("standard output has %q, and the error is %v", out.String(), err)
			}
		})
	}
}

func isConflict(err error) bool { return ledger.IsKind(err, ledger.Conflict) }

func isBroken(err error) bool { return errors.Is(err, errBroken) }
