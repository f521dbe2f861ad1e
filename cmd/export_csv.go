package cmd

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
)

func newExportCSV(a *app) *cobra.Command {
	var f exportFlags
	var table string
	c := &cobra.Command{
		Use: "csv", Short: "Write tables for a spreadsheet", Args: cobra.NoArgs,
		Long: "Write the whole household as tables in CSV: a zip file of them, a folder where the name ends in a slash, or with\n" +
			"--table one of them. Money into the account is positive, and what is owed is negative. A text that a spreadsheet\n" +
			"would take for a formula has an apostrophe in front, which an import takes off again. transactions.csv can be\n" +
			"imported: its rows are known by their ids.\n\nThe tables: " + strings.Replace(strings.Join(ledger.TableNames(), ", "), "valuations, ", "valuations,\n", 1) + ".",
		Example: "  finsvc export csv -o books.zip --verify\n" +
			"  finsvc export csv -o books/\n" +
			"  finsvc export csv --table transactions > transactions.csv",
		RunE: func(c *cobra.Command, _ []string) error {
			switch folder := strings.HasSuffix(f.output, "/") || strings.HasSuffix(f.output, string(filepath.Separator)); {
			case table != "" && (f.verify || folder):
				return exit.Usagef("--table writes one table to a file, and balances need several; leave out --table, or --verify and the folder")
			case table != "":
				return writeExport(a, c, f, export{write: oneTable(table)})
			case f.output == "":
				return exit.Usagef("name a zip file with -o FILE, a folder with -o FOLDER/, or one table with --table")
			case folder:
				return exportFolder(a, c, f)
			}
			write := func(ctx context.Context, s *ledger.Snapshot, w io.Writer) (string, error) {
				return zipTables(ctx, s, w, a.now().Local())
			}
			return writeExport(a, c, f, export{write: write, read: unzipTables})
		},
	}
	f.add(c)
	c.Flags().StringVar(&table, "table", "", "write only the table `NAME`")
	return c
}

func oneTable(name string) func(context.Context, *ledger.Snapshot, io.Writer) (string, error) {
	return func(ctx context.Context, s *ledger.Snapshot, w io.Writer) (string, error) {
		rows, err := s.Table(ctx, name, w)
		return term.Count(rows, "row"), err
	}
}

// allTables writes every table; put makes a file of that name and has it filled.
func allTables(ctx context.Context, s *ledger.Snapshot, put func(name string, fill func(io.Writer) error) error) (what string, err error) {
	total := int64(0)
	for _, name := range ledger.TableNames() {
		if err := put(name+".csv", func(w io.Writer) error {
			rows, err := s.Table(ctx, name, w)
			total += rows
			return err
		}); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s in %d tables", term.Count(total, "row"), len(ledger.TableNames())), nil
}

// zipTables packs the tables. They are of the moment of the export, which an unpacked file then shows in local time.
func zipTables(ctx context.Context, s *ledger.Snapshot, w io.Writer, made time.Time) (string, error) {
	archive := zip.NewWriter(w)
	what, err := allTables(ctx, s, func(name string, fill func(io.Writer) error) error {
		member, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made})
		if err != nil {
			return err
		}
		return fill(member)
	})
	return what, errors.Join(err, archive.Close())
}

func unzipTables(_ context.Context, _ *ledger.Snapshot, text *io.SectionReader) (*recount, error) {
	archive, err := zip.NewReader(text, text.Size())
	if err != nil {
		return nil, err
	}
	return readTables(archive)
}

// exportFolder writes the tables into a folder. They are written beside it and put there when they are whole.
func exportFolder(a *app, c *cobra.Command, f exportFlags) error {
	target := filepath.Clean(f.output)
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) && !f.force {
		return errors.Join(err, ledger.NewConflict("%s is there already; replace its tables with --force, or choose another name", target))
	}
	return inSnapshot(c, a, f.household, func(ctx context.Context, s *ledger.Snapshot) error {
		folder, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
		if err != nil {
			return db.CannotWrite(target, err)
		}
		defer os.RemoveAll(folder) // what is left of it
		what, err := allTables(ctx, s, func(name string, fill func(io.Writer) error) error {
			return writeOut(&a.Terminal, filepath.Join(folder, name), false, fill)
		})
		if err != nil {
			return db.CannotWrite(target, err)
		}
		outcome := recountOutcome{}
		if f.verify {
			e := export{read: func(context.Context, *ledger.Snapshot, *io.SectionReader) (*recount, error) {
				return readTables(os.DirFS(folder))
			}}
			if outcome, err = e.verify(ctx, s, nil); err != nil {
				return err
			}
		}
		if err := moveTables(folder, target); err != nil {
			return err
		}
		sayExported(a, f, what, outcome)
		return nil
	})
}

// moveTables puts a folder in its place, or its files into the folder that is there.
func moveTables(folder, target string) error {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(folder, target)
	}
	for _, name := range ledger.TableNames() {
		if err := os.Rename(filepath.Join(folder, name+".csv"), filepath.Join(target, name+".csv")); err != nil {
			return err
		}
	}
	return nil
}
