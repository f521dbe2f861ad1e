package importer

// feeWords are headers of what a bank has taken beside the amount.
const feeWords = "fee;fees;fee amount;total fee;total fees;transaction fee;transaction fees;commission;commissions;charge;charges;gebuhr;gebuhren;entgelt;" +
	"spesen;frais;comision;comisiones;tarifa;commissione;commissioni;kosten;taxa;tarifas;comissao;oplata;prowizja;poplatek;avgift;gebyr;maksu;palkkio;dij;jutalek;" +
	"комиссия;komisyon;ucret;手续费;手数料;"

// lessFee is an amount, by its index in the chain, from which the fee in a column is taken.
type lessFee struct{ amount, fee int }

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
	return f.where(func(c *column) bool { return c.isNumber && among(feeWords, c.header) })
}

// lessFees are the amounts that the chain looks at besides the columns: each less each fee.
func (f *detector) lessFees(c *chain) (list []lessFee) {
	const most = 8
	for _, fee := range f.fees() {
		for i, at := range c.at {
			if at != fee && len(list) < most {
				list = append(list, lessFee{i, fee})
			}
		}
	}
	return list
}

// proofLess is what the chain proves of an amount less a fee.
func (c *chain) proofLess(amount, fee int) proof {
	return c.best(func(a int) bool {
		return a >= len(c.at) && c.amountAt(a) == amount && c.less[a-len(c.at)].fee == fee
	})
}

// findFee takes the fees from the amounts where only then the balances add up.
func (f *detector) findFee() {
	if f.fee = f.toldColumn("fee_col_label"); !f.open("fee_col_label") {
		return
	}
	plain := f.chain.proofOf(f.amount)
	for _, fee := range f.fees() {
		if p := f.chain.proofLess(f.amount, fee); p.hits() > plain.hits() && p.minus == 0 {
			f.fee = fee
			f.set("fee_col_label", f.label(fee), "%s, only when the fee is taken from the amount", f.stepsOf(p))
			return
		}
	}
	for _, fee := range f.fees() {
		if n := f.columns[fee].numbers; n.count > n.zero && plain.hits() < plain.all+one(plain.all == 0) {
			f.add("amount_col_label", "; %s is no part of the amounts, unless fee_col_label names it", f.title(fee))
			return
		}
	}
}
