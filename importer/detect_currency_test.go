package importer_test

import (
	"strings"
	"testing"

	recordpkg "finsvc/importer/record"
)

// TestDetectCurrencies: an amount is booked with the currency that belongs to it, or that is asked.
func TestDetectCurrencies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, account, want string }{
		"the currency of the original stands before the amount": {"Date,What,Original Amount,Currency,Amount\n13/01/2026,A,-10.00,USD,-9.20\n14/01/2026,B,-5.00,EUR,-5.00\n", "EUR", "01-13 -9.20 EUR; 01-14 -5.00 EUR"},
		"no row tells whose the currency is":                    {"Date,What,Original Amount,Currency,Amount\n13/01/2026,A,-10.00,USD,-9.20\n14/01/2026,B,-5.00,USD,-4.60\n", "EUR", "currency_col_label asked"},
		"two pairs, the account's is taken": {"Date,What,Transaction amount,Transaction currency,Billing amount,Billing currency\n13/01/2026,A,-10.00,USD,-9.20,EUR\n14/01/2026,B,-5.00,EUR,-5.00,EUR\n",
			"EUR", "01-13 -9.20 EUR; 01-14 -5.00 EUR"},
		"two pairs in Russian": {"Дата;Сумма операции;Валюта операции;Сумма платежа;Валюта платежа\n13.01.2026;-10,00;USD;-900,00;RUR\n14.01.2026;500,00;RUR;500,00;RUR\n", "RUB", "01-13 -900.00 RUB; 01-14 500.00 RUB"},
		"two pairs that are headed alike": {"Date,What,Amount,Currency,Amount,Currency\n13/01/2026,A,-10.00,USD,-9.20,EUR\n14/01/2026,B,-5.00,GBP,-6.00,EUR\n", "EUR",
			"01-13 -9.20 EUR; 01-14 -6.00 EUR"},
		"two pairs of which neither is the account's": {"Date,What,Amount A,Currency A,Amount B,Currency B\n13/01/2026,A,-10.00,USD,-9.20,CHF\n14/01/2026,B,-5.00,GBP,-6.00,CHF\n", "EUR", "amount_col_label asked"},
		"two pairs, the balances add up under one": {"Date,What,Amount A,Currency A,Amount B,Currency B,Balance\n13/01/2026,A,-10.00,USD,-9.20,CHF,90.80\n14/01/2026,B,-5.00,GBP,-6.00,CHF,84.80\n15/01/2026,C,-5.00,GBP,-4.80,CHF,80.00\n",
			"EUR", "01-13 -9.20 CHF; 01-14 -6.00 CHF; 01-15 -4.80 CHF"},
		"the balances add up under the one that is called original": {"Date,What,Original Amount,Amount,Balance\n13/01/2026,A,-10.00,-9.20,90.00\n14/01/2026,B,-5.00,-4.00,85.00\n15/01/2026,C,-15.00,-14.00,70.00\n16/01/2026,C,-15.00,-14.00,55.00\n",
			"EUR", "01-13 -10.00 EUR; 01-14 -5.00 EUR; 01-15 -15.00 EUR; 01-16 -15.00 EUR"},
		"the other pair is called no amount of its own": {"Date,From,Source amount (after fees),Source currency,To,Target amount (after fees),Target currency\n2026-01-14,Ana,-12.50,EUR,Grocer,-13.50,USD\n2026-01-13,Acme,9.00,EUR,Ana,9.00,EUR\n",
			"EUR", "01-14 -12.50 EUR; 01-13 9.00 EUR"},
		"the other pair is the account's, but not called so": {"Date,What,Amount,Currency,Native Amount,Native Currency\n2026-01-14,A,-12.50,USD,-11.00,EUR\n2026-01-13,B,9.00,GBP,10.00,EUR\n", "EUR", "amount_col_label asked"},
		"crowns of an account in crowns":                     {"Date,What,Amount,Currency\n13/01/2026,A,-5.50,kr\n14/01/2026,B,2.25,€\n", "SEK", "01-13 -5.50 SEK; 01-14 2.25 EUR"},
		"crowns of nobody knows where":                       {"Date,What,Amount,Currency\n13/01/2026,A,-5.50,kr\n14/01/2026,B,2.25,€\n", "EUR", "currency_col_label asked"},
		"billed amounts beside the currency of the purchase": {"Date,What,Billing Amount,Transaction Currency\n13/01/2026,A,-5.50,USD\n14/01/2026,B,20.25,GBP\n", "GBP", "currency_col_label asked"},
		"an account of several currencies": {"Date,Name,Currency,Gross,Fee,Net,Balance\n13/01/2026,A,EUR,-10.00,0.00,-10.00,90.00\n14/01/2026,B,USD,20.00,-1.00,19.00,119.00\n15/01/2026,C,EUR,-15.00,0.00,-15.00,75.00\n", "EUR",
			"01-13 -10.00 EUR; 01-14 19.00 USD; 01-15 -15.00 EUR"},
		"old and unofficial codes": {"Date,What,Amount,Currency\n13/01/2026,A,-5.00,RUR\n14/01/2026,B,6.00,CNH\n15/01/2026,C,-7.00,NIS\n16/01/2026,D,-8.00,EUR\n", "EUR",
			"01-13 -5.00 RUB; 01-14 6.00 CNY; 01-15 -7.00 ILS; 01-16 -8.00 EUR"},
		"bitcoin by its other code": {"Date,What,Amount,Currency\n13/01/2026,A,-0.5,XBT\n14/01/2026,B,0.25,XBT\n",
			"BTC", "01-13 -0.50000000 BTC; 01-14 0.25000000 BTC"},
		"another value is another currency": {"Date,What,Amount,Currency\n13/01/2026,A,-5,BYR\n14/01/2026,B,6,BYN\n",
			"BYN",
			"01-13 -5 BYR; 01-14 6.00 BYN"},
		"signs of one currency":            {"Date,What,Amount,Currency\n13/01/2026,A,-5.50,€\n14/01/2026,B,-2.25,£\n14/01/2026,C,-3.25,zł\n14/01/2026,D,4.25,Kč\n", "EUR", "01-13 -5.50 EUR; 01-14 -2.25 GBP; 01-14 -3.25 PLN; 01-14 4.25 CZK"},
		"dollars of an account in dollars": {"Date,What,Amount,Currency\n13/01/2026,A,-5.50,$\n14/01/2026,B,2.25,€\n", "AUD", "01-13 -5.50 AUD; 01-14 2.25 EUR"},
		"dollars of nobody knows where":    {"Date,What,Amount,Currency\n13/01/2026,A,-5.50,$\n14/01/2026,B,2.25,€\n", "EUR", "currency_col_label asked"},
		"dollars that say of where":        {"Date,What,Amount,Currency\n13/01/2026,A,-5.50,US$\n14/01/2026,B,2.25,€\n", "EUR", "01-13 -5.50 USD; 01-14 2.25 EUR"},
		"dollars beside prices, account in euro": {"Date,What,Amount\n13/01/2026,A,-$5.50\n14/01/2026,B,$2.25\n", "EUR",
			"bad; bad"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(readCodesIn(t, c.file, recordpkg.TransactionImport, c.account),
				"; "); strings.ReplaceAll(got, "; asked", " asked") != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
