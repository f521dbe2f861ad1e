package importer

import (
	"slices"
	"strings"
)

// purposeHeaders are headers of what was paid for, in the form that plainHeader gives them: what makes the notes of a payment that has its
// name elsewhere, before references and before the kind of the booking.
const purposeHeaders = "verwendungszweck;verwendungszweck 1;vwz;vwz1;vorgang verwendungszweck;zahlungszweck;zahlungsgrund;buchungsdetails;betreff;mitteilung;mitteilungen;" +
	"purpose;payment purpose;purpose of payment;reference text;remittance information;remittance info;payment reference;payment details;details of payment;transaction details;particulars;narrative;memo;details;" +
	"mededelingen;mededeling;vrije mededeling;omschrijving;omschrijving 1;omschrijving1;" +
	"libelle complementaire;communication;motif;informations complementaires;information complementaire;detail de l operation;libelle complet;" +
	"concepto;concepto ampliado;mas datos;informacion adicional;causale;descrizione estesa;descrizione completa;descritivo;finalidade;" +
	"tytul;tytul operacji;tytul przelewu;tytulem;zprava pro prijemce;sprava pre prijemcu;informacia pre prijemcu;zprava;ucel;ucel platby;" +
	"meddelande;melding;besked;meddelelse;viesti;viesti tai viite;kozlemeny;назначение платежа;призначення платежу;назначение;" +
	"detalii;detalii plata;explicatii;svrha;svrha placanja;svrha doznake;opis placanja;namen;namen placila;основание;цел на дознака;сврха;" +
	"selgitus;mokejimo paskirtis;paskirtis;maksajuma merkis;informacija sanemejam;αιτιολογια;附言;交易附言;用途;摘要;備考;적요;내용;noi dung;dien giai;berita;keterangan;הערות;البيان;"

// purposes are the columns that say what was paid for, the likeliest first.
func (f *detector) purposes(holds func(c *column) bool) []int {
	place := func(at int) int {
		plain, _ := plainHeader(f.columns[at].header)
		if found := strings.Index(";"+purposeHeaders, ";"+plain+";"); plain != "" {
			return found
		}
		return -1
	}
	var list []int
	for at := range f.columns {
		if holds(&f.columns[at]) && place(at) >= 0 {
			list = append(list, at)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return place(a) - place(b) })
	return list
}

// unused are the columns with something in them that nothing is made of. The balance is used where it proves the reading.
func (f *detector) unused() []string {
	c, err := findColumns(f.out, f.kind, f.sheet.header, 1)
	if err != nil {
		return nil // reading the file says what is wrong
	}
	used := slices.Clone(c.at[:])
	if f.chain != nil {
		if p := f.chain.proof(); p.hits() > 0 {
			used = append(used, p.balance)
		}
	}
	list := []string{}
	for at := range f.columns {
		if f.columns[at].filled > 0 && !slices.Contains(used, at) {
			list = append(list, columns{header: f.sheet.header}.titleAt(at))
		}
	}
	return list
}
