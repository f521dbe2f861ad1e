package qif

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer/record"
)

// TestQIFActions: what an entry of an account with securities becomes. 31 January proves the order of dates.
func TestQIFActions(t *testing.T) {
	t.Parallel()
	const day = "2026-01-31 "
	for name, c := range map[string]struct{ entry, want string }{
		"Buy":         {"NBuy;YAcme;I12.50;Q10;O1.50;T126.50", "trade " + day + "-126.50 Buy: Acme |buy 10 ACME at 12.5 fee 150"},
		"Buy, payee":  {"NBuy;YAcme;I12.50;Q10;T125;PMy plan;MFirst;LFood", "trade " + day + "-125.00 My plan |notes First/Category Food |buy 10 ACME at 12.5 fee 0"},
		"no total":    {"NBuy;YAcme;I1.1115;Q3;O1", "trade " + day + "-4.33 Buy: Acme |buy 3 ACME at 1.1115 fee 100"},
		"no price":    {"NBuy;YAcme;Q8;O2;T102", "trade " + day + "-102.00 Buy: Acme |buy 8 ACME at 12.5 fee 200"},
		"far off":     {"NBuy;YBond;I99.50;Q10;T9,950", "trade " + day + "-9950.00 Buy: Bond |told amount 9950.00 is not quantity times price and commission, which come to 995: the amount counts |buy 10 BOND at 99.5 fee 0"},
		"per cent":    {"NBuy;YBond;I98.50;Q10,000;O9.90;T9,859.90", "trade " + day + "-9859.90 Buy: Bond |told price 98.5 is in hundredths, per cent or pence, as the amount proves: one is at 0.985 |buy 10000 BOND at 0.985 fee 990"},
		"decimals":    {"NBuy;YAcme;I1.2345678901234;Q10;T12.35", "trade " + day + "-12.35 Buy: Acme |told price 1.2345678901234 has more decimals than can be stored: it is rounded to 1.234567890123 |buy 10 ACME at 1.234567890123 fee 0"},
		"minus signs": {"NBuy;YAcme;I12.50;Q-10;T-125", "trade " + day + "-125.00 Buy: Acme |buy 10 ACME at 12.5 fee 0"},
		"Sell":        {"NSell;YAcme;I12.50;Q10;O1.50;T123.50", "trade " + day + "123.50 Sell: Acme |sell 10 ACME at 12.5 fee 150"},
		"Sell, none":  {"NSell;YAcme;I12.505;Q1;O1.50", "trade " + day + "11.01 Sell: Acme |sell 1 ACME at 12.505 fee 150"},
		"ShtSell":     {"NShtSell;YAcme;I12.50;Q10;T125", "trade " + day + "125.00 Sell: Acme |sell 10 ACME at 12.5 fee 0"},
		"CvrShrt":     {"NCvrShrt;YAcme;I12.50;Q10;T125", "trade " + day + "-125.00 Buy: Acme |buy 10 ACME at 12.5 fee 0"},
		"BuyX": {"NBuyX;YAcme;I12.50;Q10;T125;L[Bank];$125", "trade " + day + "-125.00 Buy: Acme |notes Transfer [Bank] |buy 10 ACME at 12.5 fee 0\n" +
			day + "125.00 Cash transfer in |notes Transfer [Bank]"},
		"BuyX, part": {"NBuyX;YAcme;I12.50;Q10;T125;L[Bank];$100", "trade " + day + "-125.00 Buy: Acme |notes Transfer [Bank] |buy 10 ACME at 12.5 fee 0\n" +
			day + "100.00 Cash transfer in |notes Transfer [Bank]"},
		"SellX": {"NSellX;YAcme;I12.50;Q10;$125;L[Bank]", "trade " + day + "125.00 Sell: Acme |notes Transfer [Bank] |sell 10 ACME at 12.5 fee 0\n" +
			day + "-125.00 Cash transfer out |notes Transfer [Bank]"},
		"Div":         {"NDiv;YAcme;T7", "trade " + day + "7.00 Dividend: Acme |dividend 0 ACME at 0 fee 0"},
		"Div of none": {"NDiv;T7", day + "7.00 Dividend"},
		"Div back":    {"NDiv;YAcme;T-7", day + "-7.00 Dividend: Acme"},
		"DivX": {"NDivX;YAcme;T7;L[Bank]", "trade " + day + "7.00 Dividend: Acme |notes Transfer [Bank] |dividend 0 ACME at 0 fee 0\n" +
			day + "-7.00 Cash transfer out |notes Transfer [Bank]"},
		"DivX, old":       {"NDivX;YAcme;T7;L_DivInc|[Bank]", "trade " + day + "7.00 Dividend: Acme |notes Transfer [Bank]/Category _DivInc |dividend 0 ACME at 0 fee 0\n" + day + "-7.00 Cash transfer out |notes Transfer [Bank]/Category _DivInc"},
		"IntInc":          {"NIntInc;T7", "trade " + day + "7.00 Interest |interest 0  at 0 fee 0"},
		"CGLong":          {"NCGLong;YAcme;T7", "trade " + day + "7.00 Capital gain (long): Acme |dividend 0 ACME at 0 fee 0"},
		"CGShort":         {"NCGShort;YAcme;T7", "trade " + day + "7.00 Capital gain (short): Acme |dividend 0 ACME at 0 fee 0"},
		"CGMid":           {"NCGMid;YAcme;T7", "trade " + day + "7.00 Capital gain (mid): Acme |dividend 0 ACME at 0 fee 0"},
		"ReinvDiv":        {"NReinvDiv;YAcme;I3.50;Q2;T7", "trade " + day + "7.00 Dividend: Acme |dividend 0 ACME at 0 fee 0\ntrade " + day + "-7.00 Buy: Acme |buy 2 ACME at 3.5 fee 0"},
		"ReinvInt":        {"NReinvInt;YAcme;I3.50;Q2;T7", "trade " + day + "7.00 Interest: Acme |interest 0 ACME at 0 fee 0\ntrade " + day + "-7.00 Buy: Acme |buy 2 ACME at 3.5 fee 0"},
		"ReinvLg":         {"NReinvLg;YAcme;I3.50;Q2;T7", "trade " + day + "7.00 Capital gain (long): Acme |dividend 0 ACME at 0 fee 0\ntrade " + day + "-7.00 Buy: Acme |buy 2 ACME at 3.5 fee 0"},
		"ReinvSh":         {"NReinvSh;YAcme;I3.50;Q2;T7", "trade " + day + "7.00 Capital gain (short): Acme |dividend 0 ACME at 0 fee 0\ntrade " + day + "-7.00 Buy: Acme |buy 2 ACME at 3.5 fee 0"},
		"MargInt":         {"NMargInt;T7", "trade " + day + "-7.00 Margin interest |fee 0  at 0 fee 0"},
		"MiscInc":         {"NMiscInc;T7;LGifts/Trip;MFrom Jo", day + "7.00 Miscellaneous income |cat Gifts |tags Trip |notes From Jo"},
		"MiscExp":         {"NMiscExp;T7;LFees", day + "-7.00 Miscellaneous expense |cat Fees"},
		"MiscExpX":        {"NMiscExpX;T7;LFees|[Bank]", day + "-7.00 Miscellaneous expense |cat Fees |notes Transfer [Bank]\n" + day + "7.00 Cash transfer in |notes Transfer [Bank]"},
		"RtrnCap":         {"NRtrnCap;YAcme;T7", day + "7.00 Return of capital: Acme |told a return of capital is booked as cash: what the holding cost stays as it was"},
		"XIn":             {"NXIn;T7;L[Bank]", day + "7.00 Cash transfer in |notes Transfer [Bank]"},
		"XOut":            {"NXOut;T7;L[Bank];PPayout", day + "-7.00 Payout |notes Transfer [Bank]"},
		"ContribX":        {"NContribX;T7;L[Bank]", day + "7.00 Contribution |notes Transfer [Bank]"},
		"WithdrwX":        {"NWithdrwX;T7;L[Bank]", day + "-7.00 Withdrawal |notes Transfer [Bank]"},
		"Cash":            {"NCash;T-7;LFees", day + "-7.00 Cash |cat Fees"},
		"no action":       {"T7;PGift", day + "7.00 Gift"},
		"opening":         {"NCash;T100;POpening Balance;L[Broker]", "valuation " + day + "100.00 Opening Balance |notes Transfer [Broker]"},
		"ShrsIn":          {"NShrsIn;YAcme;I11.26;Q88.81;T1,000", "trade " + day + "0.00 Shares in: Acme |told units move without cash: what they cost is not known to the books |buy 88.81 ACME at 11.26 fee 0"},
		"ShrsOut":         {"NShrsOut;YAcme;Q8.5", "trade " + day + "0.00 Shares out: Acme |told units move without cash: what they cost is not known to the books |sell 8.5 ACME at 0 fee 0"},
		"odd case":        {"Nbuy;YAcme;I1;Q1;T1", "trade " + day + "-1.00 Buy: Acme |buy 1 ACME at 1 fee 0"},
		"by symbol":       {"NBuy;YGlobal Fund;I1;Q1;T1", "trade " + day + "-1.00 Buy: Global Fund |buy 1 GLF at 1 fee 0"},
		"Reminder":        {"NReminder;T1", "skipped reminders are not read"},
		"StkSplit":        {"NStkSplit;YAcme;Q20", "security_split " + day + "0.00 Split: Acme |told quantity 20 is how many units ten old ones became: a split of 2:1 | 0 ACME at 0 fee 0"},
		"StkSplit, 3:2":   {"NStkSplit;YAcme;Q15", "security_split " + day + "0.00 Split: Acme |told quantity 15 is how many units ten old ones became: a split of 3:2 | 0 ACME at 0 fee 0"},
		"StkSplit, 1:8":   {"NStkSplit;YAcme;Q1.25", "security_split " + day + "0.00 Split: Acme |told quantity 1.25 is how many units ten old ones became: a split of 1:8 | 0 ACME at 0 fee 0"},
		"StkSplit, 1:1":   {"NStkSplit;YAcme;Q10", "issue quantity must be the number of new units for ten old ones, such as 20 for a split of 2:1"},
		"StkSplit, none":  {"NStkSplit;YAcme", "issue quantity must be the number of new units for ten old ones, such as 20 for a split of 2:1"},
		"StkSplit of ?":   {"NStkSplit;Q20", "issue security is required and must not be blank"},
		"unknown":         {"NExercise;YAcme;Q1", `issue action must be an action of QIF such as Buy, SellX or Div, got "Exercise": nobody can tell what it does to cash and holdings`},
		"unknown X":       {"NCashX;T1", `issue action must be an action of QIF such as Buy, SellX or Div, got "CashX": nobody can tell what it does to cash and holdings`},
		"no security":     {"NBuy;I1;Q1;T1", "issue security is required and must not be blank"},
		"no quantity":     {"NBuyX;YAcme;I1;T1", "issue quantity is required and must not be 0\nissue quantity is required and must not be 0"},
		"reinvested 0":    {"NReinvDiv;YAcme;I1;Q0;T1", "issue quantity is required and must not be 0\nissue quantity is required and must not be 0"},
		"no figures":      {"NBuy;YAcme;Q1", "issue amount is required and must not be blank, or the price is"},
		"no amount":       {"NDiv;YAcme", "issue amount is required and must not be blank"},
		"no cash":         {"NXIn;L[Bank]", "issue amount is required and must not be blank"},
		"bad price":       {"NBuy;YAcme;Iten;Q1;T1", `issue price must be a number written as 1,234.56, got "ten"`},
		"bad commission":  {"NBuy;YAcme;I1;Q1;T1;Ox", `issue commission must be a number written as 1,234.56, got "x"`},
		"nineteen places": {"NBuy;YAcme;I1;Q0.1234567890123456789;T1", `issue quantity must have at most 18 decimals, got "0.1234567890123456789"`},
		"long security":   {"NDiv;Y" + hundredAndOne + ";T1", "issue security must have at most 100 characters, has 101"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := qifSketches(t, qifLines("!Type:Invst;D1/31/2026;"+c.entry+";^;!Type:Security;NGlobal fund;SGLF;TStock;^"), record.Settings{}, broker())
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

const hundredAndOne = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

func TestQIFShortSales(t *testing.T) {
	t.Parallel()
	rows, err := readQIF(qifLines("!Type:Invst;D1/31/2026;NShtSell;YA;I1;Q1;T1;^;D1/31/2026;NSell;YA;I1;Q1;T1;^"), record.Settings{}, broker())
	if err != nil || len(rows) != 2 || !rows[0].Trade().AllowShort || rows[1].Trade().AllowShort {
		t.Errorf("got %v, %v", rows, err)
	}
}
