package export

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
)

// readCurrencies are those of the household, of its accounts and of what is booked and valued in them.
func readCurrencies(j *journal) []string {
	codes := map[string]bool{j.home.Currency: true}
	for _, a := range j.accounts {
		for _, code := range slices.Concat([]string{a.currency.Code}, a.foreign, a.valued) {
			codes[code] = true
		}
	}
	return slices.Sorted(maps.Keys(codes))
}

// declareCurrency says how many decimals a currency has, once.
func declareCurrency(j *journal, code string) {
	if j.declared[code] {
		return
	}
	j.declared[code] = true
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	fmt.Fprintf(j.w, "commodity 1.%s %s\n", strings.Repeat("0", currency.Exponent), code)
}

// counterAccounts are the other accounts of entries: the journal's own and those of categories.
func counterAccounts(j *journal) []string {
	own := []string{journalTransfers, journalValuations, journalSplits, journalDividends, journalInterest, journalFees,
		journalIncome, journalExpense}
	for i, name := range own {
		own[i] = j.form.own(name)
	}
	return slices.Concat(own, slices.Sorted(maps.Values(j.categories)))
}

// journalPricePlaces is how many decimals a price has that a split divides and that does not come out even.
const journalPricePlaces = 30

// eachPrice gives the prices of a security from its first trade on: one for every day on which it has another than
// before.
func eachPrice(ctx context.Context, j *journal, security int64,
	give func(day ledger.Date, price, currency string)) error {
	r := position.LineReader{Tx: j.tx, First: ledger.MinDate, Last: ledger.MaxDate}
	if err := r.ReadPrices(ctx, []position.Key{{Security: security}}); err != nil || len(r.Trades[security]) == 0 {
		return err
	}
	first := r.Trades[security][0].Day
	days := r.PriceDays(security, first, ledger.MaxDate)
	for _, s := range r.Splits[security] {
		if s.Day > first {
			days = append(days, s.Day)
		}
	}
	slices.Sort(days)
	var last [2]string
	for _, day := range slices.Compact(days) {
		quoted := r.Price(security, day)
		now := [2]string{splitPrice(&r, security, quoted, day).String(), quoted.Currency}
		if now != last {
			give(day, now[0], now[1])
		}
		last = now
	}
	return nil
}

// splitPrice is a price divided by the splits since its day. One that does not come out even is rounded up, so
// that what is worth half a minor unit stays no less.
func splitPrice(r *position.LineReader, security int64, quoted *position.QuotedPrice, day ledger.Date) decimal.Decimal {
	num, den := r.PriceFactor(security, quoted.Day, day)
	num = num.Mul(quoted.Price)
	price := num.DivRound(den, journalPricePlaces)
	if price.Mul(den).LessThan(num) {
		price = price.Add(decimal.New(1, -journalPricePlaces))
	}
	return price
}

// eachRate gives the published rates between the currencies of the books, and those with a currency through which two
// of them are converted, from the first day of the books on.
func eachRate(ctx context.Context, j *journal, give func(fx.ExchangeRate) error) error {
	if err := j.book.LoadPairs(ctx); err != nil {
		return err
	}
	for _, pair := range neededPairs(j.book.Pairs, readCurrencies(j)) {
		rates, err := j.book.Read(ctx, pair, firstDays(j), ledger.MaxDate)
		if err != nil {
			return err
		}
		for _, r := range rates {
			if err := give(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstDays is the first day of the books.
func firstDays(j *journal) ledger.Date {
	first := ledger.MaxDate
	for _, life := range j.lives {
		first = min(first, life.First)
	}
	return first
}

// neededPairs are the pairs that convert currencies into each other, directly or through a third one.
func neededPairs(pairs []fx.CurrencyPair, used []string) []fx.CurrencyPair {
	links := map[string]int{} // of a currency: to how many of the used ones it has rates, itself included
	for _, code := range used {
		links[code]++
	}
	for _, p := range pairs {
		if slices.Contains(used, p.From) {
			links[p.To]++
		}
		if slices.Contains(used, p.To) {
			links[p.From]++
		}
	}
	return slices.DeleteFunc(slices.Clone(pairs), func(p fx.CurrencyPair) bool {
		from, to := slices.Contains(used, p.From), slices.Contains(used, p.To)
		return !(from && to || from && links[p.To] >= 2 || to && links[p.From] >= 2)
	})
}
