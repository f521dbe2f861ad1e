package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
)

// TestReinvestedIncome: where shares are bought with income that is in the file, both are booked or neither, whether
// the settings have amounts read or not.
func TestReinvestedIncome(t *testing.T) {
	t.Parallel()
	const header = "date,action,symbol,qty,price,total\n"
	for name, c := range map[string]struct{ rows, without, with string }{
		"two words for the two rows": {"2026-01-16,Reinvest Dividend,A,,,2.49\n2026-01-16,Reinvest Shares,A,0.03,83.00,-2.49\n",
			"left;left", "dividend 249;buy -249"},
		"a dividend and a reinvestment": {"2026-01-16,Cash Dividend,A,,,2.49\n2026-01-17,REINVESTMENT,A,0.03,83.00,-2.49\n",
			"left;left", "dividend 249;buy -249"},
		"the purchase comes first": {"2026-01-16,Dividend Reinvestment,A,0.03,83.00,-2.49\n2026-01-16,Dividend,A,,,2.49\n",
			"left;left", "buy -249;dividend 249"},
		"interest that is reinvested": {"2026-01-16,Interest,A,,,2.49\n2026-01-16,Reinvestment,A,0.03,83.00,2.49\n",
			"left;left", "interest 249;buy -249"},
		"income that says nothing of the security": {"2026-01-16,Dividend,,,,2.49\n2026-01-16,Reinvestment,A,0.03,83.00,2.49\n",
			"left;left", "bad;buy -249"},
		"income of another security, and of another month": {"2026-01-16,Dividend,B,,,2.49\n2025-12-16,Dividend,A,,,2.49\n2026-01-16,Reinvestment,A,0.03,83.00,-2.49\n",
			"left;left;buy -249", "dividend 249;dividend 249;buy -249"},
		"income without an amount": {"2026-01-16,Dividend,A,,,\n2026-01-16,Reinvestment,A,0.03,83.00,-2.49\n",
			"left;left", "left;left"},
		"no income in the file": {"2026-01-16,Dividend Reinvestment,A,0.03,83.00,-2.49\n", "buy -249", "buy -249"},
		"a purchase without units": {"2026-01-16,Dividend,A,,,2.49\n2026-01-16,Reinvestment,A,,,2.49\n",
			"left;left", "dividend 249;bad"},
		"a purchase without a price": {"2026-01-16,Dividend,A,,,2.49\n2026-01-16,Reinvestment,A,0.03,,2.49\n",
			"left;left", "dividend 249;bad"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := func(json string) string {
				var list []string
				for _, row := range tradeRows(t, header+c.rows, json) {
					switch {
					case row.Skipped != "":
						list = append(list, "left")
					case len(row.Issues) > 0:
						list = append(list, "bad")
					default:
						list = append(list, fmt.Sprintf("%s %d", row.Trade().Kind, row.Minor))
					}
				}
				return strings.Join(list, ";")
			}
			got := []string{read(`{"trade_side_col_label":"action"}`),
				read(`{"trade_side_col_label":"action","amount_col_label":"total"}`)}
			if diff := cmp.Diff([]string{c.without, c.with}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSecurityOfBlankTicker: a row without a ticker gets the one that other rows have with its ISIN, symbol or name,
// so that one security does not become two.
func TestSecurityOfBlankTicker(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ header, rows, settings, want string }{
		"the symbol": {"date,isin,symbol,qty,price", "2026-01-02,,ACME,1,5\n2026-01-02,US0378331005,AAPL,1,5\n",
			`{"ticker_col_label":"isin"}`, "ACME US0378331005"},
		"the name": {"date,isin,name,qty,price", "2026-01-02,,Acme Corp,1,5\n", `{"ticker_col_label":"isin"}`,
			"ACME CORP"},
		"the name of another row": {"date,isin,name,qty,price",
			"2026-01-02,,Acme  corp,1,5\n2026-01-03,US0378331005,ACME CORP,1,5\n", `{"ticker_col_label":"isin"}`,
			"US0378331005 US0378331005"},
		"by way of another row": {"date,isin,symbol,name,qty,price",
			"2026-01-02,,ACM,,1,5\n2026-01-03,,ACM,Acme,1,5\n2026-01-04,US0378331005,,ACME,1,5\n",
			`{"ticker_col_label":"isin"}`,
			"US0378331005 US0378331005 US0378331005"},
		"two classes of one name": {"date,isin,symbol,name,qty,price",
			"2026-01-02,,GOOG,Alphabet,1,5\n2026-01-03,US02079K3059,GOOGL,Alphabet,1,5\n",
			`{"ticker_col_label":"isin"}`,
			"GOOG US02079K3059"},
		"a name of two": {"date,isin,name,qty,price", "2026-01-02,,Acme,1,5\n2026-01-03,US0378331005,Acme,1,5\n2026-01-04,US02079K3059,Acme,1,5\n", `{"ticker_col_label":"isin"}`,
			`issue isin is blank, and "acme" is of several securities: "US02079K3059", "US0378331005" US0378331005 US02079K3059`},
		"a description that proves to be a name": {"date,isin,description,qty,price",
			"2026-01-02,US0378331005,Acme Inc,1,5\n2026-01-03,US0378331005,Acme Inc,1,5\n2026-01-04,,ACME INC,1,5\n",
			`{"ticker_col_label":"isin"}`, "US0378331005 US0378331005 US0378331005"},
		"a description that does not": {"date,isin,description,qty,price",
			"2026-01-02,US0378331005,Order 1,1,5\n2026-01-03,US0378331005,Order 2,1,5\n2026-01-04,,Order 1,1,5\n",
			`{"ticker_col_label":"isin"}`,
			"US0378331005 US0378331005 issue isin is required and must not be blank"},
		"nothing": {"date,isin,name,qty,price", "2026-01-02,,,1,5\n", `{"ticker_col_label":"isin"}`,
			"issue isin is required and must not be blank"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list []string
			for _, row := range tradeRows(t, c.header+"\n"+c.rows, c.settings) {
				if len(row.Issues) > 0 {
					list = append(list, "issue "+row.Issues[0].Column+" "+row.Issues[0].Message)
					continue
				}
				list = append(list, row.Trade().Ticker)
			}
			if diff := cmp.Diff(c.want, strings.Join(list, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPricesInHundredths: a price per cent or in pence is read as such where what the trades came to proves it, with
// whatever amounts the settings have read.
func TestPricesInHundredths(t *testing.T) {
	t.Parallel()
	const header = "date,side,symbol,qty,price,fee,amount\n"
	for name, c := range map[string]struct{ rows, want string }{
		"a bond":       {"2026-01-02,Buy,B,10000,98.50,,-9850.00\n", "0.985 fee 0 cash -985000"},
		"with the fee": {"2026-01-02,Buy,B,10000,98.50,9.90,-9859.90\n2026-01-02,Sell,B,5000,99,9.90,4940.10\n", "0.985 fee 990 cash -985990;0.99 fee 990 cash 494010"},
		"pence":        {"2026-01-02,Buy,B,30,1234.5,,370.35\n", "12.345 fee 0 cash -37035"},
		"among shares": {"2026-01-02,Buy,B,10000,98.50,,-9850\n2026-01-02,Buy,S,10,98.50,,-985\n",
			"0.985 fee 0 cash -985000;98.5 fee 0 cash -98500"},
		"costs in one of two":           {"2026-01-02,Buy,B,10000,98.50,,-9850\n2026-01-02,Buy,B,10000,98.50,,-9912.35\n", "0.985 fee 0 cash -985000;0.985 fee 6235 cash -991235"},
		"an amount that is the price":   {"2026-01-02,Buy,B,100,98.50,,98.50\n", "bad"},
		"about a hundredth, no proof":   {"2026-01-02,Buy,B,10000,98.50,,-9912.35\n", "bad"},
		"a hundred units of a contract": {"2026-01-02,Buy,O,1,1.20,,-120.00\n", "bad"},
		"one":                           {"2026-01-02,Buy,S,100,1,,-100\n", "1 fee 0 cash -10000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list []string
			for _, row := range tradeRows(t, header+c.rows, `{"trade_side_col_label":"side","amount_col_label":"amount"}`) {
				if len(row.Issues) > 0 {
					list = append(list, "bad")
					continue
				}
				line := dealt(row)
				list = append(list, strings.TrimSuffix(line[strings.Index(line, " at ")+4:], " EUR"))
				if hundredths := strings.HasPrefix(row.Trade().Price.String(), "0.") ||
					row.Trade().Price.String() == "12.345"; hundredths != (len(row.Remarks) == 1 && row.Warning != "") {
					t.Errorf("remarks %v, warning %q", row.Remarks, row.Warning)
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(list, ";")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDecimalsOfTrades: a price that cannot be stored is rounded and told as long as no cash depends on it, a quantity
// never.
func TestDecimalsOfTrades(t *testing.T) {
	t.Parallel()
	for figures, want := range map[string]string{
		"10,1.2345678901234":            "1.234567890123 cash -1235, price 1.2345678901234 has more decimals than can be stored: it is rounded to 1.234567890123",
		"10,1.23456789012":              "1.23456789012 cash -1235",
		"100000000000,0.0000000000014":  `bad price must have at most 12 decimals, got 0.0000000000014`,
		"1,0.0000000000001":             `bad price must have at most 12 decimals, got 0.0000000000001`,
		"1.0000000000000000001,2":       `bad qty must have at most 18 decimals, got 1.0000000000000000001`,
		"0.1000000000000000055511151,2": `bad qty must have at most 18 decimals, got 0.1000000000000000055511151`,
	} {
		row := tradeRows(t, "date,ticker,qty,price\n2026-01-02,A,"+figures+"\n", `{}`)[0]
		got := row.Trade().Price.String() + " cash " + strings.ReplaceAll(row.Currency.Plain(row.Minor), ".", "")
		if len(row.Issues) > 0 {
			got = "bad " + row.Issues[0].Column + " " + row.Issues[0].Message
		}
		if got = strings.Join(append([]string{got}, row.Remarks...), ", "); got != want {
			t.Errorf("%s: got %s, want %s", figures, got, want)
		}
	}
}

// TestRowsThatTradeNothing are left out for a reason; what has a quantity or a price is not.
func TestRowsThatTradeNothing(t *testing.T) {
	t.Parallel()
	const header = "date,action,symbol,qty,price,amount\n"
	for row, want := range map[string]string{
		"2026-01-02,Wire received,,,,100":                "left no purchase or sale: Wire received",
		"2026-01-02,Some new thing,,0,0.00,100":          "left no quantity and no price: Some new thing",
		"2026-01-02,,,-,-,":                              "left no quantity and no price: 2026-01-02 - -",
		"Transactions Total,,,,,-482.50":                 "left no date, no quantity and no price: Transactions Total -482.50",
		",Transactions Total,,,,-482.50":                 "left no date, no quantity and no price: Transactions Total",
		",Dividend,ACME,,,5":                             "left no purchase or sale: Dividend",
		"Total,,,6,,":                                    "left a sum",
		",Total,ACME,6,,-482.50":                         "left a sum",
		"The figures are provided for information only.": "left no date, no quantity and no price: The figures are provided for information only.",
		"2026-01-02,Debit card purchase,,,,-12":          "left no quantity and no price: Debit card purchase",
		"2026-01-02,Buy,ACME,,,-12":                      "bad qty",
		"2026-01-02,Buy,ACME,5,,-12":                     "bad price",
		"2026-01-02,Buy,ACME,,5,-12":                     "bad qty",
		"2026-01-02,Some new thing,ACME,5,2,10":          "bad action",
		"2026-01-02,Reverse split 1:10,ACME,-90,,":       "left no purchase or sale: Reverse split 1:10 told",
		"2026-01-02,Merger,ACME,-90,0,":                  "left no purchase or sale: Merger told",
		"2026-01-02,Spin-off,ACME,3,,":                   "left no purchase or sale: Spin-off told",
		"2026-01-02,Deposit,,1,100,100":                  "left no purchase or sale: Deposit",
	} {
		got := tradeRows(t, header+"2026-01-01,Buy,ACME,1,1,\n"+row+"\n", `{"trade_side_col_label":"action"}`)[1]
		text := "none"
		switch {
		case len(got.Issues) > 0:
			text = "bad " + got.Issues[0].Column
		case got.Skipped != "":
			text = "left " + got.Skipped
		}
		if got.Warning != "" {
			text += " told"
		}
		if text != want {
			t.Errorf("%s: got %s, want %s", row, text, want)
		}
	}
}

// TestFeesInPence: costs and income beside prices in hundredths of a currency are in what their cell, their header or
// a total says; where nothing does, the row is refused.
func TestFeesInPence(t *testing.T) {
	t.Parallel()
	const (
		fees   = `{"fee_col_label":"fee","currency":"GBP"}`
		unsaid = `fee may be in GBP or in hundredths of it, and no total of the row proves which: write the currency beside it or into its header, got "995"`
	)
	for name, c := range map[string]struct{ file, settings, want string }{
		"a mark":   {"date,symbol,qty,price,currency,fee\n2026-01-02,A,10,1234.5,GBX,995p\n2026-01-02,A,10,1234.5,GBX,GBX 995\n2026-01-02,A,-10,1234.5,GBX,£9.95\n", fees, "995 -133.40;995 -133.40;995 113.50"},
		"a header": {"date,symbol,qty,price,currency,Commission (p)\n2026-01-02,A,10,1234.5,GBX,995\n", `{"fee_col_label":"Commission (p)"}`, "995 -133.40"},
		"a header, a price in pounds": {"date,symbol,qty,price,currency,Fee GBX\n2026-01-02,A,10,12.345,GBP,995\n",
			`{"fee_col_label":"Fee GBX"}`, "995 -133.40"},
		"a header of another currency": {"date,symbol,qty,price,currency,Fee GBX\n2026-01-02,A,10,12.345,EUR,995\n",
			`{"fee_col_label":"Fee GBX"}`,
			"Fee GBX must be in EUR, the currency of the row, and is in hundredths of GBP"},
		"a header with the currency": {"date,symbol,qty,price,currency,Fee GBP\n2026-01-02,A,10,1234.5,GBX,9.95\n",
			`{"fee_col_label":"Fee GBP"}`, "995 -133.40"},
		"a total, pence":           {"date,symbol,qty,price,currency,fee,total\n2026-01-02,A,10,1234.5,GBX,995,133.40\n", `{"fee_col_label":"fee","amount_col_label":"total"}`, "995 -133.40"},
		"a total, pounds":          {"date,symbol,qty,price,currency,fee,total\n2026-01-02,A,10,1234.5,GBX,9.95,133.40\n2026-01-02,A,-10,1234.5,GBX,9.95,113.50\n", `{"fee_col_label":"fee","amount_col_label":"total"}`, "995 -133.40;995 113.50"},
		"a total that is not read": {"date,symbol,qty,price,currency,fee,net proceeds\n2026-01-02,A,10,1234.5,GBX,995,133.40\n", fees, "995 -133.40"},
		"a total without costs":    {"date,symbol,qty,price,currency,fee,total\n2026-01-02,A,10,1234.5,GBX,995,123.45\n", `{"fee_col_label":"fee","amount_col_label":"total"}`, unsaid},
		"no total":                 {"date,symbol,qty,price,currency,fee\n2026-01-02,A,10,1234.5,GBX,995\n2026-01-02,A,10,1234.5,GBX,0\n2026-01-02,B,10,12.5,GBP,9.95\n", fees, unsaid + ";0 -123.45;995 -134.95"},
		"a dividend": {"date,action,symbol,qty,price,currency,total\n2026-01-02,Dividend,A,,,GBX,250\n",
			`{"trade_side_col_label":"action","amount_col_label":"total"}`,
			`total may be in GBP or in hundredths of it, and no purchase or sale of the file proves which: write the currency beside it or into its header, got "250"`},
		"a dividend beside a purchase": {"date,action,symbol,qty,price,currency,total\n2026-01-02,Dividend,A,,,GBX,250\n2026-01-02,Buy,A,10,1234.5,GBX,123.45\n", `{"trade_side_col_label":"action","amount_col_label":"total"}`, "0 250.00;0 -123.45"},
		"a dividend with its unit":     {"date,action,symbol,qty,price,currency,total\n2026-01-02,Dividend,A,,,GBX,250p\n", `{"trade_side_col_label":"action","amount_col_label":"total"}`, "0 2.50"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list []string
			for _, row := range tradeRows(t, c.file, c.settings) {
				if len(row.Issues) > 0 {
					list = append(list, row.Issues[0].Column+" "+row.Issues[0].Message)
					continue
				}
				list = append(list, fmt.Sprintf("%d %s", row.Trade().Fee, row.Currency.Plain(row.Minor)))
			}
			if diff := cmp.Diff(c.want, strings.Join(list, ";")); diff != "" {
				t.Error(diff)
			}
		})
	}
	rows, err := table.NewRows(source.Text("date,amount,currency,Fee (p)\n2026-01-02,-12.00,GBP,150\n2026-01-02,-12.00,GBP,1.5\n"), settings(t, `{"fee_col_label":"Fee (p)","signage_convention":"inflows_positive"}`), euro(t))
	if err != nil {
		t.Fatal(err)
	}
	first, errFirst := rows.Next()
	second, errSecond := rows.Next()
	if errFirst != nil || errSecond != nil || len(first.Issues) > 0 || first.Minor != -1350 || len(second.Issues) != 1 {
		t.Errorf("a transaction: %v %d, %v", first.Issues, first.Minor, second.Issues)
	}
}

// TestPence: prices in hundredths of a currency, as a code, a mark or the header says.
func TestPence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, settings, want string }{
		"code": {"date,symbol,qty,price,currency\n2026-01-02,A,10,1234.5,GBX\n2026-01-02,B,10,5,GBP\n2026-01-02,A,-10,1234.5,GBp\n", `{}`, "12.345 -123.45 GBP;5 -50.00 GBP;12.345 123.45 GBP"},
		"rand": {"date,symbol,qty,price,currency\n2026-01-02,A,10,1234.5,ZAc\n", `{}`, "12.345 -123.45 ZAR"},
		"beside": {"date,symbol,qty,price\n2026-01-02,A,10,1234.5p\n2026-01-02,A,10,GBX 200\n2026-01-02,A,10,£3\n",
			`{"currency":"GBP"}`, "12.345 -123.45 GBP;2 -20.00 GBP;3 -30.00 GBP"},
		"once only": {"date,symbol,qty,price,currency\n2026-01-02,A,10,1234.5 GBX,GBX\n", `{}`, "12.345 -123.45 GBP"},
		"header": {"date,symbol,qty,Unit cost (p)\n2026-01-02,A,10,1234.5\n",
			`{"currency":"GBP","price_col_label":"Unit cost (p)"}`, "12.345 -123.45 GBP"},
		"in pounds": {"date,symbol,qty,price,currency,total\n2026-01-02,A,10,1234.5,GBX,123.45\n",
			`{"amount_col_label":"total"}`, "12.345 -123.45 GBP"},
		"not in euro": {"date,symbol,qty,price\n2026-01-02,A,10,1234.5p\n", `{}`,
			"price must be a number in EUR, the currency of the row, got \"1234.5p\""},
		"header of another currency": {"date,symbol,qty,Price GBX\n2026-01-02,A,10,1234.5\n",
			`{"price_col_label":"Price GBX"}`,
			"Price GBX must be in EUR, the currency of the row, and is in hundredths of GBP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list []string
			for _, row := range tradeRows(t, c.file, c.settings) {
				if len(row.Issues) > 0 {
					list = append(list, row.Issues[0].Column+" "+row.Issues[0].Message)
					continue
				}
				list = append(list, fmt.Sprintf("%s %s %s", row.Trade().Price, row.Currency.Plain(row.Minor),
					row.Currency.Code))
			}
			if diff := cmp.Diff(c.want, strings.Join(list, ";")); diff != "" {
				t.Error(diff)
			}
		})
	}
	d := euro(t)
	rows, err := table.NewRows(source.Text("date,amount,currency\n2026-01-02,1234,GBp\n"), recordpkg.Settings{}, d)
	if err != nil {
		t.Fatal(err)
	}
	if row, err := rows.Next(); err != nil || len(row.Issues) != 1 ||
		row.Issues[0].Message != `must be GBP: in hundredths of it only prices are read, got "GBp"` {
		t.Errorf("got %v, %v", row.Issues, err)
	}
}
