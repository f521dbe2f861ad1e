package export

import (
	"context"
	"strconv"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

func (t *tableWriter) accountRows(ctx context.Context) error {
	balances, err := balance.BalancesTx(ctx, t.tx, t.today)
	for _, row := range t.accounts {
		if err != nil {
			return err
		}
		a, b := catalog.AsAccount(queries.GetAccountRow(row), balance.Balance{}), balances[row.Account.ID]
		err = t.row(idText(a.PublicID), Harmless(a.Name), a.AccountType, harmless(a.Subtype), a.Classification,
			a.Currency, plain(b.Minor, a.Currency),
			plain(b.Cash(), a.Currency), plain(b.Holdings, a.Currency), a.Status, harmless(a.InstitutionName),
			harmless(a.InstitutionDomain), harmless(a.Notes))
	}
	return err
}

func (t *tableWriter) categoryRows(ctx context.Context) error {
	return t.eachCategory(ctx, func(r queries.ListCategoriesRow) error {
		c := r.Category
		return t.row(idText(c.PublicID), Harmless(c.Name), harmless(r.ParentName), c.Color, c.Classification,
			Harmless(c.Icon))
	})
}

func (t *tableWriter) tagRows(ctx context.Context) error {
	rows, err := t.tx.ListTags(ctx, t.tx.HouseholdID)
	for _, r := range rows {
		if err != nil {
			return err
		}
		err = t.row(idText(r.PublicID), Harmless(r.Name), r.Color)
	}
	return err
}

func (t *tableWriter) merchantRows(ctx context.Context) error {
	rows, err := t.tx.ListMerchants(ctx, t.tx.HouseholdID)
	for _, r := range rows {
		if err != nil {
			return err
		}
		err = t.row(idText(r.PublicID), Harmless(r.Name), r.Color, Harmless(r.WebsiteUrl))
	}
	return err
}

func (t *tableWriter) ruleRows(ctx context.Context) error {
	rows, err := t.tx.ListBackupRules(ctx, t.tx.HouseholdID)
	for _, r := range rows {
		if err != nil {
			return err
		}
		err = t.row(idText(r.PublicID), harmless(r.Name), r.ResourceType, yes(r.Active),
			ledger.OrBlank(dateText(r.EffectiveDate)), r.Conditions, r.Actions)
	}
	return err
}

func (t *tableWriter) securityRows(context.Context) error {
	for _, s := range t.securities {
		if err := t.row(idText(s.PublicID), Harmless(s.Ticker), s.Mic, harmless(s.Name), s.Kind,
			yes(s.Manual)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tableWriter) splitRows(ctx context.Context) error {
	for _, s := range t.securities {
		rows, err := t.tx.ListBackupSplits(ctx, queries.ListBackupSplitsParams{SecurityID: s.ID,
			HouseholdID: t.tx.HouseholdID})
		for _, r := range rows {
			if err != nil {
				return err
			}
			err = t.row(ledger.Date(r.Date).String(), Harmless(s.Ticker), s.Mic, strconv.FormatInt(r.Numerator, 10),
				strconv.FormatInt(r.Denominator, 10))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *tableWriter) priceRows(ctx context.Context) error {
	for _, s := range t.securities {
		rows, err := t.tx.ListBackupPrices(ctx, queries.ListBackupPricesParams{SecurityID: s.ID,
			HouseholdID: t.tx.HouseholdID})
		for _, r := range rows {
			if err != nil {
				return err
			}
			err = t.row(ledger.Date(r.Date).String(), Harmless(s.Ticker), r.Price, r.Currency, s.Mic,
				Harmless(r.Source))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *tableWriter) rateRows(ctx context.Context) error {
	rates, err := (&Snapshot{t.s, t.tx}).Rates(ctx)
	for _, r := range rates {
		if err != nil {
			return err
		}
		err = t.row(r.Date.String(), r.From, r.To, r.Rate.String())
	}
	return err
}
