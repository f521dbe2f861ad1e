package export

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// journalLine makes a text one line without what hledger reads as the beginning of a comment or the end of a
// symbol; signs that look alike take the place of these. Two spaces in a row would end a name.
func journalLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return '；'
		case r == '"':
			return '”'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// journalName is the same without what parts the names of accounts and makes a word in a comment a tag.
func journalName(text string) string { return strings.ReplaceAll(journalLine(text), ":", "∶") }

// namer gives each name below one parent once.
type namer map[string]bool

// name is a name, with a number behind it when it is given away already.
func (n namer) name(text string, numbered func(text string, n int) string) string {
	name := text
	for i := 2; n[name]; i++ {
		name = numbered(text, i)
	}
	n[name] = true
	return name
}

// findBeyond finds the days on which what was booked in another currency than the account's comes to no amount at the
// rate of the day: a balance leaves out all of it, so no part of it is converted.
func (j *journal) findBeyond(ctx context.Context) error {
	large, err := j.tx.ListLargeAccounts(ctx, j.tx.HouseholdID)
	if err != nil {
		return err
	}
	since := make([][2]int64, len(large))
	for i, account := range large {
		since[i] = [2]int64{account, int64(ledger.Dawn)}
	}
	foreign, err := balance.ReadForeign(ctx, j.tx, since, ledger.MaxDate)
	for account, currencies := range foreign {
		for _, of := range currencies {
			from, _ := money.LookupCurrency(of.Currency) // what is stored was looked up
			for _, d := range of.Days {
				converted, err := j.book.Convert(ctx, d.Minor, from, j.accounts[account].currency, d.Day)
				if err != nil {
					return err
				}
				if converted.Beyond {
					j.beyond[rollup.DayKey{Account: account, Date: d.Day, Currency: of.Currency}] = true
				}
			}
		}
	}
	return err
}

// nameAccounts names the accounts in the order in which they were made.
func (j *journal) nameAccounts(ctx context.Context) error {
	below := map[int64]namer{1: {}, -1: {}}
	for _, key := range slices.Sorted(maps.Keys(j.tx.Refs.Accounts.ByKey)) {
		label := j.tx.Refs.Accounts.ByKey[key]
		root := "assets"
		if label.Sign() < 0 {
			root = "liabilities"
		}
		currency, _ := money.LookupCurrency(label.Currency) // what is stored was looked up
		name := j.form.own(root) + ":" + below[label.Sign()].name(j.form.component(label.Name), j.form.numbered)
		j.accounts[key] = &journalAccount{key: key, name: name, unconvertedName: name + ":" + j.form.own("unconverted"),
			id: label.ID.String(), currency: currency,
			unconverted: map[string]money.Sum{}, holdings: map[int64]*journalHolding{}}
	}
	foreign, err := j.tx.ListForeignCurrencies(ctx, j.tx.HouseholdID)
	if err != nil {
		return err
	}
	for _, f := range foreign {
		j.accounts[f.AccountID].foreign = append(j.accounts[f.AccountID].foreign, f.Currency)
	}
	valued, err := j.tx.ListHeldCurrencies(ctx, j.tx.HouseholdID)
	for _, v := range valued {
		j.accounts[v.AccountID].valued = append(j.accounts[v.AccountID].valued, v.Currency)
	}
	return err
}

// nameCategories names the categories, those without a parent first.
func (j *journal) nameCategories(ctx context.Context) error {
	rows, err := j.tx.ListJournalCategories(ctx, j.tx.HouseholdID)
	slices.SortFunc(rows, func(a, b queries.ListJournalCategoriesRow) int {
		return cmp.Or(cmp.Compare(levelOf(a), levelOf(b)), cmp.Compare(a.ID, b.ID))
	})
	own, below := j.form.own, map[string]namer{}
	below[own("income")] = namer{own("dividends"): true, own("interest"): true, own("uncategorised"): true}
	below[own("expenses")] = namer{own("fees"): true, own("uncategorised"): true}
	for _, r := range rows {
		parent := own("income")
		if r.Classification == "expense" {
			parent = own("expenses")
		}
		if r.ParentID != nil {
			parent = j.categories[*r.ParentID]
		}
		if below[parent] == nil {
			below[parent] = namer{}
		}
		j.categories[r.ID] = parent + ":" + below[parent].name(j.form.component(r.Name), j.form.numbered)
	}
	return err
}

func levelOf(r queries.ListJournalCategoriesRow) int {
	if r.ParentID == nil {
		return 0
	}
	return 1
}

// nameSecurities gives securities their symbols: the ticker or, where that is another's or a currency's, ticker
// and market. An account's holding of a security has the symbol's name.
func (j *journal) nameSecurities(ctx context.Context) error {
	rows, err := j.tx.ListJournalSecurities(ctx, j.tx.HouseholdID)
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b queries.ListJournalSecuritiesRow) int { return cmp.Compare(a.ID, b.ID) })
	given := namer{j.form.symbol("unconverted"): true}
	for _, r := range rows {
		text := r.Ticker
		_, currency := money.LookupCurrency(text)
		if (currency || given[j.form.symbol(text)]) && r.Mic != "" {
			text += "|" + r.Mic
		} else if currency {
			text += " (security)"
		}
		symbol := given.name(j.form.symbol(text), j.form.numbered)
		j.symbols[r.ID] = j.form.quoted(symbol)
		if err := nameHoldings(ctx, j, r.ID, symbol); err != nil {
			return err
		}
	}
	return nil
}

func nameHoldings(ctx context.Context, j *journal, security int64, symbol string) error {
	lines, err := position.LinesOf(ctx, j.tx, security)
	for _, at := range lines {
		a := j.accounts[at.Account]
		a.holdings[security] = &journalHolding{name: a.name + ":" + symbol}
	}
	return err
}
