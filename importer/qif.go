package importer

import (
	"context"
	"io"

	"finsvc/ledger"
)

// qif is the format of files in the Quicken Interchange Format: sections of records, one field to a line.
type qif struct{}

func (qif) settings(s Settings) Settings { return s }

func (qif) open(file io.Reader, s Settings, d Defaults) (source, error) {
	rows, err := openQIF(file, s, d)
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// withAccounts adds to the defaults of a QIF file the household's accounts. Where two have one name, it is that
// of neither; publishing says so.
func (im *Importer) withAccounts(ctx context.Context, who ledger.Actor, how reading, d Defaults) (Defaults, error) {
	if how.kind != QifImport {
		return d, nil
	}
	accounts, err := im.ledger.Intake.AccountLabels(ctx, who)
	if err != nil {
		return d, err
	}
	named := make(map[string]*ledger.AccountRef, len(accounts))
	for _, account := range accounts {
		named[ledger.Fold(account.Name)] = account
	}
	if how.accountID != nil {
		d.Account = accounts[*how.accountID]
	}
	d.Named = func(name string) *ledger.AccountRef { return named[ledger.Fold(name)] }
	return d, nil
}
