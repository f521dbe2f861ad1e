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
func (l *Service) ListSplits(ctx context.Context, who ledger.Actor, f SplitFilter, page ledger.Page) (list []Split, total int64, err error) {
	err = l.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
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
	in.Problems.Require(in.Denominator.Has(), "denominator", "is required, such as 1 where 1 unit became 2; or give a ratio such as 2:1")
	if in.Ratio.Has() {
		in.Problems.Add("ratio", "must not be given beside numerator and denominator")
	}
	numerator, denominator = in.Numerator.Or(1), in.Denominator.Or(1)
	in.Problems.Note("numerator", checkRatio(numerator))
	in.Problems.Note("denominator", checkRatio(denominator))
	if numerator == denominator && len(in.Problems) == 0 {
		in.Problems.Add("numerator", "must differ from denominator: a split of %d:%d changes nothing", numerator, denominator)
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
	if errFirst != nil || errSecond != nil || checkRatio(numerator) != nil || checkRatio(denominator) != nil || numerator == denominator {
		return 0, 0, fmt.Errorf("must be two different whole numbers from 1 to %d such as 2:1, where 1 unit became 2, got %s", maxSplit, money.Clip(text))
	}
	return numerator, denominator, nil
}

// CreateSplit notes a split. A security is split at most once a day. What is held follows at once; a split after
// which a sale takes more than is held is a conflict.
func (l *Service) CreateSplit(ctx context.Context, who ledger.Actor, in SplitInput) (s Split, err error) {
	err = l.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		numerator, denominator := in.Fraction()
		in.Problems.Require(in.Date.Has(), "date", "is required, such as 2026-01-31")
		security, err := findSecurity(ctx, tx, in.Security, &in.Problems)
		if err != nil {
			return err
		}
		s = Split{queries.SecuritySplit{HouseholdID: tx.HouseholdID, SecurityID: security.ID, Date: int64(in.Date.Value), Numerator: numerator, Denominator: denominator},
			&ledger.SecurityRef{ID: uuid.UUID(security.PublicID), Ticker: security.Ticker, Name: security.Name}}
		return l.resplit(ctx, tx, s.SecuritySplit, func() error {
			s.SecuritySplit, err = l.insertSplit(ctx, tx, s.SecuritySplit)
			return err
		})
	})
	return s, err
}

func (l *Service) insertSplit(ctx context.Context, tx *ledger.Tx, s queries.SecuritySplit) (queries.SecuritySplit, error) {
	var err error
	if s.PublicID, err = ledger.NewID(); err != nil {
		return s, err
	}
	s.CreatedAt = l.Stamp()
	s.UpdatedAt = s.CreatedAt
	if s.ID, err = tx.InsertSplit(ctx, queries.InsertSplitParams{PublicID: s.PublicID, HouseholdID: s.HouseholdID, SecurityID: s.SecurityID, Date: s.Date,
		Numerator: s.Numerator, Denominator: s.Denominator, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}); err != nil {
		return s, ledger.Taken(err, "date", "must be a day without another split of the security, %s has one", ledger.Date(s.Date))
	}
	return s, l.Record(ctx, tx, ledger.EntitySplit, s.PublicID, nil, s)
}

// resplit runs a change of a split, and everything that follows from it.
func (l *Service) resplit(ctx context.Context, tx *ledger.Tx, s queries.SecuritySplit, change func() error) error {
	err := l.Positions.Retrade(ctx, tx, map[int64]ledger.Date{s.SecurityID: ledger.Date(s.Date)}, change)
	if short, ok := errors.AsType[*position.ShortSale](err); ok {
		return ledger.NewConflict("the sale on %s would take more than is held then, %s too much: change or delete it first", short.Day, short.Missing)
	}
	return err
}

// DeleteSplit removes a split, as if it had never been. One without which a sale takes more than is held is a
// conflict.
func (l *Service) DeleteSplit(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return l.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		s, err := tx.GetSplit(ctx, queries.GetSplitParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
		if err != nil {
			return ledger.Missing(err, "Security split")
		}
		return l.deleteSplit(ctx, tx, s)
	})
}

func (l *Service) deleteSplit(ctx context.Context, tx *ledger.Tx, s queries.SecuritySplit) error {
	return l.resplit(ctx, tx, s, func() error {
		if err := tx.DeleteSplit(ctx, queries.DeleteSplitParams{ID: s.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return l.Record(ctx, tx, ledger.EntitySplit, s.PublicID, s, nil)
	})
}
