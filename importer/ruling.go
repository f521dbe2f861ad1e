package importer

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Rule keeps what a person says of a row of a pending or failed import: [RulingSame], that it is the entry which was found for it,
// [RulingNew], that it is none that is booked, or blank, to take back what was said. It holds for every file
// that has the row, whenever it comes.
func (im *Importer) Rule(ctx context.Context, who ledger.Actor, id uuid.UUID, number int64, ruling string) (Result, error) {
	if ruling != "" && ruling != RulingSame && ruling != RulingNew {
		return Result{}, ledger.NewInvalid("ruling", "must be %s or %s, or null to take it back, got %s", RulingSame, RulingNew, ledger.Quote(ruling))
	}
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return Result{}, err
	}
	if imp.Status != StatusPending && imp.Status != StatusFailed {
		return Result{}, ledger.NewConflict("an import that is %s takes no rulings; revert it first", imp.Status)
	}
	row, err := im.rowOf(ctx, who, imp, number)
	if err != nil {
		return Result{}, err
	}
	if err := im.keepRuling(ctx, who, imp, row, ruling); err != nil {
		return Result{}, err
	}
	list := []Result{row}
	err = im.addForecast(ctx, who, imp, list)
	return list[0], err
}

// rowOf reads one row of an import.
func (im *Importer) rowOf(ctx context.Context, who ledger.Actor, imp queries.Import, number int64) (Result, error) {
	_, list, err := im.Results(ctx, who, uuid.UUID(imp.PublicID), ledger.Page{Number: int(number), Size: 1})
	if err == nil && len(list) == 0 {
		err = ledger.NewNotFound("Row")
	}
	if err != nil {
		return Result{}, err
	}
	return list[0], nil
}

func (im *Importer) keepRuling(ctx context.Context, who ledger.Actor, imp queries.Import, row Result, ruling string) error {
	o, err := im.lookAtStored(ctx, who, imp)
	if err != nil {
		return err
	}
	account := o.account(row.Row)
	if !row.Planned() || account == 0 {
		return ledger.NewConflict("row %d cannot be booked already: it is not valid, or its account is yet to be created", row.Number)
	}
	occurrence := o.repeats.of(row.Number)
	return im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if ruling == "" {
			return q.DeleteRuling(ctx, queries.DeleteRulingParams{AccountID: account, RawKey: row.Key, Occurrence: occurrence, HouseholdID: who.HouseholdID})
		}
		return q.PutRuling(ctx, queries.PutRulingParams{AccountID: account, RawKey: row.Key, Occurrence: occurrence, HouseholdID: who.HouseholdID,
			Ruling: ruling, CreatedAt: im.now().UnixMilli()})
	})
}
