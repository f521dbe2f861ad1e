package importer_test

import (
	"io"
	"strings"
	"testing"

	"finsvc/importer"
)

// TestDetectNotes: what was paid for makes the notes where another column has the name; what nothing is made of is
// told.
func TestDetectNotes(t *testing.T) {
	t.Parallel()
	const german = "Buchungstag;Buchungstext;Verwendungszweck;Kundenreferenz;Beguenstigter/Zahlungspflichtiger;Betrag;Waehrung;Info\n" +
		"13.01.2026;LASTSCHRIFT;Strom Januar;K1;Stadtwerke;-5,00;EUR;Umsatz gebucht\n14.01.2026;GUTSCHRIFT;Lohn Januar;K2;Werk AG;20,00;EUR;Umsatz gebucht\n"
	for header, want := range map[string]string{
		"Buchungstag;Buchungstext;Verwendungszweck;Empfänger;Betrag": "Verwendungszweck; Buchungstext",
		"Buchungstag;Mitteilung;Buchungstext;Empfänger;Betrag":       "Mitteilung; Buchungstext",
		"Date;Type;Reference text;Payee;Amount":                      "Reference text; Type",
		"Date;Reference;Purpose;Payee;Amount":                        "Purpose; Reference",
		"Date;Bank code;Memo;Payee;Amount":                           "Memo; Bank code",
		"Datum;Mutatiesoort;Mededelingen;Naam tegenpartij;Bedrag":    "Mededelingen; Mutatiesoort",
		"Datum;Code;Omschrijving;Naam tegenpartij;Bedrag":            "Omschrijving; Code",
		"Date;Libellé;Libellé complémentaire;Bénéficiaire;Montant":   "Libellé complémentaire; Libellé",
		"Fecha;Referencia;Concepto;Beneficiario;Importe":             "Concepto; Referencia",
		"Data;Riferimento;Causale;Beneficiario;Importo":              "Causale; Riferimento",
		"Data operacji;Rodzaj transakcji;Tytuł;Odbiorca;Kwota":       "Tytuł; Rodzaj transakcji",
		"Datum;Typ transakce;Zpráva pro příjemce;Protistrana;Částka": "Zpráva pro příjemce; Typ transakce",
		"Pvm;Tapahtumalaji;Viesti;Saaja;Määrä":                       "Viesti; Tapahtumalaji",
		"Dátum;Tranzakció típusa;Közlemény;Partner neve;Összeg":      "Közlemény; Tranzakció típusa",
		"Дата;Референс;Назначение платежа;Получатель;Сумма":          "Назначение платежа; Референс",
		"Datum;Referenca;Svrha;Primatelj;Iznos":                      "Svrha; Referenca",
		"Transaktionsdatum;Referens;Meddelande;Mottagare;Belopp":     "Meddelande; Referens",
	} {
		cells := "\n13.01.2026;AAA one;first words;Harbour;-5,00\n14.01.2026;BBB two;other words;Kiosk;6,00\n"
		settings, unused := importer.Unused(func() (io.Reader, error) { return strings.NewReader(header + cells), nil },
			euro(t))
		if settings.NotesColLabel == nil {
			t.Errorf("%s: no notes", header)
			continue
		}
		if got := *settings.NotesColLabel + "; " + strings.Join(unused, ", "); got != want {
			t.Errorf("%s: got %s, want %s", header, got, want)
		}
	}
	settings, unused := importer.Unused(func() (io.Reader, error) { return strings.NewReader(german), nil }, euro(t))
	if *settings.NameColLabel != "Beguenstigter/Zahlungspflichtiger" || *settings.NotesColLabel != "Verwendungszweck" ||
		strings.Join(unused, ", ") != "Buchungstext, Kundenreferenz, Info" {
		t.Error(*settings.NameColLabel, *settings.NotesColLabel, unused)
	}
}

// A balance that proves the reading is used, and one that proves nothing is not; a column without a name goes by its
// number.
func TestDetectUnused(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"Date;Payee;Amount;Balance\n13.01.2026;Kiosk;-5,00;95,00\n14.01.2026;Acme;6,00;101,00\n15.01.2026;Bar;-1,00;100,00\n": "",
		"Date;Payee;Amount;Balance\n13.01.2026;Kiosk;-5,00;95,00\n14.01.2026;Acme;6,00;80,00\n15.01.2026;Bar;-1,00;100,00\n":  "Balance",
		"13.01.2026;Kiosk of Rome;x1;-5,00;\n14.01.2026;Acme of Bonn;x2;6,00;\n":                                              "column 3",
	} {
		if _, unused := importer.Unused(func() (io.Reader, error) { return strings.NewReader(file), nil },
			euro(t)); strings.Join(unused, ", ") != want {
			t.Errorf("%q: got %s, want %s", file, unused, want)
		}
	}
}
