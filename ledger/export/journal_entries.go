package export

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// journalMoney is an amount as it was booked and as the account counts it. Without a rate the two are the same,
// and it lies in an account of its own.
type journalMoney struct {
	account         string // where it lies
	booked, counted int64  // minor units, into the account positive
	from, to        money.Currency
	stale           fx.StaleRates // by which it was converted
}

// money books an amount into an account. What is booked in another currency is converted by the sum of the day,
// as balances do, so an entry counts by how much it changes that sum.
func (j *journal) money(ctx context.Context, a *journalAccount, minor int64, code string) (journalMoney, error) {
	m := journalMoney{account: a.name, booked: minor, counted: minor, from: a.currency, to: a.currency}
	if code == a.currency.Code {
		a.cash.Add(minor)
		return m, nil
	}
	m.from, _ = money.LookupCurrency(code) // what is stored was looked up
	key := rollup.DayKey{Account: a.key, Date: j.day, Currency: code}
	sum := j.converted[key]
	booked, fits := money.AddMinor(sum.booked, minor)
	var counted fx.Conversion
	if fits && !j.beyond[key] {
		var err error
		counted, err = j.book.Convert(ctx, booked, m.from, m.to, j.day)
		if err != nil {
			return m, err
		}
	}
	by, fits := money.SubMinor(counted.Minor, sum.counted)
	if !counted.Known || !fits {
		a.unconverted[code] = a.unconverted[code].Plus(money.SumOf(minor))
		m.account, m.to = a.unconvertedName, m.from
		return m, nil
	}
	m.counted = by
	m.stale = m.stale.With(code, a.currency.Code, j.day, counted)
	a.cash.Add(by)
	j.converted[key] = dayMoney{booked, counted.Minor}
	return m, nil
}

// other is the opposite of the money: as it was booked, at what the account counts.
func (m journalMoney) other() string {
	text := amountText(-m.booked, m.from)
	if m.from != m.to {
		text += m.cost()
	}
	return text
}

// cost is the price of something that was paid with the money, as all forms of journals write it.
func (m journalMoney) cost() string {
	return " @@ " + strings.TrimPrefix(amountText(m.counted, m.to), "-")
}

func amountText(minor int64, c money.Currency) string { return c.Plain(minor) + " " + c.Code }

func amountSumText(s money.Sum, c money.Currency) string { return c.PlainSum(s) + " " + c.Code }

// journalEntry is what is booked at once. The amounts of the postings add up to nothing.
type journalEntry struct {
	merchant, name string // no merchant is blank
	notes          string
	stale          fx.StaleRates
	postings       []journalPosting
}

// journalPosting is what an account gets: an amount with its currency or commodity and perhaps a price. Asserted is
// what it then has, blank when that is not known to the reader; remark is what the posting is for.
type journalPosting struct{ account, amount, asserted, remark string }

// begin begins an entry; end writes it.
func (j *journal) begin(merchant, name string, notes *string) {
	j.entry = journalEntry{merchant: merchant, name: name, notes: ledger.OrBlank(notes), postings: j.entry.postings[:0]}
}

func (j *journal) post(account, amount string) {
	j.entry.postings = append(j.entry.postings, journalPosting{account: account, amount: amount})
}

// assert posts what makes an account's amount what it must be then.
func (j *journal) assert(account string, by, then money.Sum, c money.Currency) {
	j.entry.postings = append(j.entry.postings, journalPosting{account: account, amount: amountSumText(by, c),
		asserted: amountSumText(then, c)})
	j.post(j.form.own(journalValuations), amountSumText(money.Sum{}.Minus(by), c))
}

func (j *journal) end() error {
	j.form.entry(j, j.entry)
	return j.err
}

// write keeps its error until the entry is whole.
func (j *journal) write(texts ...string) {
	for _, text := range texts {
		if _, err := j.w.WriteString(text); err != nil {
			j.err = err
		}
	}
}

func (j *journal) writeTransaction(ctx context.Context, t queries.ListJournalTransactionsRow) error {
	m, err := j.money(ctx, j.accounts[t.AccountID], t.Amount, t.Currency)
	if err != nil {
		return err
	}
	j.begin(j.merchant(t.MerchantID), t.Name, t.Notes)
	j.entry.stale = m.stale
	j.post(m.account, amountText(m.counted, m.to))
	j.postCounters(t, m)
	j.counts.Transactions++
	return j.end()
}

// merchant is the name of one; blank without.
func (j *journal) merchant(key *int64) string {
	if key == nil || j.tx.Refs.Merchants.ByKey[*key] == nil {
		return ""
	}
	return j.tx.Refs.Merchants.ByKey[*key].Name
}

// counter is the other account of a transaction.
func (j *journal) counter(t queries.ListJournalTransactionsRow) string {
	switch {
	case t.TransferID != nil:
		return j.form.own(journalTransfers)
	case t.CategoryID != nil:
		return j.categories[*t.CategoryID]
	case t.Amount > 0:
		return j.form.own(journalIncome)
	}
	return j.form.own(journalExpense)
}

// writeTrade writes what is traded at the price paid for it, and the fee by itself.
func (j *journal) writeTrade(ctx context.Context, t queries.ListJournalTradesRow) error {
	a := j.accounts[t.AccountID]
	gross, err := j.money(ctx, a, t.Amount+t.Fee, t.Currency)
	if err != nil {
		return err
	}
	fee, err := j.money(ctx, a, -t.Fee, t.Currency)
	if err != nil {
		return err
	}
	j.begin("", t.Name, t.Notes)
	j.entry.stale = gross.stale
	j.post(gross.account, amountSumText(money.SumOf(gross.counted, fee.counted), gross.to))
	if err := postTraded(j, a, t, gross); err != nil {
		return err
	}
	if t.Fee != 0 {
		j.post(j.form.own(journalFees), fee.other())
	}
	j.counts.Trades++
	return j.end()
}

// postTraded posts what the money is for.
func postTraded(j *journal, a *journalAccount, t queries.ListJournalTradesRow, gross journalMoney) error {
	quantity, err := decimal.NewFromString(t.Quantity)
	switch {
	case err != nil:
		return err
	case !quantity.IsZero():
		holding := a.holdings[*t.SecurityID]
		holding.quantity = holding.quantity.Add(quantity)
		j.post(holding.name, quantity.String()+" "+j.symbols[*t.SecurityID]+gross.cost())
	case t.CategoryID != nil:
		j.post(j.categories[*t.CategoryID], gross.other())
	default:
		j.post(j.form.own(tradeCounter(t.Kind)), gross.other())
	}
	return nil
}

// tradeCounter is the other account of a trade that has no category and moves no quantity.
func tradeCounter(kind string) string {
	switch kind {
	case "dividend":
		return journalDividends
	case "interest":
		return journalInterest
	}
	return journalFees
}

// writeValuation makes an account's total what was stated: the cash is what the holdings leave of it, and
// nothing remains that has no rate.
func (j *journal) writeValuation(ctx context.Context, name string, a *journalAccount, total int64) error {
	held, err := heldValue(ctx, j, a)
	if err != nil {
		return err
	}
	j.begin("", name, nil)
	cash := money.SumOf(total).Minus(held)
	j.assert(a.name, cash.Minus(a.cash), cash, a.currency)
	a.cash = cash
	for _, code := range slices.Sorted(maps.Keys(a.unconverted)) {
		currency, _ := money.LookupCurrency(code)
		j.assert(a.unconvertedName, money.Sum{}.Minus(a.unconverted[code]), money.Sum{}, currency)
	}
	clear(a.unconverted)
	j.counts.Valuations++
	return j.end()
}

// heldValue is what an account's holdings are worth at the end of the day, in its currency, as far as there
// are rates.
func heldValue(ctx context.Context, j *journal, a *journalAccount) (total money.Sum, err error) {
	for _, code := range a.valued {
		// only the one in force
		levels, err := position.ReadLevels(ctx, j.tx, position.ValueKey{Account: a.key, Currency: code}, j.day+1, j.day)
		if err != nil {
			return total, err
		}
		from, _ := money.LookupCurrency(code) // what is stored was looked up
		for _, value := range levels {
			converted, err := j.book.Convert(ctx, value, from, a.currency, j.day)
			if err != nil {
				return total, err
			}
			total.Add(converted.Minor)
		}
	}
	return total, nil
}
