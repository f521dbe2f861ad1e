package importer

import (
	"cmp"
	"context"

	"finsvc/ledger/entry"
)

// draft is the transaction that a row becomes, with the keys of what it names.
func (p *publisher) draft(ctx context.Context, row Row) (entry.Draft, error) {
	d := entry.Draft{Date: row.Date, Minor: row.Minor, Currency: row.Currency.Code, Name: row.Name, Notes: row.Notes,
		ExternalID: row.ExternalID, Source: row.Source,
		Row: int64(row.Number), SourceHash: row.Key, BankKey: row.Bank, LikeKey: cmp.Or(row.Like, row.Key), Occurrence: p.outlook.repeats.of(row.Number)}
	var err error
	if d.AccountID, err = p.names.account(ctx, row); err != nil {
		return d, err
	}
	if len(row.Lines) == 0 { // else the lines have categories
		if d.CategoryID, err = p.names.category(ctx, row); err != nil {
			return d, err
		}
	}
	if d.MerchantID, err = p.names.merchant(ctx, row); err != nil {
		return d, err
	}
	d.Merchant = row.Merchant
	if d.TagIDs, err = p.names.tags(ctx, row); err != nil {
		return d, err
	}
	d.Lines, err = p.lines(ctx, row)
	return d, err
}

// lines are the parts that a row is split into; nil when it is not.
func (p *publisher) lines(ctx context.Context, row Row) ([]entry.DraftLine, error) {
	var list []entry.DraftLine
	for _, line := range row.Lines {
		part := Row{Category: line.Category, Merchant: line.Merchant, Tags: line.Tags, Minor: line.Minor}
		d := entry.DraftLine{Minor: line.Minor, Name: line.Name, Notes: line.Notes}
		var err error
		if d.CategoryID, err = p.names.category(ctx, part); err != nil {
			return nil, err
		}
		if d.MerchantID, err = p.names.merchant(ctx, part); err != nil {
			return nil, err
		}
		if d.TagIDs, err = p.names.tags(ctx, part); err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}
