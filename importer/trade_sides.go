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
	sideFee      side = "fee"
	sideOther    side = "other" // neither trade nor income: money or shares that come and go, splits, taxes
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
	p.addWords(sideFee, "fee fees cost costs charge charges frais spese taxa gebyr avgift kurtage courtage")
	p.addWords(sideDividend, "gain gains div cdiv")
	p.addWords(sideOther, "top ach fx tax taxes wire cash spin gift iva skatt storno")
	p.addStems(sideReinvest, "reinvest riinvest wiederanlage thesaurier herbeleg")
	p.addStems(sideBuy, `bought buying purchas achat achet souscri zeichnung compra acquist aquisi aankoop gekocht gekauft kupno zakup
		nakup nakop kupion koup kupnja vetel cumpar ostett kjøp alis sparplan покуп купл купит купів αγορ شراء`)
	p.addStems(sideSell, `sold selling verkoop verkocht vente vendu cession rachat venta vendid venda vendit vendut reembolso rimborso
		rucknahme myynti myyty sprzeda prodej predaj prodaj eladas vanzare satis satim прод πωλησ بيع`)
	p.addStems(sideDividend, "distribu ausschutt utdelning utbytte udbytte osinko дивиденд μερισμα")
	p.addStems(sideInterest, "interes interet juros odsetk ranta renter korko kamat urok процент τοκο")
	p.addStems(sideFee, "commission comision commissione provision kosten custody oplata poplatek комисс προμηθ")
	p.addStems(sideOther, `deposit withdr transfer topup einzahl auszahl uberweis umbuch virement retrait versement storting opname overschrijv
		retiro prelievo bonific versament deponer insatt uttag wplat wyplat przelew debit credit journal payment forex split spinoff merger
		steuer withhold impot impuest impost imposta adjust convers umtausch corporate promotion staking reward airdrop bonus cancel revers correct stornier
		quellensteuer перевод налог`)
	p.addStems(sideUnsaid, "compravend compravent") // purchase and sale in one
	p.addInside(sideSell, "verkauf 卖 賣 売 매도")
	p.addInside(sideBuy, "买 買 購入 매수")
	p.addInside(sideDividend, "divid dywid 配当 股息 배당")
	p.addInside(sideInterest, "zins 利息 이자")
	p.addInside(sideFee, "gebuhr 手数料 手续费 수수료")
	p.addInside(sideOther, "ubertrag 入金 出金 转账 振替 입금 출금")
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
// "buy fee", is not understood; of other things the most telling counts: "tax on dividend" is a tax.
func (p *phrases) read(phrase string) side {
	said := map[side]bool{}
	words := strings.FieldsFunc(plainWord(phrase), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, word := range words {
		if len(word) > 1 || plainWord(phrase) == word { // a letter in a phrase is somebody's name, one with digits a number
			said[p.word(word)] = true
		}
	}
	trade, other := said[sideBuy] || said[sideSell], said[sideDividend] || said[sideInterest] || said[sideFee] || said[sideOther]
	switch {
	case said[sideReinvest]:
		return sideReinvest
	case trade && other, said[sideBuy] && said[sideSell]:
		return sideUnsaid
	case said[sideBuy]:
		return sideBuy
	case said[sideSell]:
		return sideSell
	case other:
		return telling(said, words)
	}
	return shorting(words)
}

// telling chooses among what a phrase says besides trades.
func telling(said map[side]bool, words []string) side {
	cash := len(words) > 1 && words[0] == "cash" // "cash dividend" is a dividend
	if said[sideOther] && !cash {
		return sideOther
	}
	for _, s := range []side{sideFee, sideDividend, sideInterest, sideOther} {
		if said[s] {
			return s
		}
	}
	return sideUnsaid
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

// word is what a word says by itself, the longest stem that fits deciding.
func (p *phrases) word(word string) side {
	if s, known := p.words[word]; known {
		return s
	}
	if strings.HasSuffix(word, "kauf") && !strings.Contains(word, "verkauf") && !strings.Contains(word, "ruckkauf") || strings.HasPrefix(word, "kauf") {
		return sideBuy
	}
	best := stem{}
	for _, s := range p.stems {
		fits := strings.HasPrefix(word, s.text) || s.inside && strings.Contains(word, s.text)
		if fits && len(s.text) > len(best.text) {
			best = s
		}
	}
	return best.side
}
