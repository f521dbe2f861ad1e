package trade

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/transfer"
)

// createPayment books a deposit or withdrawal: a transaction of the account, in or out, or with a counter-account
// a transfer between the two.
func (s *Service) createPayment(ctx context.Context, tx *ledger.Tx, in Input, kind string) (Booked, error) {
	_, account, err := in.account(tx.Refs)
	if err != nil {
		return Booked{}, err
	}
	counter := in.counterAccount(tx.Refs, account)
	// Accounts are nil when they are not known.
	in.Problems.Take("amount", in.Amount, new(decimal.Decimal), checkAmount)
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
	own := entry.TransactionInput{AccountID: in.AccountID, Date: in.Date, Amount: in.Amount,
		AmountIsNumber: in.AmountIsNumber, Nature: ledger.Some(nature), Name: ledger.Some(title),
		Notes: in.Notes, CategoryID: in.CategoryID, Problems: in.Problems}
	if given(in.Currency) != "" {
		own.Currency = in.Currency
	}
	var opposite entry.TransactionInput
	reason := "booked as a " + kind + " with a counter-account"
	if counter != nil && account != nil && len(own.Problems) == 0 {
		var stale fx.StaleRates
		opposite, stale, err = in.counterPayment(ctx, fx.NewRateBook(tx.Queries), kind, account, counter,
			&own.Problems)
		if err != nil {
			return Booked{}, err
		}
		for _, rate := range stale {
			reason += fmt.Sprintf(", at a rate from %s to %s of %s, %d days old", rate.From, rate.To, rate.RateDate,
				rate.Days())
		}
	}
	t, _, err := s.Entries.CreateTransactionTx(ctx, tx, own)
	if err != nil || counter == nil {
		return Booked{Transaction: &t}, err
	}
	other, _, err := s.Entries.CreateTransactionTx(ctx, tx, opposite)
	if err != nil {
		return Booked{}, err
	}
	return s.joinPayment(ctx, tx, kind, reason, t.ID, other.ID)
}

func (s *Service) joinPayment(ctx context.Context, tx *ledger.Tx, kind, reason string, own, opposite int64) (Booked,
	error) {
	inflow, outflow := own, opposite
	if kind == typeWithdrawal {
		inflow, outflow = opposite, own
	}
	joined, err := s.Transfers.JoinTransfer(ctx, tx, inflow, outflow, transfer.TransferConfirmed, reason)
	if err != nil {
		return Booked{}, err
	}
	transfer, err := transfer.GetTransfer(ctx, tx, uuid.UUID(joined.PublicID))
	return Booked{Transfer: &transfer}, err
}

// counterAccount is where the money comes from or goes to; nil when there is none, or one that cannot be, which
// is noted.
func (in *Input) counterAccount(refs *ledger.Refs, account *ledger.AccountRef) *ledger.AccountRef {
	key := in.Problems.Reference("transfer_account_id", in.TransferAccountID, refs.Accounts.Keys)
	if key == nil {
		return nil
	}
	counter := refs.Accounts.ByKey[*key]
	if counter == account {
		in.Problems.Add("transfer_account_id", "must be that of another account than account_id")
	}
	return counter
}

// counterPayment is the opposite transaction of the counter-account, in its currency at the rate of the day, which may
// be stale.
func (in *Input) counterPayment(ctx context.Context, book *fx.RateBook, kind string, account,
	counter *ledger.AccountRef, p *ledger.Problems) (entry.TransactionInput, fx.StaleRates, error) {
	nature := "outflow"
	if kind == typeWithdrawal {
		nature = "inflow"
	}
	_, title := transferTitles(kind, account, counter)
	if name := in.name(); name != "" {
		title = name
	}
	amount, stale, err := in.counterAmount(ctx, book, account, counter, p)
	return entry.TransactionInput{AccountID: in.TransferAccountID, Date: in.Date, Amount: ledger.Some(amount),
		Nature: ledger.Some(nature), Name: ledger.Some(title),
		Currency: ledger.Some(counter.Currency)}, stale, err
}

// counterAmount is what the amount is in the currency of the counter-account. What is wrong with
// amount, currency or day in itself is noted elsewhere.
func (in *Input) counterAmount(ctx context.Context, book *fx.RateBook, account, counter *ledger.AccountRef,
	p *ledger.Problems) (decimal.Decimal, fx.StaleRates, error) {
	from := in.currency(account)
	to, _ := money.LookupCurrency(counter.Currency) // what is stored was looked up
	minor, err := from.Minor(from.Meant(in.Amount.Value, in.AmountIsNumber))
	if from.Code == "" || err != nil || minor == 0 || !in.Date.Has() {
		return decimal.Zero, nil, nil
	}
	converted, err := book.Convert(ctx, minor, from, to, in.Date.Value)
	switch {
	case err != nil:
	case !converted.Known:
		p.Add("transfer_account_id", "is that of an account in %s, for which there is no rate of %s at all on or before %s", to.Code, from.Code, in.Date.Value)
	case converted.Minor == 0:
		p.Add("amount", "must be worth something in %s as well, got %s %s", to.Code, from.Plain(minor), from.Code)
	}
	return to.Decimal(converted.Minor), fx.StaleRates{}.With(from.Code, to.Code, in.Date.Value, converted), err
}

// transferTitles name the two sides of a transfer, each by the account at its other end.
func transferTitles(kind string, account, counter *ledger.AccountRef) (own, opposite string) {
	switch {
	case kind == typeDeposit:
		return paymentTitle("Transfer from ", counter), paymentTitle("Transfer to ", account)
	case counter.Sign() < 0: // it pays back a debt
		return paymentTitle("Payment to ", counter), paymentTitle("Payment from ", account)
	}
	return paymentTitle("Transfer to ", counter), paymentTitle("Transfer from ", account)
}

// paymentTitle ends in the name of an account and is cut to what a name may have.
func paymentTitle(words string, account *ledger.AccountRef) string {
	if account == nil {
		return words
	}
	runes := []rune(words + account.Name)
	return string(runes[:min(len(runes), ledger.MaxName)])
}
