package importer_test

import (
	"io"
	"strings"
	"testing"

	"finsvc/importer"
)

// TestDetectFees: a fee is no amount while another column has one, whatever its header is called; where the balances
// add up only with it, it is booked with its amount.
func TestDetectFees(t *testing.T) {
	t.Parallel()
	const signed = "26-01-13 -10.00; 26-01-14 20.00"
	fees := map[string]string{}
	for _, header := range []string{"Provision", "Charge", "Commission paid", "Amount of fee", "Wire fee",
		"Überweisungsgebühr", "Orderkosten", "Frais de tenue de compte",
		"Comisión de cambio", "Commissione bonifico", "Transactiekosten", "Comissão", "Prowizja za przelew",
		"Poplatek za platbu", "Uttagsavgift", "Gebyr i NOK", "Palvelumaksu",
		"Kezelési díj", "Комиссия банка", "İşlem ücreti", "转账手续费", "振込手数料", "이체수수료", "Provizija banke", "Teenustasu",
		"Komisijas maksa", "עמלת המרה", "Phí dịch vụ", "Biaya admin"} {
		fees[header] = "Date;What;" + header + ";Moved\n13.01.2026;A;1,00;-10,00\n14.01.2026;B;2,00;20,00\n"
	}
	for header, file := range fees {
		if got := figures(readDetected(t, file, "EUR")); got != signed {
			t.Errorf("%s: got  %s\nwant %s", header, got, signed)
		}
	}
	for name, c := range map[string]detectCase{
		"an amount after fees is an amount": {"Date;What;Amount after fees\n13.01.2026;A;-10,00\n14.01.2026;B;20,00\n",
			"", signed},
		"a list of nothing but fees": {"Date;What;Fee\n13.01.2026;A;-1,00\n14.01.2026;B;2,00\n", "",
			"26-01-13 -1.00; 26-01-14 2.00"},
		"charges and credits of a card": {"Date;What;Charges;Credits\n13.01.2026;A;10,00;\n14.01.2026;B;;20,00\n",
			"", signed},
		"besides a pair": {"Date;What;Debit;Credit;Fee;Balance\n13.01.2026;A;10,00;;1,00;89,00\n14.01.2026;B;;20,00;2,00;107,00\n15.01.2026;C;;10,00;0,50;116,50\n", "",
			"26-01-13 -11.00; 26-01-14 18.00; 26-01-15 9.50"},
		"besides a word for the side": {"Date;What;Type;Amount;Fee;Balance\n13.01.2026;A;Debit;10,00;1,00;89,00\n14.01.2026;B;Credit;20,00;2,00;107,00\n15.01.2026;C;Credit;10,00;0,50;116,50\n", "",
			"26-01-13 -11.00; 26-01-14 18.00; 26-01-15 9.50"},
		"besides amounts of which a positive one is money out": {"Date;What;Amount;Fee;Balance\n13.01.2026;A;10,00;1,00;89,00\n14.01.2026;B;-20,00;2,00;107,00\n15.01.2026;C;-10,00;0,50;116,50\n", "",
			"26-01-13 -11.00; 26-01-14 18.00; 26-01-15 9.50"},
		"alone in a row": {"Date;What;Amount;Fee;Balance\n13.01.2026;A;-10,00;1,00;89,00\n14.01.2026;B;;0,50;88,50\n15.01.2026;C;20,00;;108,50\n", "",
			"26-01-13 -11.00; 26-01-14 -0.50; 26-01-15 20.00"},
		"two that count together": {"Date;What;Amount;Fee;Commission;Balance\n13.01.2026;A;-5,00;1,00;0,10;95,00\n14.01.2026;B;20,00;1,00;0,20;113,80\n15.01.2026;C;10,00;0,50;0,10;123,20\n", "",
			"asked fee_col_label"},
		"two of which one counts": {"Date;What;Amount;Fee;Commission;Balance\n13.01.2026;A;-5,00;1,00;0,10;95,00\n14.01.2026;B;20,00;1,00;0,20;114,00\n15.01.2026;C;10,00;0,50;0,10;123,50\n", "",
			"26-01-13 -6.00; 26-01-14 19.00; 26-01-15 9.50"},
		"in the pair already": {"Date;What;Debit;Credit;Fee;Balance\n13.01.2026;A;11,00;;1,00;89,00\n14.01.2026;B;;18,00;2,00;107,00\n15.01.2026;C;;9,50;0,50;116,50\n", "",
			"26-01-13 -11.00; 26-01-14 18.00; 26-01-15 9.50"},
	} {
		if got := figures(readDetected(t, c.file, "EUR")); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
		}
	}
}

// What is done with a fee is told before.
func TestDetectTellsOfFees(t *testing.T) {
	t.Parallel()
	for file, want := range map[string][2]string{
		"Date;What;Debit;Credit;Fee;Balance\n13.01.2026;A;10,00;;1,00;89,00\n14.01.2026;B;;20,00;2,00;107,00\n": {"fee_col_label", "booked as part of it"},
		"Date;What;Debit;Credit;Fee\n13.01.2026;A;10,00;;1,00\n14.01.2026;B;;20,00;2,00\n":                      {"debit_col_label", `"Fee" is no part of the amounts`},
	} {
		reasons := importer.Reasons(func() (io.Reader, error) { return strings.NewReader(file), nil }, euro(t))
		if !strings.Contains(reasons[want[0]], want[1]) {
			t.Errorf("%s: %s", want[0], reasons[want[0]])
		}
	}
}
