package importer_test

// layout is a statement drawn as text, and what it says.
type layout struct {
	name, currency string
	liability      bool
	settings       string // JSON
	pages          []string
	want           []string // as rowLines
	doubt          string   // a part of it; blank: there must be none
}

// layouts are statements in the manner of banks of several countries.
func layouts() []layout {
	return append(append(signedLayouts(), columnLayouts()...), cardLayouts()...)
}

func signedLayouts() []layout {
	return []layout{
		{name: "German, one signed column, cells of two lines", currency: "EUR", pages: []string{`
Musterbank AG
Kontoauszug Nr. 3/2026
Zeitraum 01.03.2026 - 31.03.2026

Datum        Buchungstext                        Betrag EUR
Alter Saldo                                        1.000,00
02.03.2026   Lastschrift Hafenmiete                 -640,00
             Miete März
05.03.2026   Gehalt                                1.950,50
             Wasserwerke AG
             Lohn 03/2026
09.03.2026   Kartenzahlung Bäckerei                   -4,80
Neuer Saldo                                        2.305,70
`}, want: []string{"2026-03-02 -64000 Lastschrift Hafenmiete|Miete März", "2026-03-05 195050 Gehalt|Wasserwerke AG|Lohn 03/2026", "2026-03-09 -480 Kartenzahlung Bäckerei"}},

		{name: "British, brought and carried forward, two pages", currency: "GBP", pages: []string{`
Your account from 15 December 2025 to 14 January 2026

Date      Details                       Paid out     Paid in      Balance
15 Dec    BALANCE BROUGHT FORWARD                                1,000.00
20 Dec    Shop                            100.00
31 Dec    Interest                                      1.50       901.50
          BALANCE CARRIED FORWARD                                  901.50
Page 1 of 2
`, `
Date      Details                       Paid out     Paid in      Balance
          BALANCE BROUGHT FORWARD                                  901.50
2 Jan     Cafe                             12.30                   889.20
          with friends
14 Jan    BALANCE CARRIED FORWARD                                  889.20
Page 2 of 2
`}, want: []string{"2025-12-20 -10000 Shop", "2025-12-31 150 Interest", "2026-01-02 -1230 Cafe|with friends"}},

		{name: "German, S and H, no years, turn of the year, two pages", currency: "EUR", pages: []string{`
Sparbank Musterstadt                 Kontoauszug 1/2026
01.12.2025 - 31.01.2026

Bu-Tag   Wert     Vorgang                              Betrag
                  Alter Kontostand                   500,00 H
28.12.   28.12.   Lastschrift                         20,00 S
                  Stadtwerke
30.12.   31.12.   Überweisung                        100,00 S
                  Übertrag auf Blatt 2               380,00 H

Sparbank Musterstadt, Am Markt 1             Blatt 1 von 2
`, `
Sparbank Musterstadt                 Kontoauszug 1/2026
01.12.2025 - 31.01.2026

Bu-Tag   Wert     Vorgang                              Betrag
                  Übertrag von Blatt 1               380,00 H
02.01.   02.01.   Gutschrift                       1.200,00 H
                  Lohn Januar
                  Neuer Kontostand                 1.580,00 H

Sparbank Musterstadt, Am Markt 1             Blatt 2 von 2
`}, want: []string{"2025-12-28 -2000 Lastschrift|Stadtwerke", "2025-12-30 -10000 Überweisung", "2026-01-02 120000 Gutschrift|Lohn Januar"}},

		{name: "trailing minus, no header", currency: "EUR", pages: []string{`
Auszug vom 31.05.2026
Anfangssaldo                                         100,00
04.05.   Buchhandlung                                19,90-
06.05.   Erstattung                                   5,00+
Endsaldo                                              85,10
`}, want: []string{"2026-05-04 -1990 Buchhandlung", "2026-05-06 500 Erstattung"}},

		{name: "Spanish, signed amount and running balance", currency: "EUR", pages: []string{`
Extracto de cuenta
Periodo: 1 de enero de 2026 a 31 de enero de 2026

Fecha        Concepto                    Importe           Saldo
Saldo inicial                                           1.250,00
02/01/2026   Recibo alquiler             -600,00          650,00
15/01/2026   Nómina enero               1.800,00        2.450,00
15/01/2026   Compra supermercado          -45,30        2.404,70
Saldo final                                             2.404,70
`}, want: []string{"2026-01-02 -60000 Recibo alquiler", "2026-01-15 180000 Nómina enero", "2026-01-15 -4530 Compra supermercado"}},

		{name: "newest first", currency: "GBP", pages: []string{`
Statement period 1 Feb 2026 to 28 Feb 2026
Date          Description              Amount         Balance
Closing balance                                       £874.50
20 Feb 2026   Grocer                   -£25.50        £874.50
14 Feb 2026   Rent                    -£600.00        £900.00
01 Feb 2026   Salary                   £500.00      £1,500.00
Opening balance                                     £1,000.00
`}, want: []string{"2026-02-20 -2550 Grocer", "2026-02-14 -60000 Rent", "2026-02-01 50000 Salary"}},

		{name: "yen", currency: "JPY", pages: []string{`
Statement 2026/03/01 - 2026/03/31
Date         Description            Amount      Balance
Opening balance                                 100,000
2026/03/02   Bento                    -850       99,150
2026/03/25   Salary                250,000      349,150
Closing balance                                 349,150
`}, want: []string{"2026-03-02 -850 Bento", "2026-03-25 250000 Salary"}},
	}
}

func columnLayouts() []layout {
	return []layout{
		{name: "British, paid out and paid in, one date a day", currency: "GBP", pages: []string{`
Your account statement
1 January 2026 to 31 January 2026
Date       Payment type and details       Paid out    Paid in    Balance
01 Jan 26  BALANCE BROUGHT FORWARD                               1,000.00
02 Jan 26  Card Corner Shop                  12.50
           Direct debit Council tax         130.00                857.50
15 Jan 26  Salary Waterworks                          2,000.00   2,857.50
31 Jan 26  BALANCE CARRIED FORWARD                               2,857.50
Opening balance 1,000.00     Closing balance 2,857.50
`}, want: []string{"2026-01-02 -1250 Card Corner Shop", "2026-01-02 -13000 Direct debit Council tax", "2026-01-15 200000 Salary Waterworks"}},

		{name: "French, value date before the amounts, spaces in numbers", currency: "EUR", pages: []string{`
Relevé de compte du 01/02/2026 au 28/02/2026
Date     Libellé                      Valeur       Débit      Crédit
         Solde précédent au 31/01/2026                      1 500,00
03.02    CB Boulangerie               04.02         8,40
10.02    Virement Loyer               10.02       700,00
25.02    Virement Salaire             25.02                 2 100,00
         Nouveau solde au 28/02/2026                        2 891,60
`}, want: []string{"2026-02-03 -840 CB Boulangerie", "2026-02-10 -70000 Virement Loyer", "2026-02-25 210000 Virement Salaire"}},

		{name: "Swiss, apostrophes, text above and below", currency: "CHF", pages: []string{`
Kontoauszug 01.04.2026 - 30.04.2026
Datum        Text                        Belastung   Gutschrift       Saldo

             Anfangssaldo                                        10'000.00

             Dauerauftrag
01.04.2026   Wohnbau AG                   1'500.00                8'500.00
             Miete April

             Vergütung
24.04.2026   Uhren SA                                 6'200.00   14'700.00
             Lohn

             Schlusssaldo                                        14'700.00
`}, want: []string{"2026-04-01 -150000 Dauerauftrag|Wohnbau AG|Miete April", "2026-04-24 620000 Vergütung|Uhren SA|Lohn"}},

		{name: "Soll and Haben without a header", currency: "EUR", pages: []string{`
Zeitraum 01.06.2026 bis 30.06.2026
Alter Saldo                                            200,00
01.06.2026   Strom                 50,00
10.06.2026   Lohn                             900,00
20.06.2026   Miete                400,00
Neuer Saldo                                            650,00
`}, want: []string{"2026-06-01 -5000 Strom", "2026-06-10 90000 Lohn", "2026-06-20 -40000 Miete"}},

		{name: "American, sections with unsigned amounts, summary first", currency: "USD", pages: []string{`
Account summary
Beginning balance on December 13, 2025                $2,000.00
Deposits and other credits                             1,500.00
Withdrawals and other debits                            -250.25
Checks                                                  -100.00
Ending balance on January 12, 2026                    $3,149.75

Deposits and other credits
Date        Description                                  Amount
12/31/25    Payroll Acme Corp                          1,500.00
Total deposits and other credits                      $1,500.00

Withdrawals and other debits
Date        Description                                  Amount
12/20/25    Grocery store                                -50.25
01/05/26    Electric company                            -200.00
Total withdrawals and other debits                     -$250.25

Checks
Date        Check #                                      Amount
01/07/26    1045                                        -100.00
Total checks                                           -$100.00
Page 1 of 1
`}, want: []string{"2025-12-31 150000 Payroll Acme Corp", "2025-12-20 -5025 Grocery store", "2026-01-05 -20000 Electric company", "2026-01-07 -10000 1045"}},

		{name: "American, sections without any signs", currency: "USD", pages: []string{`
Statement period November 1, 2025 through November 30, 2025
Previous balance      Total deposits      Total withdrawals      New balance
$100.00               $400.00             $30.00                 $470.00

Deposits
11/03   Cash deposit                                     400.00
Withdrawals
11/15   Coffee                                            10.00
11/16   ATM                                               20.00
`}, want: []string{"2025-11-03 40000 Cash deposit", "2025-11-15 -1000 Coffee", "2025-11-16 -2000 ATM"}},
	}
}

func cardLayouts() []layout {
	return []layout{
		{name: "American card: owed is positive", currency: "USD", liability: true, pages: []string{`
Statement closing date January 20, 2026
Previous balance      Payments       Purchases       New balance
$300.00               -$300.00       $62.49          $62.49
Payment due date 02/15/2026     Minimum payment due $25.00

Trans date   Post date   Description                      Amount
12/22        12/23       Bookshop                         $42.50
01/04        01/05       Payment, thank you             -$300.00
01/10        01/11       Coffee bar                       $19.99
`}, want: []string{"2025-12-22 -4250 Bookshop", "2026-01-04 30000 Payment, thank you", "2026-01-10 -1999 Coffee bar"}},

		{name: "British card: CR marks what is paid", currency: "GBP", liability: true, pages: []string{`
Statement date 28 March 2026
Date           Details                                  Amount
Previous balance                                        150.00
01 Mar 2026    Payment received                      150.00 CR
12 Mar 2026    Garage                                    80.00
New balance                                              80.00
`}, want: []string{"2026-03-01 15000 Payment received", "2026-03-12 -8000 Garage"}},

		{name: "German card: owed is negative", currency: "EUR", liability: true, pages: []string{`
Abrechnung 01.03.2026 bis 31.03.2026
Datum        Umsatz                                  Betrag EUR
Alter Saldo                                              -50,00
03.03.2026   Zahlung                                      50,00
10.03.2026   Hotel                                      -120,00
12.03.2026   Bahn                                        -30,00
Neuer Saldo                                             -150,00
`}, want: []string{"2026-03-03 5000 Zahlung", "2026-03-10 -12000 Hotel", "2026-03-12 -3000 Bahn"}},
	}
}

// doubtfulLayouts are statements that must not be taken.
func doubtfulLayouts() []layout {
	const head = "Zeitraum 01.06.2026 bis 30.06.2026\nDatum        Text               Betrag\n"
	return []layout{
		{name: "does not add up", currency: "EUR", doubt: "opening balance 200.00, the sum of 2 rows 40.00, closing balance 250.00; the difference is 10.00", pages: []string{head + `
Alter Saldo                      200,00
01.06.2026   Strom               -10,00
02.06.2026   Lohn                 50,00
Neuer Saldo                      250,00
`}},
		{name: "one running balance is wrong", currency: "EUR", doubt: "the balance after row 1 is 191.00, and the rows come to 190.00", pages: []string{`
Zeitraum 01.06.2026 bis 30.06.2026
Datum        Text               Betrag      Saldo
Alter Saldo                                200,00
01.06.2026   Strom              -10,00     191,00
02.06.2026   Lohn                50,00     240,00
Neuer Saldo                                240,00
`}},
		{name: "no balances", currency: "EUR", doubt: "names no opening and closing balance", pages: []string{head + `
01.06.2026   Strom               -10,00
`}},
		{name: "no rows", currency: "EUR", doubt: "has no rows that could be read",
			pages: []string{"Sehr geehrte Kundin,\nvielen Dank."}},
		{name: "no years", currency: "EUR", doubt: "has 1 of 1 rows whose date has no year", pages: []string{`
Datum     Text               Betrag
Alter Saldo                  200,00
01.06.    Strom              -10,00
Neuer Saldo                  190,00
`}},
		{name: "day or month first", currency: "GBP", doubt: "give date_format", pages: []string{`
Date         Description         Amount
Opening balance                  200.00
01/02/2026   Lamp                -10.00
02/03/2026   Desk                -20.00
Closing balance                  170.00
`}},
		{name: "another currency", currency: "EUR", doubt: "has amounts in USD, but the account is in EUR", pages: []string{`
Statement period 1 June 2026 to 30 June 2026
Date         Description            Amount
Opening balance                 USD 200.00
01 Jun 2026   Lamp              USD -10.00
Closing balance                 USD 190.00
`}},
		{name: "a card that may be either", currency: "EUR", liability: true, doubt: "give signage_convention", pages: []string{head + `
Alter Saldo                       20,00
01.06.2026   Buch                -30,00
02.06.2026   Storno                5,00
Neuer Saldo                       -5,00
`}},
		{name: "two accounts", currency: "EUR", doubt: "does not add up", pages: []string{head + `
Alter Saldo                      200,00
01.06.2026   Strom               -10,00
Neuer Saldo                      190,00
Sparkonto
Alter Saldo                    5.000,00
02.06.2026   Zins                  1,00
Neuer Saldo                    5.001,00
`}},
	}
}
