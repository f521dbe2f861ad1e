package ledger

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// createPayment books a deposit or withdrawal: a transaction of the account, in or out, or with a counter-account
// a transfer between the two.
func (l *Ledger) createPayment(ctx context.Context, q *queries.Queries, who Actor, names *labels, in TradeInput, kind string) (Booked, error) {
	_, account, err := in.account(names)
	if err != nil {
		return Booked{}, err
	}
	counter := in.counterAccount(names, account)
	own := in.payment(kind, account, counter)
	var opposite TransactionInput
	reason := "booked as a " + kind + " with a counter-account"
	if counter != nil && account != nil && len(own.Problems) == 0 {
		var stale staleRates
		if opposite, stale, err = in.counterPayment(ctx, newRateBook(q), kind, account, counter, &own.Problems); err != nil {
			return Booked{}, err
		}
		for _, s := range stale {
			reason += fmt.Sprintf(", at a rate from %s to %s of %s, %d days old", s.From, s.To, s.RateDate, s.Days())
		}
	}
	t, _, err := l.createTransaction(ctx, q, who, names, own)
	if err != nil || counter == nil {
		return Booked{Transaction: &t}, err
	}
	other, _, err := l.createTransaction(ctx, q, who, names, opposite)
	if err != nil {
		return Booked{}, err
	}
	return l.joinPayment(ctx, q, who, names, kind, reason, t.ID, other.ID)
}

func (l *Ledger) joinPayment(ctx context.Context, q *queries.Queries, who Actor, names *labels, kind, reason string, own, opposite int64) (Booked, error) {
	inflow, outflow := own, opposite
	if kind == typeWithdrawal {
		inflow, outflow = opposite, own
	}
	joined, err := l.joinTransfer(ctx, q, who, inflow, outflow, TransferConfirmed, reason)
	if err != nil {
		return Booked{}, err
	}
	transfer, err := getTransfer(ctx, q, who, names, uuid.UUID(joined.PublicID))
	return Booked{Transfer: &transfer}, err
}

// counterAccount is where the money comes from or goes to; nil when there is none, or one that cannot be, which
// is noted.
func (in *TradeInput) counterAccount(names *labels, account *AccountLabel) *AccountLabel {
	key := in.Problems.reference("transfer_account_id", in.TransferAccountID, names.accounts.keys)
	if key == nil {
		return nil
	}
	counter := names.accounts.byKey[*key]
	if counter == account {
		in.Problems.Add("transfer_account_id", "must be that of another account than account_id")
	}
	return counter
}

// payment is the transaction of the account. Accounts are nil when they are not known.
func (in *TradeInput) payment(kind string, account, counter *AccountLabel) TransactionInput {
	in.Problems.take("amount", in.Amount, new(decimal.Decimal), checkAmount)
	in.refuse("fee", in.Fee, kind)
	nature, title := "inflow", paymentTitle("Deposit to ", account)
	if kind == typeWithdrawal {
		nature, title = "outflow", paymentTitle("Withdrawal from ", account)
	}
	if counter != nil {
		title, _ = transferTitles(kind, account, counter)
	}
	if name := in.name(); name != "" {
		title = name
	}
	own := TransactionInput{AccountID: in.AccountID, Date: in.Date, Amount: in.Amount, AmountIsNumber: in.AmountIsNumber, Nature: Some(nature), Name: Some(title),
		Notes: in.Notes, CategoryID: in.CategoryID, Problems: in.Problems}
	if given(in.Currency) != "" {
		own.Currency = in.Currency
	}
	return own
}

// counterPayment is the opposite transaction of the counter-account, in its currency at the rate of the day, which may be
// stale.
func (in *TradeInput) counterPayment(ctx context.Context, book *rateBook, kind string, account, counter *AccountLabel, p *Problems) (TransactionInput, staleRates, error) {
	nature := "outflow"
	if kind == typeWithdrawal {
		nature = "inflow"
	}
	_, title := transferTitles(kind, account, counter)
	if name := in.name(); name != "" {
		title = name
	}
	amount, stale, err := in.counterAmount(ctx, book, account, counter, p)
	return TransactionInput{AccountID: in.TransferAccountID, Date: in.Date, Amount: Some(amount), Nature: Some(nature), Name: Some(title),
		Currency: Some(counter.Currency)}, stale, err
}

// counterAmount is what the amount is in the currency of the counter-account. What is wrong with
// amount, currency or day in itself is noted elsewhere.
func (in *TradeInput) counterAmount(ctx context.Context, book *rateBook, account, counter *AccountLabel, p *Problems) (decimal.Decimal, staleRates, error) {
	from := in.currency(account)
	to, _ := LookupCurrency(counter.Currency) // what is stored was looked up
	minor, err := from.Minor(from.meant(in.Amount.Value, in.AmountIsNumber))
	if from.Code == "" || err != nil || minor == 0 || !in.Date.Has() {
		return decimal.Zero, nil, nil
	}
	converted, err := book.convert(ctx, minor, from, to, in.Date.Value)
	switch {
	case err != nil:
	case !converted.known:
		p.Add("transfer_account_id", "is that of an account in %s, for which there is no rate of %s at all on or before %s", to.Code, from.Code, in.Date.Value)
	case converted.minor == 0:
		p.Add("amount", "must be worth something in %s as well, got %s %s", to.Code, from.Plain(minor), from.Code)
	}
	return to.Decimal(converted.minor), staleRates{}.with(from.Code, to.Code, in.Date.Value, converted), err
}

// transferTitles name the two sides of a transfer, each by the account at its other end.
func transferTitles(kind string, account, counter *AccountLabel) (own, opposite string) {
	switch {
	case kind == typeDeposit:
		return paymentTitle("Transfer from ", counter), paymentTitle("Transfer to ", account)
	case counter.sign() < 0: // it pays back a debt
		return paymentTitle("Payment to ", counter), paymentTitle("Payment from ", account)
	}
	return paymentTitle("Transfer to ", counter), paymentTitle("Transfer from ", account)
}

// paymentTitle ends in the name of an account and is cut to what a name may have.
func paymentTitle(words string, account *AccountLabel) string {
	if account == nil {
		return words
	}
	runes := []rune(words + account.Name)
	return string(runes[:min(len(runes), MaxName)])
}
