package importer

import (
	"slices"
	"strings"
)

// feeWords are headers of what a bank has taken beside the amount.
const feeWords = "fee;fees;fee amount;total fee;total fees;transaction fee;transaction fees;commission;commissions;charge;charges;gebuhr;gebuhren;entgelt;" +
	"spesen;frais;comision;comisiones;tarifa;commissione;commissioni;kosten;taxa;tarifas;comissao;oplata;prowizja;poplatek;avgift;gebyr;maksu;palkkio;dij;jutalek;" +
	"комиссия;komisyon;ucret;手续费;手数料;"

// What makes of a longer header one of fees: a word of it, the beginning or end of one in languages that join words, or any
// part of one that is written without spaces.
const (
	feeInside = "fee;fees;commission;commissions;surcharge;surcharges;brokerage;gebuhr;gebuhren;gebuehr;gebuehren;entgelt;entgelte;spesen;" +
		"frais;agios;comision;comisiones;commissione;commissioni;comissao;comissoes;corretagem;kosten;provisie;provision;provisionen;" +
		"courtage;kommission;prowizja;prowizji;prowizje;oplata;oplaty;poplatek;poplatky;poplatku;provize;provizia;provizija;provizije;" +
		"naknada;naknade;avgift;avgifter;gebyr;gebyrer;kurtage;kurtasje;provisjon;palkkio;palkkiot;palvelumaksu;palvelumaksut;dij;dija;dijak;" +
		"jutalek;teenustasu;komisjonitasu;komisija;komisijas;komisinis;komisiniai;komisyon;komisyonu;ucret;ucreti;masraf;masrafi;comisioane;" +
		"комиссия;комиссии;комиссионные;комісія;комісії;комисиона;комисионна;комисия;провизия;провизија;προμηθεια;προμηθειεσ;εξοδα;" +
		"수수료;거래수수료;이체수수료;עמלה;עמלות;עמלת;عمولة;رسوم;الرسوم;phi;biaya;"
	feeEnds   = "gebuhr;gebuhren;gebuehr;gebuehren;entgelt;entgelte;spesen;kosten;provision;courtage;avgift;avgifter;gebyr;gebyrer;kurtage;palkkio;dij;jutalek;수수료;"
	feeBegins = "gebuhren;entgelts;provisions;kosten;avgifts;gebyr;kurtage;"
	feeWide   = "手续费;手續費;手数料;服务费;服務費;"
)

// chargeWords are fees as a whole header, but not as a part of one: what was charged may be the amount.
const chargeWords = "charge;charges;charge fee;bank charge;bank charges;service charge;service charges;transaction charge;transaction charges;card charge;other charges;tariff;tarifas;tarif;taxa;taxas;"

// besideFee are words of headers that name an amount by what becomes of the fee, such as "amount after fees".
const besideFee = "incl;including;included;inclusive;inkl;inklusive;excl;excluding;exclusive;exkl;exklusive;before;after;less;minus;plus;with;without;deducted;ohne;mit;nach;vor;abzgl;" +
	"abzuglich;zzgl;zuzuglich;avec;sans;hors;apres;avant;inclus;deduits;con;sin;despues;antes;incluida;senza;dopo;prima;met;zonder;na;voor;com;sem;apos;z;bez;po;przed;s;pred;med;utan;" +
	"uten;uden;efter;etter;for;fore;с;без;до;после;за;з;після;dahil;haric;sonrasi;ilman;jalkeen;"

// saysFee reports whether a header is that of a fee, in any language, and not that of an amount which tells what became of one.
func saysFee(header string) bool {
	plain, _ := plainHeader(header)
	if among(feeWords, header) || isListed(chargeWords, plain) && plain != "" {
		return true
	}
	if wide(plain) {
		return slices.ContainsFunc(strings.Split(strings.TrimSuffix(feeWide, ";"), ";"), func(word string) bool { return strings.Contains(plain, word) }) &&
			!strings.ContainsAny(plain, "含除后後前扣込")
	}
	fee := false
	for word := range strings.FieldsSeq(plain) {
		if isListed(besideFee, word) {
			return false
		}
		fee = fee || isListed(feeInside, word) || joins(word, feeEnds, strings.HasSuffix) || joins(word, feeBegins, strings.HasPrefix)
	}
	return fee
}

// joins reports whether a word is made of one of a list and more.
func joins(word, list string, holds func(word, part string) bool) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(list, ";"), ";") {
		if len(word) > len(part) && holds(word, part) {
			return true
		}
	}
	return false
}

// knowFees makes columns that are headed as fees columns of another amount than the one that is booked. Charges stand for
// money out where another column has the money in.
func (f *detector) knowFees() {
	pair := slices.ContainsFunc(f.columns, func(c column) bool { return c.roles[roleCredit] >= 900 && !saysFee(c.header) })
	for i := range f.columns {
		c := &f.columns[i]
		if !saysFee(c.header) || pair && c.roles[roleDebit] >= 900 {
			continue
		}
		c.fee, c.roles = true, map[role]int{roleOtherAmount: 1_000}
	}
}

// lessFee is an amount, by its index in the chain, and the column of the fee that is taken besides it, or allFees.
type lessFee struct{ amount, fee int }

// allFees stands for all columns of fees together.
const allFees = -2

// width is how many amounts the chain looks at.
func (c *chain) width() int { return len(c.at) + len(c.less) }

// amountAt is the column of an amount.
func (c *chain) amountAt(a int) int {
	if a >= len(c.at) {
		a = c.less[a-len(c.at)].amount
	}
	return c.at[a]
}

// fees are the columns that hold fees.
func (f *detector) fees() []int {
	if at := f.toldColumn("fee_col_label"); at >= 0 {
		return []int{at}
	}
	return f.where(func(c *column) bool { return c.isNumber && c.fee })
}

// lessFees are the amounts that the chain looks at besides the columns: each with each fee.
func (f *detector) lessFees(c *chain) (list []lessFee) {
	const most = 8
	fees := f.fees()
	if c.fees = fees; len(fees) > 1 {
		fees = append(slices.Clone(fees), allFees)
	}
	for _, fee := range fees {
		for i, at := range c.at {
			if at != fee && f.columns[at].roles[roleBalance] == 0 && len(list) < most {
				list = append(list, lessFee{i, fee})
			}
		}
	}
	return list
}

// proofLess is what the chain proves of an amount and a fee that is taken besides.
func (c *chain) proofLess(amount, fee int) proof {
	return c.best(func(a int) bool {
		return a >= len(c.at) && c.amountAt(a) == amount && c.less[a-len(c.at)].fee == fee
	})
}

// proofOfAmount is what the chain proves of the column of amounts, with the fee where one is taken besides.
func (f *detector) proofOfAmount() proof { return f.proofOf(f.amount) }

func (f *detector) proofOf(amount int) proof {
	if f.fee >= 0 {
		return f.chain.proofLess(amount, f.fee)
	}
	return f.chain.proofOf(amount)
}

// findFee takes the fees besides the amounts where only then the balances add up.
func (f *detector) findFee() {
	if f.fee = f.toldColumn("fee_col_label"); !f.open("fee_col_label") {
		return
	}
	plain, all := 0, 0
	for _, at := range f.money() {
		p := f.chain.proofOf(at)
		plain, all = plain+p.hits(), all+p.all
	}
	hitsWith := func(fee int) (hits int, best proof) {
		for _, at := range f.money() {
			p := f.chain.proofLess(at, fee)
			if hits += p.hits(); p.hits() > best.hits() {
				best = p
			}
		}
		return hits, best
	}
	together, sum := hitsWith(allFees)
	for _, fee := range f.fees() {
		if hits, best := hitsWith(fee); hits > plain && hits >= together {
			f.fee = fee
			f.set("fee_col_label", f.label(fee), "%s, only when the fee is taken besides the amount: it is booked as part of it", f.stepsOf(best))
			return
		}
	}
	if together > plain {
		f.ask("fee_col_label", nil, "%s only when all of %s are taken besides the amount; put what they come to in one column and give that", f.stepsOf(sum), f.titles(f.fees()))
		return
	}
	for _, fee := range f.fees() {
		if n := f.columns[fee].numbers; n.count > n.zero && plain < all+one(all == 0) {
			for _, setting := range []string{"amount_col_label", "debit_col_label"} {
				f.add(setting, "; %s is no part of the amounts, unless fee_col_label names it", f.title(fee))
			}
			return
		}
	}
}
