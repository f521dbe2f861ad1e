package export

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// WriteBackup writes the whole household as lines of JSON, which a ServiceImport reads back without loss, and
// gives how many lines there are. All is read in one view of the data, and a part at a time, however long the
// books are. The same books give the same lines, but for ids and instants.
//
// Balances and holdings follow from the rest. Those of today are written all the same: whoever reads the backup
// can compare them with what came of it. Exchange rates belong to no household and are left out.
func (s *Service) WriteBackup(ctx context.Context, who ledger.Actor, w io.Writer) (lines int64, err error) {
	err = s.Snapshot(ctx, who, func(ctx context.Context, snapshot *Snapshot) error {
		lines, err = snapshot.Backup(ctx, w)
		return err
	})
	return lines, err
}

func (s *Snapshot) writeBackup(ctx context.Context, w io.Writer, form *canonical) (lines int64, err error) {
	b, err := s.s.newBackup(ctx, s.tx, w)
	if err != nil {
		return 0, err
	}
	b.canonical = form
	for _, part := range []func(context.Context) error{b.writeAccounts, b.writeBalances, b.writeCategories, b.writeTags,
		b.writeMerchants,
		b.writeSecurities, b.writeSplits, b.writePrices, b.writeTransactions, b.writeTransfers, b.writeRejections,
		b.writeTrades,
		b.writeHoldings, b.writeValuations, b.writeRules} {
		if err := part(ctx); err != nil {
			return 0, err
		}
	}
	return b.lines, b.w.Flush()
}

// backup is a backup as far as it is written.
type backup struct {
	s          *Service
	tx         *ledger.Tx
	w          *bufio.Writer
	encoder    *json.Encoder
	home       queries.Household
	accounts   []queries.ListAccountsRow // by name
	today      ledger.Date
	securities []queries.Security // by ticker and market
	tickers    map[int64]backupTicker
	lines      int64
	canonical  *canonical // nil: ids and instants are written as they are
}

func (s *Service) newBackup(ctx context.Context, tx *ledger.Tx, w io.Writer) (*backup, error) {
	b := &backup{s: s, tx: tx, w: bufio.NewWriterSize(w, journalBuffer), tickers: map[int64]backupTicker{}}
	b.encoder = json.NewEncoder(b.w)
	b.encoder.SetEscapeHTML(false)
	var err error
	b.home, err = tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil {
		return nil, ledger.Missing(err, "Household")
	}
	b.today = tx.TodayOf(ledger.AsHousehold(b.home))
	b.tx.Refs, err = tx.RefsNow(ctx)
	if err != nil {
		return nil, err
	}
	everyone := queries.ListAccountsParams{HouseholdID: tx.HouseholdID, IncludeDisabled: 1,
		RowLimit: int64(ledger.Everything().Size)}
	b.accounts, err = tx.ListAccounts(ctx, everyone)
	if err != nil {
		return nil, err
	}
	b.securities, err = tx.ListSecurities(ctx, market.SecurityFilter{}.Params(tx.Actor, ledger.Everything()))
	for _, security := range b.securities {
		b.tickers[security.ID] = backupTicker{new(idText(security.PublicID)), &security.Ticker, security.Name,
			ledger.OptionalText(security.Mic)}
	}
	return b, err
}

// write puts a record on a line of its own.
func (b *backup) write(kind string, data any) error {
	return b.writeRecord(backupRecord{Type: kind, Data: data})
}

func (b *backup) writeRecord(r backupRecord) error {
	if b.canonical != nil {
		kept, err := b.canonical.record(&r)
		if err != nil || !kept {
			return err
		}
	}
	b.lines++
	return b.encoder.Encode(r)
}

func idText(id queries.PublicID) string { return uuid.UUID(id).String() }

// timesOf are the instants of a row.
func timesOf(createdAt, updatedAt int64) backupTimes {
	return backupTimes{instantText(createdAt), instantText(updatedAt)}
}

func instantText(stamp int64) string { return ledger.Instant(stamp).Format("2006-01-02T15:04:05.000Z") }

// plain writes an amount in major units.
func plain(minor int64, code string) string {
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	return currency.Plain(minor)
}

func (b *backup) writeAccounts(ctx context.Context) error {
	balances, err := balance.BalancesTx(ctx, b.tx, b.today)
	if err != nil {
		return err
	}
	for _, row := range b.accounts {
		opened, err := b.tx.ListBackupValuations(ctx, queries.ListBackupValuationsParams{AccountID: row.Account.ID,
			HouseholdID: b.tx.HouseholdID})
		if err != nil {
			return err
		}
		a := catalog.AsAccount(queries.GetAccountRow(row), balances[row.Account.ID])
		record := backupAccount{ID: idText(a.PublicID), Name: a.Name, AccountableType: AccountableName(a.AccountType),
			Subtype:  a.Subtype,
			Currency: a.Currency, Balance: plain(a.BalanceMinor, a.Currency),
			CashBalance:    plain(a.CashMinor, a.Currency),
			Classification: a.Classification, Status: a.Status, InstitutionName: a.InstitutionName,
			InstitutionDomain: a.InstitutionDomain,
			Notes:             a.Notes, Accountable: backupAccountDetails{a.Subtype},
			backupTimes: timesOf(a.CreatedAt, a.UpdatedAt),
			SkipOpening: !slices.ContainsFunc(opened, func(v queries.Valuation) bool { return v.Kind == openingKind })}
		if err := b.write("Account", record); err != nil {
			return err
		}
	}
	return nil
}

func (b *backup) writeBalances(ctx context.Context) error {
	balances, err := balance.BalancesTx(ctx, b.tx, b.today)
	for _, row := range b.accounts {
		if err != nil {
			return err
		}
		a := catalog.AsAccount(queries.GetAccountRow(row), balances[row.Account.ID])
		err = b.write("Balance", backupBalance{idText(a.PublicID), b.today.String(), plain(a.BalanceMinor, a.Currency),
			plain(a.CashMinor, a.Currency), a.Currency})
	}
	return err
}

// writeCategories writes those without a parent, then the others by parent; each by name.
func (b *backup) writeCategories(ctx context.Context) error {
	return b.eachCategory(ctx, func(row queries.ListCategoriesRow) error {
		c := row.Category
		record := backupCategory{ID: idText(c.PublicID), Name: c.Name, Classification: c.Classification, Color: c.Color,
			Icon:        c.Icon,
			backupTimes: timesOf(c.CreatedAt, c.UpdatedAt)}
		if c.ParentID != nil {
			record.ParentID = new(uuid.UUID(row.ParentPublicID).String())
		}
		return b.write("Category", record)
	})
}

// eachCategory gives them in that order.
func (b *backup) eachCategory(ctx context.Context, give func(queries.ListCategoriesRow) error) error {
	rows, err := b.tx.ListCategories(ctx, queries.ListCategoriesParams{HouseholdID: b.tx.HouseholdID,
		RowLimit: int64(ledger.Everything().Size)})
	slices.SortStableFunc(rows, func(x, y queries.ListCategoriesRow) int {
		return cmp.Or(cmp.Compare(ledger.OrBlank(x.ParentName), ledger.OrBlank(y.ParentName)),
			cmp.Compare(x.Category.NameKey, y.Category.NameKey))
	})
	for _, row := range rows {
		if err != nil {
			return err
		}
		err = give(row)
	}
	return err
}

func (b *backup) writeTags(ctx context.Context) error {
	rows, err := b.tx.ListTags(ctx, b.tx.HouseholdID)
	for _, t := range rows {
		if err != nil {
			return err
		}
		err = b.write("Tag", backupTag{idText(t.PublicID), t.Name, t.Color, timesOf(t.CreatedAt, t.UpdatedAt)})
	}
	return err
}

func (b *backup) writeMerchants(ctx context.Context) error {
	rows, err := b.tx.ListMerchants(ctx, b.tx.HouseholdID)
	for _, m := range rows {
		if err != nil {
			return err
		}
		err = b.write("Merchant", backupMerchant{idText(m.PublicID), m.Name, ledger.OptionalText(m.Color),
			ledger.OptionalText(m.WebsiteUrl), timesOf(m.CreatedAt, m.UpdatedAt)})
	}
	return err
}

func dateText(day *int64) *string {
	if day == nil {
		return nil
	}
	return new(ledger.Date(*day).String())
}

// openingKind is the kind of valuations that opening balances are.
const openingKind = "opening_anchor"
