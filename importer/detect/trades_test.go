package detect

import (
	"strings"
	"testing"

	"finsvc/importer/record"
	"finsvc/importer/source"
)

// TestDetectTrades: what is found out about brokers' files, or asked. A want that begins with "asked" names the settings.
func TestDetectTrades(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, given, want string }{
		"German":            {"Handelstag;Vorgang;ISIN;Anzahl;Ausführungskurs\n13.02.2026;Kauf;IE00B4L5Y983;10;81,25\n14.02.2026;Verkauf;IE00B4L5Y983;4;82,5\n", "", "Anzahl|Ausführungskurs|Vorgang|%d.%m.%Y|1.234,56"},
		"units per share":   {"Trade Date,Type,Symbol,Number of Shares,Price per share\n2026-02-13,BUY - MARKET,ACME,10,81.25\n2026-02-14,DIVIDEND,ACME,,\n", "", "Number of Shares|Price per share|Type|%Y-%m-%d|1,234.56"},
		"signed quantities": {"Date,Symbol,Units,Unit price\n2026-02-13,ACME,10,81.25\n2026-02-14,ACME,-4,82.50\n", "", "Units|Unit price||%Y-%m-%d|1,234.56"},
		"the API's own":     {"date,ticker,qty,price\n2026-02-13,ACME,10,81.25\n", "", "||" + "|%Y-%m-%d|1,234.56"},
		"nothing says sold": {"Date,Symbol,Shares,Price\n2026-02-13,ACME,10,81.25\n", "", "asked trade_side_col_label"},
		"the sign is meant": {"Date,Symbol,Shares,Price\n2026-02-13,ACME,10,81.25\n", "Shares", "Shares|||%Y-%m-%d|1,234.56"},
		"two sides":         {"Date,Side,Action,Symbol,Shares,Price\n2026-02-13,buy,sell,ACME,10,81.25\n", "", "asked trade_side_col_label"},
		"no price":          {"Date,Side,Symbol,Shares,Xyzzy\n2026-02-13,buy,ACME,10,81.25\n", "", "asked price_col_label"},
		"a name that buys":  {"Date,Symbol,Shares,Price,Name\n2026-02-13,BBY,10,5.5,Best Buy Co\n2026-02-14,BBY,-4,5.5,Best Buy Co\n", "", "Shares|||%Y-%m-%d|1,234.56"},
		"a side beside it":  {"Date,Side,Symbol,Shares,Price,Name\n2026-02-13,sell,BBY,10,5.5,Best Buy Co\n", "", "Shares||Side|%Y-%m-%d|1,234.56"},
		"thousands or not":  {"Date,Side,Symbol,Shares,Price\n2026-02-13,buy,ACME,\"1,500\",10\n", "", "asked number_format"},
		"units tell":        {"Date;Side;Symbol;Shares;Price\n2026-02-13;buy;ACME;1,5;10\n", "", "Shares||Side|%Y-%m-%d|1.234,56"},
		"two costs":         {"Date,Side,Symbol,Shares,Price,Commission,Fees\n2026-02-13,buy,ACME,1,10,1,0.30\n", "", "asked fee_col_label"},
		"costs of nothing":  {"Date,Side,Symbol,Shares,Price,Commission,Fees\n2026-02-13,buy,ACME,1,10,1,0.00\n", "", "Shares||Side|%Y-%m-%d|1,234.56"},
		"day or month":      {"Date,Side,Symbol,Shares,Price\n02/03/2026,buy,ACME,10,81.25\n", "", "asked date_format"},
	} {
		var s record.Settings
		if c.given != "" {
			s.QtyColLabel = new(c.given)
		}
		d, err := Find(source.Text(c.file), s, record.Defaults{Type: record.TradeImport})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := strings.Join([]string{record.Given(d.Settings.QtyColLabel), record.Given(d.Settings.PriceColLabel), record.Given(d.Settings.TradeSideColLabel),
			record.Given(d.Settings.DateFormat), record.Given(d.Settings.NumberFormat)}, "|")
		if len(d.Questions) > 0 {
			got = "asked"
		}
		for _, q := range d.Questions {
			got += " " + q.Setting
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
