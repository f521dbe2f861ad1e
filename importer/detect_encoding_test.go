package importer_test

import (
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// Files in many character sets, none of them named or marked, give the same figures and names.
func TestDetectEncodings(t *testing.T) {
	t.Parallel()
	const (
		german    = "Buchungstag;Empfänger;Betrag;Währung\n13.02.2026;Bäckerei Müller;-4,80;EUR\n14.02.2026;Große Werkstätten;900,00;EUR\n"
		polish    = "Data operacji;Opis operacji;Kwota;Saldo po operacji\n2026-02-13;Żabka świeże pieczywo, Łódź;-12,99;987,01\n2026-02-12;Wypłata wynagrodzenia za styczeń;1000,00;1000,00\n"
		russian   = "Дата операции;Описание;Сумма операции\n13.02.2026;Продуктовый магазин на углу;-350,00\n14.02.2026;Зарплата за январь;50000,00\n"
		japanese1 = "お取引日,お取引内容,お支払金額,お預り金額,差引残高\n2026/2/13,スーパーマーケット,1500,,98500\n2026/2/14,給与振込,,200000,298500\n"
		chinese   = "交易日期,摘要,支出,收入,余额\n2026-02-13,超市购物,150.00,,850.00\n2026-02-14,工资收入,,30000.00,30850.00\n"
		croatian  = "Datum;Opis;Isplata;Uplata;Stanje\n13.02.2026;Konzum;45,20;;954,80\n14.02.2026;Plaća;;1.200,00;2.154,80\n"
		shortPole = "Data operacji;Nadawca/Odbiorca;Tytuł;Kwota\n2026-02-13;Żabka;zakupy;-9,20\n2026-02-14;Świętochłowice;zwrot;50,00\n"
		turkish   = "Tarih;Açıklama;İşlem Tutarı;Bakiye\n13.02.2026;Şok Market;-9,20;90,80\n14.02.2026;Ağabey;50,00;140,80\n"
		hebrew    = "תאריך,תיאור,חובה,זכות\n13/02/2026,קפה,350.00,\n16/02/2026,משכורת,,15000.00\n"
		greek     = "Ημερομηνία;Αιτιολογία;Ποσό\n13/02/2026;ΑΓΟΡΑ;-12,50\n16/02/2026;ΜΙΣΘΟΔΟΣΙΑ;1.800,00\n"
		lithuania = "Data;Gavėjas;Suma\n2026-02-13;Žirmūnų parduotuvė;-12.50\n2026-02-16;Šiaulių įmonė;1800.00\n"
		taiwan    = "交易日期,摘要,支出,存入,餘額\n2026/02/13,超商購物,150,,850\n2026/02/14,薪資轉帳,,30000,30850\n"
	)
	for name, c := range map[string]struct {
		charset        encoding.Encoding
		text, currency string
	}{
		"windows-1252": {charmap.Windows1252, german, "EUR"}, "utf-8": {unicode.UTF8, german, "EUR"},
		"utf-16 little": {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), german, "EUR"},
		"utf-16 big":    {unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), german, "EUR"},
		"iso-8859-2":    {charmap.ISO8859_2, polish, "PLN"}, "windows-1250": {charmap.Windows1250, polish, "PLN"},
		"windows-1251": {charmap.Windows1251, russian, "RUB"}, "koi8-r": {charmap.KOI8R, russian, "RUB"},
		"croatian": {charmap.Windows1250, croatian, "EUR"}, "polish, few letters": {charmap.Windows1250, shortPole,
			"PLN"}, "polish, the older set": {charmap.ISO8859_2, shortPole, "PLN"},
		"turkish": {charmap.Windows1254, turkish, "TRY"}, "hebrew": {charmap.Windows1255, hebrew, "ILS"},
		"greek": {charmap.Windows1253, greek, "EUR"}, "lithuanian": {charmap.Windows1257, lithuania, "EUR"},
		"shift-jis": {japanese.ShiftJIS, japanese1, "JPY"}, "euc-jp": {japanese.EUCJP, japanese1, "JPY"},
		"gb18030": {simplifiedchinese.GB18030, chinese, "CNY"}, "big5": {traditionalchinese.Big5, taiwan, "TWD"},
		"utf-16 russian": {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), russian, "RUB"},
	} {
		want := readDetected(t, c.text, c.currency)
		bytes, err := c.charset.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := readDetected(t, bytes, c.currency); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}
