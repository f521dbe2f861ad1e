package market

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// Split says that on a day Denominator units of a security became Numerator. From its day on it multiplies what
// is held before it and divides older prices; recorded trades and prices stay as they are.
type Split struct {
	queries.SecuritySplit
	Security *ledger.SecurityRef
}

// SplitFilter selects splits; what is not given selects all. Both days are included.
type SplitFilter struct {
	SecurityID         ledger.Opt[uuid.UUID]
	StartDate, EndDate ledger.Opt[ledger.Date]
}

// ListSplits gives a page of the splits that the filter selects, the newest first, and how many it selects in all.
func (s *Service) ListSplits(ctx context.Context, who ledger.Actor, f SplitFilter, page ledger.Page) (list []Split,
	total int64, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		labels, err := ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		key, known := labels.Keys[f.SecurityID.Value]
		if f.SecurityID.Has() && !known {
			return nil
		}
		rows, err := tx.ListSplits(ctx, queries.ListSplitsParams{HouseholdID: tx.HouseholdID, SecurityID: key,
			FirstDay: int64(f.StartDate.Or(ledger.MinDate)), LastDay: int64(f.EndDate.Or(ledger.MaxDate))})
		total = int64(len(rows))
		first := min(page.Offset(), total)
		for _, row := range rows[first:min(first+int64(page.Size), total)] {
			list = append(list, Split{row, labels.ByKey[row.SecurityID]})
		}
		return err
	})
	return list, total, err
}

// SplitInput is what a client says about a new split: the ratio as two numbers or as a text such as 2:1. Problems
// are what decoding found.
type SplitInput struct {
	Security               SecurityName
	Date                   ledger.Opt[ledger.Date]
	Numerator, Denominator ledger.Opt[int64]
	Ratio                  ledger.Opt[string]
	Problems               ledger.Problems
}

// maxSplit is the largest number in a ratio.
const maxSplit = 1_000_000

// Fraction reads what the split is.
func (in *SplitInput) Fraction() (numerator, denominator int64) {
	if in.Ratio.Has() && !in.Numerator.Has() && !in.Denominator.Has() {
		numerator, denominator, err := parseRatio(in.Ratio.Value)
		in.Problems.Note("ratio", err)
		return numerator, denominator
	}
	in.Problems.Require(in.Numerator.Has(), "numerator", "is required, such as 2 where 1 unit became 2; or give a ratio such as 2:1")
	in.Problems.Require(in.Denominator.Has(), "denominator",
		"is required, such as 1 where 1 unit became 2; or give a ratio such as 2:1")
	if in.Ratio.Has() {
		in.Problems.Add("ratio", "must not be given beside numerator and denominator")
	}
	numerator, denominator = in.Numerator.Or(1), in.Denominator.Or(1)
	in.Problems.Note("numerator", checkRatio(numerator))
	in.Problems.Note("denominator", checkRatio(denominator))
	if numerator == denominator && len(in.Problems) == 0 {
		in.Problems.Add("numerator", "must differ from denominator: a split of %d:%d changes nothing", numerator,
			denominator)
	}
	return numerator, denominator
}

func checkRatio(n int64) error {
	if n < 1 || n > maxSplit {
		return fmt.Errorf("must be a whole number from 1 to %d, got %d", maxSplit, n)
	}
	return nil
}

// parseRatio reads a text such as 2:1. The error continues a sentence that begins with the field's name.
func parseRatio(text string) (numerator, denominator int64, err error) {
	first, second, _ := strings.Cut(text, ":")
	numerator, errFirst := strconv.ParseInt(strings.TrimSpace(first), 10, 64)
	denominator, errSecond := strconv.ParseInt(strings.TrimSpace(second), 10, 64)
	if errFirst != nil || errSecond != nil || checkRatio(numerator) != nil || checkRatio(denominator) != nil ||
		numerator == denominator {
		return 0, 0, fmt.Errorf("must be two different whole numbers from 1 to %d such as 2:1, where 1 unit became 2, got %s", maxSplit, money.Clip(text))
	}
	return numerator, denominator, nil
}

// CreateSplit notes a split. A security is split at most once a day. What is held follows at once; a split after
// which a sale takes more than is held is a conflict.
func (s *Service) CreateSplit(ctx context.Context, who ledger.Actor, in SplitInput) (split Split, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		numerator, denominator := in.Fraction()
		in.Problems.Require(in.Date.Has(), "date", "is required, such as 2026-01-31")
		security, err := findSecurity(ctx, tx, in.Security, &in.Problems)
		if err != nil {
			return err
		}
		split = Split{queries.SecuritySplit{HouseholdID: tx.HouseholdID, SecurityID: security.ID,
			Date: int64(in.Date.Value), Numerator: numerator, Denominator: denominator},
			&ledger.SecurityRef{ID: uuid.UUID(security.PublicID), Ticker: security.Ticker, Name: security.Name}}
		return recomputeSplit(ctx, tx, split.SecuritySplit, func() error {
			split.SecuritySplit, err = insertSplit(ctx, tx, split.SecuritySplit)
			return err
		})
	})
	return split, err
}

func insertSplit(ctx context.Context, tx *ledger.Tx, split queries.SecuritySplit) (queries.SecuritySplit, error) {
	var err error
	split.PublicID, err = ledger.NewID()
	if err != nil {
		return split, err
	}
	split.CreatedAt = tx.Stamp()
	split.UpdatedAt = split.CreatedAt
	split.ID, err = tx.InsertSplit(ctx, insertSplitParams(nil, split))
	if err != nil {
		return split, ledger.Taken(err, "date", "must be a day without another split of the security, %s has one",
			ledger.Date(split.Date))
	}
	return split, tx.Record(ctx, ledger.EntitySplit, split.PublicID, nil, split)
}

// insertSplitParams are the row of a split; its key is nil where it is given anew.
func insertSplitParams(key *int64, s queries.SecuritySplit) queries.InsertSplitParams {
	return queries.InsertSplitParams{ID: key, PublicID: s.PublicID, HouseholdID: s.HouseholdID, SecurityID: s.SecurityID,
		Date: s.Date, Numerator: s.Numerator, Denominator: s.Denominator, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}
}

// recomputeSplit runs a change of a split, and everything that follows from it.
func recomputeSplit(ctx context.Context, tx *ledger.Tx, split queries.SecuritySplit, change func() error) error {
	err := position.RecomputeTrades(ctx, tx, map[int64]ledger.Date{split.SecurityID: ledger.Date(split.Date)}, change)
	if short, ok := errors.AsType[*position.ShortSale](err); ok {
		return ledger.NewConflict("the sale on %s would take more than is held then, %s too much: change or delete it first", short.Day, short.Missing)
	}
	return err
}

// DeleteSplit removes a split, as if it had never been. One without which a sale takes more than is held is a
// conflict.
func (s *Service) DeleteSplit(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		split, err := tx.GetSplit(ctx, queries.GetSplitParams{PublicID: queries.PublicID(id),
			HouseholdID: tx.HouseholdID})
		if err != nil {
			return ledger.Missing(err, "Security split")
		}
		return deleteSplit(ctx, tx, split)
	})
}

func deleteSplit(ctx context.Context, tx *ledger.Tx, split queries.SecuritySplit) error {
	return recomputeSplit(ctx, tx, split, func() error {
		if err := tx.DeleteSplit(ctx, queries.DeleteSplitParams{ID: split.ID,
			HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return tx.Record(ctx, ledger.EntitySplit, split.PublicID, split, nil)
	})
}
