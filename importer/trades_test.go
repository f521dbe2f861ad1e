package importer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
)

// dealt is a row of trades in one line: what was planned, or why it is left out, or the columns with issues.
func dealt(r recordpkg.Record) string {
	if r.Skipped != "" || len(r.Issues) > 0 {
		return sketch(r)
	}
	t := r.Trade()
	return fmt.Sprintf("%s %s %s %s|%s at %s fee %d cash %d %s", r.Date, t.Kind, t.Quantity, t.Ticker, t.MIC, t.Price,
		t.Fee, r.Minor, r.Currency.Code)
}

func tradeRows(t testing.TB, file, json string) []recordpkg.Record {
	t.Helper()
	in := importer.Request{Type: recordpkg.TradeImport, Settings: settings(t, json)}.Resolved()
	d := euro(t)
	d.Type = in.Type
	rows, err := table.NewRows(source.Text(file), in.Settings, d)
	if err != nil {
		t.Fatal(err)
	}
	var all []recordpkg.Record
	for row, err := rows.Next(); err == nil; row, err = rows.Next() {
		all = append(all, row)
	}
	return all
}

func TestTradeRows(t *testing.T) {
	t.Parallel()
	const header = "date,ticker,qty,price"
	for name, c := range map[string]struct{ file, settings, want string }{
		"the sign is the side": {header + "\n2026-01-02,acme,10,12.5\n2026-01-03,ACME|xfra,-4,13\n", `{}`,
			"2026-01-02 buy 10 ACME| at 12.5 fee 0 cash -12500 EUR;2026-01-03 sell 4 ACME|XFRA at 13 fee 0 cash 5200 EUR"},
		"how amounts are signed does not matter": {header + "\n2026-01-02,ACME,10,12.5\n2026-01-03,ACME,-4,13\n",
			`{"signage_convention":"inflows_negative"}`,
			"2026-01-02 buy 10 ACME| at 12.5 fee 0 cash -12500 EUR;2026-01-03 sell 4 ACME| at 13 fee 0 cash 5200 EUR"},
		"fees, rounded once": {header + ",fee\n2026-01-02,A,10,12.345,1.50\n2026-01-03,A,-3,33.335,-0.10\n2026-01-03,A,1,97.84,-0.979\n", `{}`,
			// 123.45 + 1.50; 100.005 - 0.10 = 99.905; 97.84 + 0.979 = 98.819
			"2026-01-02 buy 10 A| at 12.345 fee 150 cash -12495 EUR;2026-01-03 sell 3 A| at 33.335 fee 10 cash 9991 EUR;2026-01-03 buy 1 A| at 97.84 fee 98 cash -9882 EUR"},
		"fractions": {header + "\n2026-01-02,BTC,0.12345678,40000.50\n", `{}`, // 4938.33292839
			"2026-01-02 buy 0.12345678 BTC| at 40000.5 fee 0 cash -493833 EUR"},
		"yen": {header + ",currency\n2026-01-02,7203,3,\"1,234.5\",JPY\n", `{}`, // 3703.5
			"2026-01-02 buy 3 7203| at 1234.5 fee 0 cash -3704 JPY"},
		// 20.0038...
		"decimal commas": {"date;ticker;qty;price\n2026-01-02;A;0,76672417;26,09\n",
			`{"col_sep":";","number_format":"1.234,56"}`,
			"2026-01-02 buy 0.76672417 A| at 26.09 fee 0 cash -2000 EUR"},
		"a decimal comma among points is no group": {header + "\n2026-01-02,A,\"0,76672417\",26.09\n", `{}`,
			`1 issue qty "0,76672417"`},
		"marks of currency, parentheses": {header + ",currency\n2026-01-02,A,(2),$5,USD\n", `{}`,
			"2026-01-02 sell 2 A| at 5 fee 0 cash 1000 USD"},
		"a market of its own": {header + ",Exchange Operating MIC\n2026-01-02,A,2,5,xnas\n", `{}`,
			"2026-01-02 buy 2 A|XNAS at 5 fee 0 cash -1000 EUR"},
		"ISIN for want of a ticker": {"date,symbol,isin,quantity,price\n2026-01-02,,CH0012345678,2,5\n2026-01-02,A,CH0012345678,2,5\n", `{}`,
			"2026-01-02 buy 2 A| at 5 fee 0 cash -1000 EUR;2026-01-02 buy 2 A| at 5 fee 0 cash -1000 EUR"},
		"times of day": {header + "\n2026-01-02T13:30:10.514Z,A,1,5\n2026-01-03 23:59,A,1,5\n2026-01-04 23:59:59+02:00,A,1,5\n", `{}`,
			"2026-01-02 buy 1 A| at 5 fee 0 cash -500 EUR;2026-01-03 buy 1 A| at 5 fee 0 cash -500 EUR;2026-01-04 buy 1 A| at 5 fee 0 cash -500 EUR"},
		"words of the file": {header + ",what\n2026-01-02,A,3,5,Hin\n2026-01-03,A,1,5,her\n2026-01-04,A,1,5,Buy\n2026-01-05,A,9,1,Dividend\n",
			`{"trade_side_col_label":"what","buy_value":"hin","sell_value":"HER"}`,
			"2026-01-02 buy 3 A| at 5 fee 0 cash -1500 EUR;2026-01-03 sell 1 A| at 5 fee 0 cash 500 EUR;3 skipped no purchase or sale: Buy;4 skipped no purchase or sale: Dividend"},
		"one word of the file": {header + ",what\n2026-01-02,A,3,5,Hin\n2026-01-03,A,1,5,sold\n2026-01-03,A,1,5,her\n",
			`{"trade_side_col_label":"what","buy_value":"Hin"}`,
			`2026-01-02 buy 3 A| at 5 fee 0 cash -1500 EUR;2026-01-03 sell 1 A| at 5 fee 0 cash 500 EUR;3 issue what "her"`},
		"a side that was only found": {header + ",Type\n2026-01-02,A,-3,5,Stock\n2026-01-02,A,3,5,Dividend\n2026-01-02,A,3,5,SELL\n", `{}`,
			`1 issue Type "Stock";2 skipped no purchase or sale: Dividend;2026-01-02 sell 3 A| at 5 fee 0 cash 1500 EUR`},
		"a column of types that never speaks of trades": {header +
			",Type\n2026-01-02,A,-3,5,Stock\n2026-01-02,A,3,5,ETF\n", `{}`,
			"2026-01-02 sell 3 A| at 5 fee 0 cash 1500 EUR;2026-01-02 buy 3 A| at 5 fee 0 cash -1500 EUR"},
		"what is left out need not be right": {header + ",action\nnever,,x,y,Cash Top-Up\n", `{}`,
			"1 skipped no purchase or sale: Cash Top-Up"},
		"dividends with an amount": {header + ",action,amount\n2026-01-02,A,4200,0.80,DIVIDEND,12.34\n2026-01-02,,,,Interest,1\n2026-01-02,,,,Interest,-2\n" +
			"2026-01-02,,,,Custody fee,3\n2026-01-02,A,,,Dividend,\n2026-01-02,A,,,Reinvest Dividend,7\n2026-01-02,A,1,7,Reinvest Shares,-7\n",
			`{"amount_col_label":"amount"}`,
			"2026-01-02 dividend 0 A| at 0 fee 0 cash 1234 EUR;2026-01-02 interest 0 | at 0 fee 0 cash 100 EUR;2026-01-02 fee 0 | at 0 fee 0 cash -200 EUR;" +
				"2026-01-02 fee 0 | at 0 fee 0 cash -300 EUR;5 skipped no purchase or sale: Dividend;2026-01-02 dividend 0 A| at 0 fee 0 cash 700 EUR;" +
				"2026-01-02 buy 1 A| at 7 fee 0 cash -700 EUR"},
		"amounts the other way round": {header + ",action,amount\n2026-01-02,A,,,Dividend,-12.34\n",
			`{"amount_col_label":"amount","signage_convention":"inflows_negative"}`,
			"2026-01-02 dividend 0 A| at 0 fee 0 cash 1234 EUR"},
		"the amount says the costs": {header + ",fee,amount\n2026-01-02,A,10,5,,-51.20\n2026-01-02,A,-10,5,,48.80\n2026-01-02,A,10,5,1,50\n2026-01-02,A,10,5,1,-53\n2026-01-02,A,81.001,12.3456,,1000.00\n",
			`{"amount_col_label":"amount"}`, // 81.001 times 12.3456 is 1000.00594..., and half the price's last decimal is 0.004
			"2026-01-02 buy 10 A| at 5 fee 120 cash -5120 EUR;2026-01-02 sell 10 A| at 5 fee 120 cash 4880 EUR;2026-01-02 buy 10 A| at 5 fee 100 cash -5100 EUR;" +
				"2026-01-02 buy 10 A| at 5 fee 300 cash -5300 EUR;2026-01-02 buy 81.001 A| at 12.3456 fee 0 cash -100001 EUR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, row := range tradeRows(t, c.file, c.settings) {
				got = append(got, dealt(row))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ";")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTradeNames(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"date,ticker,qty,price\n2026-01-02,A,-2.50,5\n":                     "Sell 2.5 shares of A/",
		"date,ticker,qty,price,Asset Name\n2026-01-02,A,2,5,Acme Fund\n":    "Acme Fund/Acme Fund",
		"date,ticker,qty,price,Description\n2026-01-02,A,2,5,Order 4711\n":  "Order 4711/",
		"date,ticker,qty,price,Asset Name,notes\n2026-01-02,A,2,5,,Hello\n": "Buy 2 shares of A/",
	} {
		label := map[bool]string{true: `{"name_col_label":"Asset Name"}`, false: `{}`}[strings.Contains(file, "Asset")]
		if strings.Contains(file, "Description") {
			label = `{"name_col_label":"Description"}`
		}
		row := tradeRows(t, file, label)[0]
		if got := row.Name + "/" + row.Trade().SecurityName; got != want {
			t.Errorf("%q: got %s, want %s", file, got, want)
		}
	}
}

// TestTradeIssues has every way in which a row cannot be a trade, with what is said about it.
func TestTradeIssues(t *testing.T) {
	t.Parallel()
	const header = "date,ticker,qty,price,fee,currency,exchange_operating_mic,side,amount\n"
	for row, want := range map[string]string{
		",A,1,2,,,,Buy,":                               `1 date "" is required and must not be blank`,
		"02.01.2026,A,1,2,,,,Buy,":                     `1 date "02.01.2026" must be a date written as %Y-%m-%d, got "02.01.2026"`,
		"2026-01-02 25:00,A,1,2,,,,Buy,":               `1 date "2026-01-02 25:00" must be a date written as %Y-%m-%d, got "2026-01-02 25:00"`,
		"2026-01-02 10:00 x,A,1,2,,,,Buy,":             `1 date "2026-01-02 10:00 x" must be a date written as %Y-%m-%d, got "2026-01-02 10:00 x"`,
		"2026-01-02,,1,2,,,,Buy,":                      `1 ticker "" is required and must not be blank`,
		"2026-01-02,A|XNASDAQ,1,2,,,,Buy,":             `1 ticker "A|XNASDAQ" must name a market by its four letters or digits such as XNAS, got "XNASDAQ"`,
		"2026-01-02,A,,2,,,,Buy,":                      `1 qty "" is required and must not be blank`,
		"2026-01-02,A,0,2,,,,Buy,":                     `1 qty "0" must not be 0`,
		"2026-01-02,A,-1,2,,,,Buy,":                    `1 qty "-1" must not be negative for a purchase, got "-1"`,
		"2026-01-02,A,ten,2,,,,Buy,":                   `1 qty "ten" must be a number written as 1,234.56, got "ten"`,
		"2026-01-02,A,EUR 1,2,,,,Buy,":                 `1 qty "EUR 1" must be a number of units without a currency, got "EUR 1"`,
		"2026-01-02,A,1.0000000000000000001,2,,,,Buy,": `1 qty "1.0000000000000000001" must have at most 18 decimals, got 1.0000000000000000001`,
		"2026-01-02,A,1,,,,,Buy,":                      `1 price "" is required and must not be blank`,
		"2026-01-02,A,1,-2,,,,Buy,":                    `1 price "-2" must be greater than 0, got -2`,
		"2026-01-02,A,1,$ 2 EUR x,,,,Buy,":             `1 price "$ 2 EUR x" must be a number written as 1,234.56, got "$ 2 EUR x"`,
		"2026-01-02,A,1,USD 2,,,,Buy,":                 `1 price "USD 2" must be a number in EUR, the currency of the row, got "USD 2"`,
		"2026-01-02,A,1,$2,,,,Buy,":                    `1 price "$2" must be a number in EUR, the currency of the row, got "$2"`,
		"2026-01-02,A,1,2,£1,,,Buy,":                   `1 fee "£1" must be a number in EUR, the currency of the row, got "£1"`,
		"2026-01-02,A,$1,2,,,,Buy,":                    `1 qty "$1" must be a number of units without a currency, got "$1"`,
		"2026-01-02,A,1,2,much,,,Buy,":                 `1 fee "much" must be a number written as 1,234.56, got "much"`,
		"2026-01-02,A,1,2,,EUX,,Buy,":                  `1 currency "EUX" must be an ISO 4217 code such as EUR, got "EUX"`,
		"2026-01-02,A,1,2,,,NASDAQ,Buy,":               `1 exchange_operating_mic "NASDAQ" must name a market by its four letters or digits such as XNAS, got "NASDAQ"`,
		"2026-01-02,A,1,2,,,,Exercised,":               `1 side "Exercised" must say whether this is a purchase or a sale, such as Buy or Sell: give buy_value and sell_value; got "Exercised"`,
		"2026-01-02,A,1,2,,,,,":                        `1 side "" must say whether this is a purchase or a sale, such as Buy or Sell: give buy_value and sell_value; got ""`,
		"2026-01-02,A,10,50,,,,Buy,-460":               `1 amount "-460" must be quantity times price, which is 500, or that with the fee, got "-460"`,
		"2026-01-02,A,10,50,,,,Sell,540":               `1 amount "540" must be quantity times price, which is 500, or that with the fee, got "540"`,
		"2026-01-02,A,10,50,,,,Buy,1000.01":            `1 amount "1000.01" must be quantity times price, which is 500, or that with the fee, got "1000.01"`,
		"2026-01-02,A,10,50,,,,Buy,a lot":              `1 amount "a lot" must be a number written as 1,234.56, got "a lot"`,
		"2026-01-02,,,,,,,Dividend,5":                  `1 ticker "" is required and must not be blank`,
		"2026-01-02,A,,,,,,Dividend,-5":                `1 amount "-5" must be money in for a dividend, got "-5"`,
		",A,,,,,,Dividend,5":                           `1 date "" is required and must not be blank`,
		"2026-01-02,,,,,,,Fee,0.00":                    `1 amount "0.00" must not be 0`,
		"2026-01-02,A,,,,,,Dividend,x":                 `1 amount "x" must be a number written as 1,234.56, got "x"`,
	} {
		got := tradeRows(t, header+row+"\n", `{"trade_side_col_label":"side","amount_col_label":"amount"}`)[0]
		if text := issues(got.Issues); text != want {
			t.Errorf("%s: got %s\nwant %s", row, text, want)
		}
	}
}

func TestTradeFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"date,qty,price\n":                "has no column for the ticker: give ticker_col_label",
		"date,ticker,price\n":             "has no column for the qty: give qty_col_label",
		"date,ticker,qty\n":               "has no column for the price: give price_col_label",
		"ticker,qty,price\n":              "has no column for the date: give date_col_label",
		"date,ticker,ticker,qty,price\n":  `has 2 columns named "ticker"`,
		"date,ticker,qty,price,Qty,fee\n": `has 2 columns named "qty"`,
	} {
		d := euro(t)
		d.Type = recordpkg.TradeImport
		if _, err := table.NewRows(source.Text(file), recordpkg.Settings{}, d); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", file, err, want)
		}
	}
	for json, field := range map[string]string{
		`{"allow_short":"maybe"}`:              "allow_short",
		`{"buy_value":"X","sell_value":" x "}`: "sell_value",
	} {
		if problems := settings(t, json).Check(); len(problems) != 1 || problems[0].Field != field {
			t.Errorf("%s: %v", json, problems)
		}
	}
}

// TestTradePhrases has what brokers write of their rows.
func TestTradePhrases(t *testing.T) {
	t.Parallel()
	for want, list := range map[string]string{
		"buy": `Buy|BUY|B|bot|Bought|You bought|BUY - MARKET|Market buy|Limit buy|Buy to open|Buy to cover|Cover|Short cover|Purchase|Kauf|K|Wertpapierkauf|Fondskauf|
			Sparplanausführung|Achat|ACHAT COMPTANT|Compra|Acquisto|Koop|Aankoop|Köp|Køb|Kjøp|Kjøpt|Osto|Kupno|Zakup|Nákup|Vétel|Alış|Покупка|Αγορά|买入|買付|매수|شراء|
			Souscription|Cumpărare|Reinvest|REINVESTMENT|Reinvest Shares|Dividend Reinvestment|Wiederanlage`,
		"sell": `Sell|SELL|S|sld|Sold|You sold|SELL - MARKET|Market sell|Sell to close|Sell to cover|Sell short|Short sale|Short|Sale|Verkauf|V|Wertpapierverkauf|
			Vente|Venta|Venda|Vendita|Verkoop|Sälj|Såld|Salg|Solgt|Myynti|Sprzedaż|Prodej|Eladás|Satış|Продажа|Πώληση|卖出|売却|매도|بيع|Redemption|Rachat`,
		"no": `Dividend|DIVIDEND|Dividende|Cash dividend|Dividendo|Ausschüttung|Utdelning|配当金|Interest|Interests|Zinsen|Habenzinsen|Intérêts|Intereses|Fee|Custody Fees|
			CUSTODY FEE|Gebühr|Frais|Commission|Deposit|Withdrawal|CASH TOP-UP|CASH WITHDRAWAL|Einzahlung|Auszahlung|Transfer|TRANSFER FROM A TO B|Depotübertrag|
			STOCK SPLIT|STOCK_SPLIT|Spin-off|Merger|Forex credit|Forex debit|Debit|Tax on dividend|Quellensteuer|Staking reward|Journal|Virement|Short Term Cap Gain|Dividend U.S.`,
		"unsaid": `Exercised|Buy fee|Sell, cancelled|Storno Kauf|Rückkauf|Buy/Sell|Tuesday|4711|Expired`,
	} {
		for phrase := range strings.SplitSeq(list, "|") {
			phrase = strings.TrimSpace(phrase)
			row := tradeRows(t, "date;ticker;qty;price;side\n2026-01-02;A;4;5;"+phrase+"\n",
				`{"col_sep":";","trade_side_col_label":"side"}`)[0]
			got := row.Trade().Kind
			switch {
			case row.Skipped != "":
				got = "no"
			case got == "" || len(row.Issues) > 0:
				got = "unsaid"
			}
			if got != want {
				t.Errorf("%s: got %s, want %s", phrase, got, want)
			}
		}
	}
}

// TestIncomePhrases has what brokers write of income and of its costs, in a file that says what each came to.
func TestIncomePhrases(t *testing.T) {
	t.Parallel()
	for want, list := range map[string]string{
		"dividend": `Dividend|Cash Dividend|Dividend Cash|Dividend Credit|Dividend (Ordinary)|Qualified Dividend|Dividend deposit|Dividend payment|Payment in lieu of dividend|
			Dividende en espèces|Bardividende|Dividendengutschrift|Gutschrift Dividende|Ertragsgutschrift|Ausschüttung|Dividendo en efectivo|Abono dividendo|Dividendo in contanti|
			Accredito dividendi|Contante dividend|Kontantutdelning|Utdelning|Dywidenda pieniężna|Pénzbeli osztalék|Osinko|Osingot|Temettü|現金配当|现金红利|배당금 입금|Dividend on stock|
			CASH DIV ON 100 SHS|Distribution credit`,
		"interest": `Interest|Credit Interest|Interest Credit|CREDIT INTEREST|Interest payment|Interest deposit|Cash interest|Zinsen|Habenzinsen|Guthabenzinsen|Zinsgutschrift|Gutschrift Zinsen|
			Intérêts créditeurs|Intereses abono|Interessi attivi|Accredito interessi|Juros|Creditrente|Rente|Ränta|Korko|Odsetki|Kamata|Coupon|Couponzahlung|Cedola|利息|이자 입금|Bond coupon credit`,
		"owed interest": `Debit Interest|Interest debit|Margin interest|Interest on margin|Sollzinsen|Zinsen Soll|Kreditzinsen|Zinsbelastung|Intérêts débiteurs|Interessi passivi|Intereses deudores|
			Juros devedores|Debetrente|Debetränta|Negative interest|Negativzinsen|Overdraft interest|Interest charged`,
		"fee": `Interest charge|Custody fee|Dividend fee|ADR fee|Depotgebühr`,
		"left": `Dividend tax|Tax on dividend|Withholding tax on interest|Dividendensteuer|Ausschüttungssteuer|Kapitalertragsteuer|Quellensteuer auf Dividende|Impôt sur dividende|配当税|
			Stock dividend|Scrip Dividend|Dividende en actions|Dividendo en acciones|Aktiendividende|Credit|Debit|Cash|Cash deposit|Payment|Gutschrift|Deposit|Withdrawal|Forex credit`,
		"asked": `Dividend reversal|Reversed dividend|Storno Dividende|Dividendo annullato|Interest correction|Cancelled dividend credit`,
	} {
		for phrase := range strings.SplitSeq(list, "|") {
			phrase = strings.TrimSpace(phrase)
			row := tradeRows(t, "date;ticker;qty;price;side;amount\n2026-01-02;A;;;"+phrase+";5\n",
				`{"col_sep":";","trade_side_col_label":"side","amount_col_label":"amount"}`)[0]
			got := row.Trade().Kind
			switch {
			case row.Skipped != "":
				got = "left"
			case len(row.Issues) > 0:
				got = "asked"
			case got == "fee" && row.Minor != -500:
				t.Errorf("%s: got %d, want -500", phrase, row.Minor)
			case row.Trade().Label == "Interest":
				got = "owed interest"
			}
			if got != want {
				t.Errorf("%s: got %s, want %s", phrase, got, want)
			}
		}
	}
}

// FuzzTradeRows holds the reader to what every trade must obey.
func FuzzTradeRows(f *testing.F) {
	f.Add("date,ticker,qty,price,fee\n2026-01-02,A,10,12.345,1.50\n", `{}`)
	f.Add("date;isin;qty;price;side;amount\n02.01.2026 13:00;CH0012345678;-0,5;(3);Verkauf;1,5\n",
		`{"col_sep":";","number_format":"1.234,56","date_format":"%d.%m.%Y","trade_side_col_label":"side","amount_col_label":"amount"}`)
	f.Add("date,symbol,quantity,price,action\n2026-01-02,A,10,$5,Dividend\n2026-01-02,A,1,5,Reinvest\n",
		`{"allow_short":"false"}`)
	f.Fuzz(func(t *testing.T, file, given string) {
		var s recordpkg.Settings
		if json.Unmarshal([]byte(given), &s) != nil {
			t.Skip()
		}
		in := importer.Request{Type: recordpkg.TradeImport, Settings: s}.Resolved()
		d := euro(t)
		d.Type = in.Type
		rows, err := table.NewRows(source.Text(file), in.Settings, d)
		if err != nil {
			return
		}
		for row, err := rows.Next(); err == nil; row, err = rows.Next() {
			if row.Planned() {
				checkTrade(t, row)
			}
		}
	})
}

func checkTrade(t *testing.T, row recordpkg.Record) {
	t.Helper()
	d := row.Trade()
	total := d.Quantity.Mul(d.Price).Add(row.Currency.Decimal(d.Fee)).Neg()
	switch d.Kind {
	case "sell":
		total = d.Quantity.Mul(d.Price).Sub(row.Currency.Decimal(d.Fee))
	case "dividend", "interest":
		total = row.Currency.Decimal(max(row.Minor, 1))
	case "fee":
		total = row.Currency.Decimal(min(row.Minor, -1))
	}
	if d.Quantity.IsNegative() || d.Fee < 0 || d.Kind == "" || row.Name == "" {
		t.Errorf("planned %+v %+v", row, d)
	}
	if off := row.Currency.Decimal(row.Minor).Sub(total).Abs(); off.GreaterThan(row.Currency.Decimal(1).Div(decimal.NewFromInt(2))) {
		t.Errorf("cash is %d, off by %s: %+v", row.Minor, off, d)
	}
}
