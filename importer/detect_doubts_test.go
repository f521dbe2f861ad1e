package importer_test

import (
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	moneypkg "finsvc/ledger/money"
)

// doubtCases are files that can be read in two ways of which the one that comes to mind first is wrong, or nobody can
// tell.
func doubtCases() map[string]detectCase {
	return map[string]detectCase{
		"a decimal comma parts the cells": {"Date,Text,Amount\n13.01.2026,Rent,-1,50\n14.01.2026,Acme,20,00\n", "", "bad; bad"},
		"a comma parts a text":            {"Date,Amount,Text\n2026-01-13,-1.50,Bar, Berlin\n2026-01-14,20.00,Acme\n2026-01-15,-2.00,Shop\n", "", "bad; 26-01-14 20.00 Acme; 26-01-15 -2.00 Shop"},
		"a lone record without a header":  {"13.01.2026;Shop;-1,50\n", "", "26-01-13 -1.50 Shop"},
		"a quote that is never closed": {"Date;Text;Amount\n13.01.2026;\"a;-1,50\n14.01.2026;b;20,00\n",
			"", "broken line 2 begins a quoted cell that is never closed"},
		"days and months without marks": {"Date,Text,Amount\n01022026,Shop,-1.00\n02032026,Acme,2.00\n",
			"", "asked date_format"},
		"years of two digits in front": {"Date,Text,Amount\n26-01-13,Shop,-1.00\n26-02-28,Acme,2.00\n",
			"", "26-01-13 -1.00 Shop; 26-02-28 2.00 Acme"},
		"years of two digits behind": {"Date,Text,Amount\n13-01-26,Shop,-1.00\n28-02-26,Acme,2.00\n",
			"", "26-01-13 -1.00 Shop; 26-02-28 2.00 Acme"},
		"years of two digits on one day": {"Date,Text,Amount\n13-01-26,Shop,-1.00\n13-01-26,Acme,2.00\n",
			"", "asked date_format"},
		"years of two digits on one german day": {"Datum,Text,Betrag\n13-01-26,Shop,-1.00\n13-01-26,Acme,2.00\n",
			"", "26-01-13 -1.00 Shop; 26-01-13 2.00 Acme"},
		"pounds in an account in euros":              {"Date,Text,Amount\n2026-01-13,Shop,-£1.50\n2026-01-14,Acme,$20.00\n2026-01-15,Bar,€-2.00\n", "", "bad; bad; 26-01-15 -2.00 Bar"},
		"dollars of Canada":                          {"Date,Text,Amount\n2026-01-13,Shop,-$1.50\n2026-01-14,Acme,CA$20.00\n2026-01-15,Acme,US$20.00\n", "CAD", "26-01-13 -1.50 Shop; 26-01-14 20.00 Acme; bad"},
		"a balance that may be what is owed":         {owedSigned, "", "asked signage_convention"},
		"headers against the balance":                {owedPair, "", "asked debit_col_label"},
		"a third word for the direction":             {thirdWord, "", "asked amount_type_inflow_value"},
		"thousands that add up either way":           {"Datum;Text;Betrag;Saldo\n13.01.2026;Aaa;-1.500;8.500\n14.01.2026;Bbb;2.000;10.500\n15.01.2026;Ccc;1.000;11.500\n", "", "asked number_format"},
		"thousands that add up in one way":           {"Datum;Text;Betrag;Saldo\n13.01.2026;Aaa;-1.500;8.500\n14.01.2026;Bbb;500;9.000\n", "", "26-01-13 -1500.00 Aaa; 26-01-14 500.00 Bbb"},
		"dollars in a column of an account in euros": {"Date,Text,Amount,Currency\n2026-01-13,Aaa,-1.00,$\n2026-01-14,Bbb,2.00,$\n", "", "asked currency_col_label"},
		"headers that the balance proves":            {"Date,Text,Debit,Credit,Balance\n2026-01-13,Shop,1.00,,99.00\n2026-01-14,Acme,,2.00,101.00\n", "", "26-01-13 -1.00 Shop; 26-01-14 2.00 Acme"},
		"a balance of savings, the other way round": {"Date,Text,Amount,Balance\n2026-01-13,Shop,1.00,99.00\n2026-01-14,Acme,-2.00,101.00\n2026-01-15,Bar,3.00,98.00\n", "",
			"26-01-13 -1.00 Shop; 26-01-14 2.00 Acme; 26-01-15 -3.00 Bar"},
	}
}

const (
	thirdWord  = "Date,Text,Amount,Type\n2026-01-13,Shop,1.00,Debit\n2026-01-14,Acme,2.00,Credit\n2026-01-15,Bank,3.00,Fee\n"
	owedSigned = "Date,Text,Amount,Balance\n2026-01-13,Aaa,-10.00,110.00\n2026-01-14,Bbb,-5.00,115.00\n2026-01-15,Ccc,50.00,65.00\n2026-01-16,Ddd,-7.00,72.00\n"
	owedPair   = "Date,Text,Debit,Credit,Balance\n2026-01-13,Aaa,1.00,,101.00\n2026-01-14,Bbb,,2.00,99.00\n2026-01-15,Ccc,,3.00,96.00\n"
)

func TestDetectDoubts(t *testing.T) {
	t.Parallel()
	for name, c := range doubtCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readDetected(t, c.file, orElse(c.currency, "EUR")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// The balance of a card is what is owed, so it says nothing against a minus or a debit that raises it.
func TestDetectWhatIsOwedOnACard(t *testing.T) {
	t.Parallel()
	home, _ := moneypkg.LookupCurrency("EUR")
	for file, setting := range map[string][2]string{owedSigned: {"signage_convention", "inflows_positive"},
		owedPair: {"debit_col_label", "Debit"}} {
		settings, open, err := importer.Detect(func() (io.Reader, error) { return strings.NewReader(file), nil },
			recordpkg.Settings{}, recordpkg.Defaults{Currency: home, Liability: true})
		if err != nil || len(open) > 0 {
			t.Fatal(open, err)
		}
		if got := *settings.Members()[setting[0]]; got == nil || *got != setting[1] {
			t.Errorf("%s is not %s", setting[0], setting[1])
		}
	}
}

// The answer to a third word for the direction is enough, without the strategy.
func TestDetectThirdWordAnswered(t *testing.T) {
	t.Parallel()
	home, _ := moneypkg.LookupCurrency("EUR")
	column, word := "Type", "Credit"
	settings, open, err := importer.Detect(func() (io.Reader, error) { return strings.NewReader(thirdWord), nil },
		recordpkg.Settings{EntityTypeColLabel: &column, AmountTypeInflowValue: &word},
		recordpkg.Defaults{Currency: home})
	if err != nil || len(open) > 0 || *settings.AmountTypeStrategy != "custom_column" {
		t.Error(open, err)
	}
}

// The character set does not depend on which rows a file has, for then a row of two files would be two rows.
func TestDetectEncodingsOfFewLetters(t *testing.T) {
	t.Parallel()
	const (
		swedish   = "Datum;Belopp;Text\n13.01.2026;-1,50;Köp Åhléns Malmö\n14.01.2026;2,50;Lön\n"
		french    = "Date;Montant;Tiers\n13.01.2026;-1,50;où Noël dépôt\n14.01.2026;2,50;êtes Été garçon\n"
		polish    = "Data;Kwota;Opis\n13.01.2026;-1,50;źródło śniadanie\n14.01.2026;2,50;ćwierć\n"
		japanese1 = "日付,摘要,金額\n2026/01/13,ｾﾌﾞﾝｲﾚﾌﾞﾝ,-1200\n2026/01/14,ｷﾕｳﾖ,300000\n"
	)
	encode := func(text string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for text, encoded := range map[string]string{
		swedish:   encode(charmap.Windows1252.NewEncoder().String(swedish)),
		french:    encode(charmap.Windows1252.NewEncoder().String(french)),
		polish:    encode(charmap.ISO8859_2.NewEncoder().String(polish)),
		japanese1: encode(japanese.ShiftJIS.NewEncoder().String(japanese1)),
	} {
		if got, want := readDetected(t, encoded, "EUR"), readDetected(t, text, "EUR"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	// A bank that cuts texts at a number of bytes breaks a character; the others stay what they are.
	cut := "Datum;Betrag;Text\n13.01.2026;-1,50;Müller Straße\n14.01.2026;2,50;Größe Süd\n15.01.2026;2,50;Caf\xc3\n"
	if got, want := readDetected(t, cut, "EUR"), "26-01-13 -1.50 Müller Straße; 26-01-14 2.50 Größe Süd; bad"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
