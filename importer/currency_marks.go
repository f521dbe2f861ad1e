package importer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/ledger"
)

// signTable says which currencies are written with a sign. A sign that is not here, and "kr" and the like, may be of any.
const signTable = `
$ USD AUD CAD NZD SGD HKD TWD MXN ARS CLP COP UYU DOP CUP BBD BMD BND BSD BZD FJD GYD JMD KYD LRD NAD NIO SBD SRD TTD XCD BRL CVE MOP TOP WST ZWL ZWG
£ GBP GIP FKP SHP EGP LBP SYP SSP SDG
¥ JPY CNY
￥ JPY CNY
₹ INR
₽ RUB
₺ TRY
₴ UAH
₩ KRW KPW
₪ ILS
₫ VND
₱ PHP
฿ THB
₦ NGN
₡ CRC SVC
₲ PYG
₸ KZT
₾ GEL
₼ AZN
₵ GHS
₮ MNT
៛ KHR
৳ BDT
us$ USD
ca$ CAD
c$ CAD NIO
au$ AUD
a$ AUD
nz$ NZD
s$ SGD
hk$ HKD
nt$ TWD
mx$ MXN
`

// isOf says whether the number may be in a currency as far as what stands beside it says.
func (n number) isOf(currency ledger.Currency) bool {
	if n.code != "" || n.sign == "" {
		return n.code == "" || n.code == currency.Code
	}
	codes, known := signOf(n.sign)
	return !known || strings.Contains(codes, currency.Code)
}

// signOf gives the codes of the currencies that are written with a sign.
func signOf(mark string) (codes string, known bool) {
	_, rest, known := strings.Cut(signTable, "\n"+strings.ToLower(mark)+" ")
	codes, _, _ = strings.Cut(rest, "\n")
	return codes, known
}

// hundredthOf understands what is written for the hundredth of a currency, in which some markets quote shares: GBX, GBp or a p for pence.
func hundredthOf(mark string) (code string, ok bool) {
	switch mark {
	case "p", "p.", "GBp", "GBx", "GBX", "gbx", "pence", "Pence", "PENCE", "GBPX", "GBPENCE":
		return "GBP", true
	case "ZAc", "ZAC", "ZARc":
		return "ZAR", true
	case "ILA", "ILa", "ILX":
		return "ILS", true
	}
	return "", false
}

// currencyMark understands what may stand beside a number for its currency: a code, a symbol, or a
// short local name. The code is empty where the mark does not tell one currency from another.
func currencyMark(mark string) (string, error) {
	switch strings.ToLower(mark) {
	case "":
		return "", nil
	case "€":
		return "EUR", nil
	case "r$":
		return "BRL", nil
	case "zł":
		return "PLN", nil
	case "kč":
		return "CZK", nil
	case "tl":
		return "TRY", nil
	case "лв", "лв.":
		return "BGN", nil
	case "грн", "грн.":
		return "UAH", nil
	case "r", "rp", "rp.", "rm", "ksh", "ksh.", "sfr.", "dh", "dhs", "q", "s/", "s/.", "bs", "bs.", "руб", "руб.", "р.", "р", "kn", "din", "din.", "원", "บาท", "đ":
		return "", nil
	case "kr", "kr.", "fr", "fr.", "rs", "rs.", "ft", "lei", "元", "円":
		return "", nil
	}
	if currency, ok := lookupCode(mark); ok {
		return currency.Code, nil
	}
	if _, known := signOf(mark); known {
		return "", nil
	}
	if r, size := utf8.DecodeRuneInString(mark); size == len(mark) && unicode.Is(unicode.Sc, r) {
		return "", nil
	}
	return "", errMisfit
}
