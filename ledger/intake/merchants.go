package intake

import (
	"context"
	"fmt"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

const (
	// MaxMerchantRows is how many rows a list of merchants may have.
	MaxMerchantRows = 10_000
	// maxRowsTold is how many mistakes of such a list are told at once.
	maxRowsTold = 20
)

// MerchantRow is a row of a list of merchants; Number counts from 1, without the header.
type MerchantRow struct {
	Number int
	Input  catalog.MerchantInput
}

// MerchantsImported says what became of a list: the merchants that were made, and how many rows had the name of one
// that was there, or of a row before.
type MerchantsImported struct {
	Created []queries.Merchant
	Skipped int
}

// RowPlace names a place in a file that problems are of; the column may be empty.
func RowPlace(row int, column string) string {
	if column == "" {
		return fmt.Sprintf("row %d", row)
	}
	return fmt.Sprintf("row %d, column %s", row, column)
}

// MerchantFileError is the error of a list of merchants with these problems, the first of which are told; nil without
// any.
func MerchantFileError(problems ledger.Problems) error {
	if len(problems) == 0 {
		return nil
	}
	more := ""
	if n := len(problems) - maxRowsTold; n > 0 {
		problems, more = problems[:maxRowsTold], fmt.Sprintf("; and %d more", n)
	}
	err := ledger.AsError(problems.Err())
	err.Code = "invalid_csv"
	err.Message += more
	return err
}

// NewFileError refuses a list of merchants as a whole, by a code for programs; the message continues the word file.
func NewFileError(code, format string, args ...any) error {
	err := ledger.AsError(ledger.NewInvalid("file", format, args...))
	err.Code = code
	return err
}

// ImportMerchants makes the merchants of a list that the household does not have, all or, when one is wrong, none.
func (s *Service) ImportMerchants(ctx context.Context, who ledger.Actor, rows []MerchantRow) (done MerchantsImported,
	err error) {
	if len(rows) > MaxMerchantRows {
		return done, NewFileError("invalid_csv", "must have at most %d rows, has %d", MaxMerchantRows, len(rows))
	}
	var problems ledger.Problems
	for _, row := range rows {
		for _, p := range row.Input.Check() {
			problems.Add(RowPlace(row.Number, p.Field), "%s", p.Message)
		}
	}
	if err := MerchantFileError(problems); err != nil {
		return done, err
	}
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		done = MerchantsImported{}
		for _, row := range rows {
			if err := importMerchant(ctx, tx, row.Input, &done); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

func importMerchant(ctx context.Context, tx *ledger.Tx, in catalog.MerchantInput, done *MerchantsImported) error {
	m, isNew, err := catalog.FindOrCreateMerchantTx(ctx, tx, in)
	switch {
	case err != nil:
		return err
	case isNew:
		done.Created = append(done.Created, m)
	default:
		done.Skipped++
	}
	return nil
}
