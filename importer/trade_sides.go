package importer

import (
	"slices"
	"strings"
	"unicode"
)

// side is what a word or phrase says that a row of a broker's file is.
type side string

const (
	sideUnsaid   side = "" // nothing that is understood, or several things at once
	sideBuy      side = "buy"
	sideSell     side = "sell"
	sideReinvest side = "reinvest" // a purchase when it has a quantity and a price, else the dividend that pays for it
	sideDividend side = "dividend"
	sideInterest side = "interest"
	sideOwed     side = "interest that is paid" // a cost
	sideFee      side = "fee"
	sideOther    side = "other" // neither trade nor income: money or shares that come and go, splits, taxes
)

// What single words say besides. None of these is the meaning of a phrase.
const (
	wordTax    side = "tax"    // of income as well: it is none then
	wordMove   side = "move"   // money or shares that come and go, unless the phrase says for what income
	wordMoney  side = "money"  // how something is paid, which a purchase, a sale or income may be said to be, too
	wordCredit side = "credit" // likewise; interest on it is income
	wordDebt   side = "debt"   // likewise; interest on it is a cost
	wordUndo   side = "undone" // something is taken back
)

// phrases understands what brokers call the sides of their trades. It remembers the phrases it has seen, which
// are few; there is one for every reading of a file. The zero value is ready.
type phrases struct {
	words map[string]side // whole words
	stems []stem          // beginnings of words, and parts of compounds
	seen  map[string]side // by phrase
}

// stem is how words of a side begin; inside says that it may stand anywhere in a word.
type stem struct {
	text   string
	inside bool
	side   side
}

// fill knows the words; it takes its time, and many files have no such column.
func (p *phrases) fill() {
	p.words, p.seen = map[string]side{}, map[string]side{}
	p.addWords(sideBuy, "b k bot buy buys koop kop köpt købt køb osto kup alim subscription")
	p.addWords(sideSell, "s v sld sell sells sale sales salt sald salj salg solgt redeem redemption")
	p.addWords(sideReinvest, "drip drp rei")
	p.addWords(sideFee, "fee fees cost costs charge charges frais spese taxa gebyr avgift kurtage courtage")
	p.addWords(sideDividend, "gain gains div cdiv")
	p.addWords(sideOther, "fx spin gift")
	p.addWords(wordTax, "tax taxes iva skatt")
	p.addWords(wordMove, "top ach wire sweep")
	p.addWords(wordMoney, "cash kasse contanti efectivo especes numerario kontant contant")
	p.addWords(wordDebt, "soll negative charged")
	p.addStems(sideReinvest, "reinvest riinvest wiederanlage thesaurier herbeleg")
	p.addStems(sideBuy, `bought buying purchas achat achet souscri zeichnung compra acquist aquisi aankoop gekocht gekauft kupno zakup
		nakup nakop kupion koup kupnja vetel cumpar ostett kjøp alis sparplan покуп купл купит купів αγορ شراء`)
	p.addStems(sideSell, `sold selling verkoop verkocht vente vendu cession rachat venta vendid venda vendit vendut reembolso rimborso
		rucknahme myynti myyty sprzeda prodej predaj prodaj eladas vanzare satis satim прод πωλησ بيع`)
	p.addStems(sideDividend, "distribu ausschutt ertragnis utbytte udbytte osinko osing osztalek temettu proventi дивиденд μερισμα דיבידנד")
	p.addStems(sideInterest, `creditrent kreditrent interes interet juros odsetk ranta renta rente rentor korko korot kamat urok coupon kupong cedola cupon cupom faiz palukan intress doband
		процент відсот лихв купон τοκο ריבית فوائد`)
	p.addStems(sideOwed, "debetrant debetrent debitrent marginrant marginrent leenrent lanerent lanrant laanrent")
	p.addStems(sideFee, "commission comision commissione provision kosten custody oplata poplatek комисс προμηθ")
	p.addStems(wordTax, "steuer withhold impot impuest impost imposta bronbelasting kildeskat kallskatt налог")
	p.addStems(wordMove, `deposit withdr transfer topup einzahl auszahl uberweis umbuch virement retrait versement storting opname overschrijv
		retiro prelievo bonific versament deponer insatt uttag wplat wyplat przelew journal promotion staking reward airdrop bonus перевод`)
	p.addStems(wordMoney, "payment")
	p.addStems(wordCredit, "credit gutschrift accredit")
	p.addStems(wordDebt, "debit debet margin lombard borrow overdraft deudor devedor passiv")
	p.addStems(wordUndo, "storn cancel revers correct stornier annul")
	p.addStems(sideOther, "forex split spinoff merger adjust convers umtausch corporate stockdivid aktiendivid titeldivid")
	p.addStems(sideUnsaid, "compravend compravent") // purchase and sale in one
	p.addInside(sideSell, "verkauf 卖 賣 売 매도")
	p.addInside(sideBuy, "买 買 購入 매수")
	p.addInside(sideDividend, "divid dywid utdelning ertragsgutschrift ertragsausschutt 配当 股息 红利 派息 分紅 分红 배당 분배금 ปันผล")
	p.addInside(sideInterest, "zins 利息 利子 이자")
	p.addInside(sideOwed, "sollzins debitzins kreditzins lombardzins marginzins dispozins uberziehungszins negativzins strafzins schuldzins zinsaufwand zinsbelast")
	p.addInside(wordTax, "steuer 税 세금")
	p.addInside(sideFee, "gebuhr 手数料 手续费 수수료")
	p.addInside(wordMove, "ubertrag 入金 出金 转账 振替 입금 출금")
}

func (p *phrases) addWords(s side, words string) {
	for _, word := range strings.Fields(words) {
		p.words[plainWord(word)] = s
	}
}

func (p *phrases) addStems(s side, stems string) {
	for _, text := range strings.Fields(stems) {
		p.stems = append(p.stems, stem{plainWord(text), false, s})
	}
}

func (p *phrases) addInside(s side, stems string) {
	for _, text := range strings.Fields(stems) {
		p.stems = append(p.stems, stem{plainWord(text), true, s})
	}
}

// of is what the phrase in a cell says besides the name of the security, which may stand in it as it stands in another cell: the
// word dividend in the name of a fund says nothing of the row.
func (p *phrases) of(cells []string, at int) side {
	const shortest = 8
	phrase := oneLine(cellAt(cells, at))
	if !strings.Contains(phrase, " ") {
		return p.meaning(phrase)
	}
	for i, cell := range cells {
		if i == at || len(cell) < shortest || len(cell) >= len(phrase) || !strings.Contains(cell, " ") {
			continue
		}
		if from := strings.Index(strings.ToUpper(phrase), strings.ToUpper(cell)); from >= 0 && from+len(cell) <= len(phrase) {
			phrase = oneLine(phrase[:from] + " " + phrase[from+len(cell):])
		}
	}
	return p.meaning(phrase)
}

// meaning is what a phrase says.
func (p *phrases) meaning(phrase string) side {
	if p.words == nil {
		p.fill()
	}
	s, known := p.seen[phrase]
	if !known {
		s = p.read(phrase)
		if len(p.seen) < maxNames {
			p.seen[strings.Clone(phrase)] = s
		}
	}
	return s
}

// read takes a phrase for what its words agree on. What speaks of a purchase or sale and of something else, such as
// "buy fee", is not understood.
func (p *phrases) read(phrase string) side {
	said := map[side]bool{}
	words := strings.FieldsFunc(plainWord(phrase), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		if len(word) > 1 || plainWord(phrase) == word { // a letter in a phrase is somebody's name, one with digits a number
			said[p.word(word)] = true
		}
	}
	income := said[sideDividend] || said[sideInterest] || said[sideOwed]
	trade, other := said[sideBuy] || said[sideSell], said[sideFee] || said[sideOther] || said[wordTax] || said[wordMove] || said[wordUndo]
	switch {
	case said[sideReinvest] && (said[wordUndo] || said[wordTax]):
		return sideUnsaid
	case said[sideReinvest]:
		return sideReinvest
	case trade && (other || income), said[sideBuy] && said[sideSell]:
		return sideUnsaid
	case said[sideBuy]:
		return sideBuy
	case said[sideSell]:
		return sideSell
	case other || income:
		return telling(said, words)
	}
	s := shorting(words)
	if s == sideUnsaid && (said[wordMoney] || said[wordCredit] || said[wordDebt]) {
		return sideOther
	}
	return s
}

// telling chooses among what a phrase says besides trades. The most telling counts: "tax on dividend" is a tax. How income is paid,
// such as in cash or by a credit, changes nothing, but interest on a debt is a cost, and a dividend in shares is no money.
func telling(said map[side]bool, words []string) side {
	switch {
	case said[sideOther] || said[wordTax]:
		return sideOther
	case said[sideFee]:
		return sideFee
	case said[sideDividend] && inShares(words):
		return sideOther
	case said[sideDividend]:
		return sideDividend
	case said[sideOwed], said[sideInterest] && said[wordDebt] && !said[wordCredit]:
		return sideOwed
	case said[sideInterest]:
		return sideInterest
	}
	return sideOther
}

// inShares says whether a dividend is one of shares: "stock dividend", "dividende en actions". "Dividend on stock" is money.
func inShares(words []string) bool {
	shares := []string{"stock", "scrip", "share", "shares", "actions", "acciones", "azioni", "acoes", "aktien"}
	for i, word := range words {
		before := i > 0 && slices.Contains(shares, words[i-1])
		within := i+2 < len(words) && slices.Contains([]string{"in", "en", "em"}, words[i+1]) && slices.Contains(shares, words[i+2])
		if strings.HasPrefix(word, "divid") && (before || within) {
			return true
		}
	}
	return false
}

// shorting reads phrases that say nothing plainer: "short" is a sale, "cover", "short cover" and "savings plan" are purchases.
func shorting(words []string) side {
	switch {
	case slices.Contains(words, "cover") || slices.Contains(words, "covered"):
		return sideBuy
	case slices.Contains(words, "short"):
		return sideSell
	case slices.Contains(words, "savings") && slices.Contains(words, "plan"):
		return sideBuy
	}
	return sideUnsaid
}

// word is what a word says by itself, the longest stem that fits deciding; that of a tax always does.
func (p *phrases) word(word string) side {
	if s, known := p.words[word]; known {
		return s
	}
	best := stem{}
	for _, s := range p.stems {
		fits := strings.HasPrefix(word, s.text) || s.inside && strings.Contains(word, s.text)
		if fits && s.side == wordTax {
			return wordTax
		}
		if fits && len(s.text) > len(best.text) {
			best = s
		}
	}
	if strings.HasSuffix(word, "kauf") && !strings.Contains(word, "verkauf") && !strings.Contains(word, "ruckkauf") || strings.HasPrefix(word, "kauf") {
		return sideBuy
	}
	return best.side
}
