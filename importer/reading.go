package importer

import (
	"context"
	"encoding/json"
	"io"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// rows begins to read a stored file.
func (im *Importer) rows(ctx context.Context, who ledger.Actor, importID int64, how reading) (source, error) {
	rows, _, err := im.read(ctx, who, im.open(ctx, who.HouseholdID, importID), how)
	return rows, err
}

// stored begins to read the file of an import with the settings that it was received with.
func (im *Importer) stored(ctx context.Context, who ledger.Actor, imp queries.Import) (source, error) {
	how, err := readingOf(imp)
	if err != nil {
		return nil, err
	}
	return im.rows(ctx, who, imp.ID, how)
}

// reading is how a file is read. The import is 0 when none is stored yet: what it created itself is nothing
// that was there before.
type reading struct {
	kind      string
	accountID *int64
	settings  Settings
	importID  int64
	// duplicates is what becomes of rows that may be booked already, see [DuplicatesHold].
	duplicates string
}

func readingOf(imp queries.Import) (reading, error) {
	how := reading{kind: imp.Type, accountID: imp.AccountID, importID: imp.ID, duplicates: imp.PossibleDuplicates}
	err := json.Unmarshal([]byte(imp.Settings), &how.settings)
	return how, err
}

// read begins to read a file, and says what it need not say.
func (im *Importer) read(ctx context.Context, who ledger.Actor, file io.Reader, how reading) (source, Defaults, error) {
	d, err := im.defaults(ctx, who, how)
	if err != nil {
		return nil, d, err
	}
	d.Max = im.max
	rows, err := formatNamed(how.kind).open(file, how.settings, d)
	return rows, d, err
}

// defaults are the currency of the import's account, or of the household and its accounts by name.
func (im *Importer) defaults(ctx context.Context, who ledger.Actor, how reading) (Defaults, error) {
	home, err := im.ledger.Tenants.GetHousehold(ctx, who)
	if err != nil {
		return Defaults{}, err
	}
	currencies, err := im.ledger.Entries.AccountCurrencies(ctx, who)
	if err != nil {
		return Defaults{}, err
	}
	currency, _ := money.LookupCurrency(home.Currency) // was looked up when it was stored
	if !hasAccount(how.kind) {
		return im.existing(ctx, who, how, Defaults{Type: how.kind, Currency: currency, AccountKeys: currencies.Keys})
	}
	if how.kind == PdfImport && how.accountID != nil {
		return im.statementDefaults(ctx, who, *how.accountID)
	}
	d := Defaults{Type: how.kind, Currency: currency, AccountKeys: currencies.Keys}
	if how.accountID != nil {
		d.Currency, d.Liability = currencies.ByKey[*how.accountID], currencies.Owed[*how.accountID]
	} else {
		d.AccountCurrency = func(name string) (money.Currency, bool) {
			c, ok := currencies.ByName[ledger.Fold(name)]
			return c, ok
		}
	}
	return im.withAccounts(ctx, who, how, d)
}
