package reconcile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// recordLine is what a line of a backup may have, as far as balances need it.
type recordLine struct {
	Type string `json:"type"`
	Data struct {
		ID             string          `json:"id"`
		AccountID      string          `json:"account_id"`
		SecurityID     *string         `json:"security_id"`
		Classification string          `json:"classification"`
		Date           string          `json:"date"`
		Undated        bool            `json:"undated"`
		Amount         string          `json:"amount"`
		Currency       string          `json:"currency"`
		Quantity       decimal.Decimal `json:"qty"`
		Price          decimal.Decimal `json:"price"`
		Numerator      int64           `json:"numerator"`
		Denominator    int64           `json:"denominator"`
	} `json:"data"`
}

// ReadRecords adds up a backup. It has no exchange rates, as these belong to no household; so they come from the books.
func ReadRecords(in io.Reader, rates []fx.ExchangeRate) (*Books, error) {
	r := newBooks()
	for _, rate := range rates {
		r.rates.add(rate)
	}
	return r, eachLine(in, func(text string) error {
		var line recordLine
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			return err
		}
		switch line.Type {
		case "Account":
			return r.recordAccount(line)
		case "Transaction", "Trade":
			return r.recordEntry(line)
		case "Valuation":
			return r.recordValuation(line)
		case "SecuritySplit", "SecurityPrice":
			return r.recordMarket(line)
		}
		return nil
	})
}

func (r *Books) recordAccount(line recordLine) error {
	currency, known := money.LookupCurrency(line.Data.Currency)
	if !known {
		return fmt.Errorf("currency must be a code, got %s", ledger.Quote(line.Data.Currency))
	}
	sign := decimal.New(1, 0)
	if line.Data.Classification == "liability" {
		sign = sign.Neg()
	}
	r.open(line.Data.ID, currency, sign)
	return nil
}

// recordEntry books a transaction or a trade; the amount is positive when money leaves the account.
func (r *Books) recordEntry(line recordLine) error {
	a, errAccount := r.account(line.Data.AccountID)
	day, errDay := ledger.ParseDate(line.Data.Date)
	amount, errAmount := decimal.NewFromString(line.Data.Amount)
	if err := errors.Join(errAccount, errDay, errAmount); err != nil {
		return err
	}
	if d := line.Data; line.Type == "Trade" && d.SecurityID != nil && !d.Quantity.IsZero() {
		a.trade(day, *d.SecurityID, d.Quantity)
		r.paid(*d.SecurityID, day, d.Quantity, d.Price, d.Currency)
	}
	return a.book(day, amount.Neg().String(), line.Data.Currency)
}

// recordValuation states a sum, in the sign in which people write it.
func (r *Books) recordValuation(line recordLine) error {
	a, errAccount := r.account(line.Data.AccountID)
	day, errDay := ledger.ParseDate(line.Data.Date)
	_, minor, errAmount := readAmount(line.Data.Amount, line.Data.Currency)
	if err := errors.Join(errAccount, errDay, errAmount); err != nil {
		return err
	}
	if line.Data.Undated {
		day = ledger.MinDate - 1 // before all others
	}
	minor = minor.Mul(a.sign)
	d := a.on(day)
	d.states, d.total = true, &minor
	return nil
}

func (r *Books) recordMarket(line recordLine) error {
	d := line.Data
	day, err := ledger.ParseDate(d.Date)
	switch {
	case err != nil:
		return err
	case d.SecurityID == nil:
		return fmt.Errorf("a %s names no security", line.Type)
	case line.Type == "SecurityPrice":
		return r.quote(*d.SecurityID, day, d.Price.String(), d.Currency)
	}
	r.splits[*d.SecurityID] = append(r.splits[*d.SecurityID],
		splitOn{day, decimal.New(d.Numerator, 0), decimal.New(d.Denominator, 0)})
	return nil
}
