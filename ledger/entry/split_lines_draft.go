package entry

import (
	"context"
	"fmt"
	"strings"

	"finsvc/ledger"
	"finsvc/queries"
)

// DraftLine is a line of a [Draft] that is split: Minor is in minor units of the draft's currency, into the account
// positive. CategoryID and MerchantID are 0 when there is none; Name and Notes may be empty.
type DraftLine struct {
	CategoryID, MerchantID int64
	Minor                  int64
	Name, Notes            string
	TagIDs                 []int64
}

// CheckLines says what is wrong with a draft's lines, if anything: there are none or at least two, they add up to its
// amount, and they have its category in its place.
func (d *Draft) CheckLines() error {
	var sum int64
	for _, line := range d.Lines {
		sum += line.Minor
	}
	switch n := len(d.Lines); {
	case n == 0:
		return nil
	case n == 1, n > MaxSplitLines:
		return fmt.Errorf("a split of row %d must have 2 to %d lines, has %d", d.Row, MaxSplitLines, n)
	case sum != d.Minor:
		return fmt.Errorf("the lines of row %d must add up to its amount, %d, but add up to %d, in minor units of %s",
			d.Row, d.Minor, sum, d.Currency)
	case d.CategoryID != 0:
		return fmt.Errorf("row %d must not have a category beside its lines, which have their own", d.Row)
	}
	return nil
}

// PartAmounts are the amounts of a draft's lines.
func (d *Draft) PartAmounts() (amounts []int64) {
	for _, line := range d.Lines {
		amounts = append(amounts, line.Minor)
	}
	return amounts
}

// merchantNames asks the database: an import that creates labels would read all of them anew for every row.
func merchantNames(ctx context.Context, tx *ledger.Tx, keys []int64) (string, error) {
	if len(keys) == 0 {
		return "", nil
	}
	rows, err := tx.ListMerchantNames(ctx, queries.ListMerchantNamesParams{Ids: ledger.JSONArray(keys),
		HouseholdID: tx.HouseholdID})
	var texts []string
	for _, r := range rows {
		texts = append(texts, r.Name)
	}
	return strings.Join(texts, "\n"), err
}
