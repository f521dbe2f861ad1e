package lexicon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"finsvc/embed"
	"finsvc/importer/text"
)

// Every meaning that the table has is known here by its name, and every one that is asked for is in the table.
func TestTableHasTheMeaningsThatAreAskedFor(t *testing.T) {
	t.Parallel()
	have := words().lists
	for _, m := range everyMeaning() {
		if have[m] == nil || len(have[m].words) == 0 {
			t.Errorf("the table has no words for %q", m)
		}
	}
	for m := range have {
		if !slices.Contains(everyMeaning(), m) {
			t.Errorf("the table has words for %q, which nobody asks for", m)
		}
	}
	if sections := strings.Count(embed.Lexicon, "\n["); sections != len(have) {
		t.Errorf("%d sections of the table have %d names", sections, len(have))
	}
}

// A word stands once in a list, or in an entry of a list with keys, and can be found: in the form in which cells are compared something is left of it.
func TestWordsStandOnceAndAreFound(t *testing.T) {
	t.Parallel()
	bySign := []Meaning{directions, letterPairs, signs, abbreviations, currencyNames, currencyMarks, hundredths, Charsets, Letters, BesideFeePart}
	for _, m := range everyMeaning() {
		for _, entry := range Entries(m) {
			seen := map[string]bool{}
			for _, word := range entry.Words {
				form := word
				if !slices.Contains(bySign, m) {
					form = text.Plain(word)
				}
				if form == "" || seen[form] {
					t.Errorf("%s %s: %q stands twice, or cannot be found", m, entry.Key, word)
				}
				seen[form] = true
			}
		}
	}
}

// Where one word decides, none may have two meanings.
func TestNoWordHasTwoMeanings(t *testing.T) {
	t.Parallel()
	for _, group := range [][]Meaning{
		{Booked, Pending, PendingLessSure, NeverBooked, Reversed},
		{PendingSection, BookedSection},
		{OpeningBalance, ClosingBalance, BalanceRow, BookedOpeningBalance, BareBalance, Total},
		{OpeningBalance, ClosingBalance, BookedOpeningBalance, PrintedOpening, PrintedClosing, PrintedDayBalance, PrintedCarried},
		{PrintedCredits, PrintedDebits},
		{PurchaseDay, BookingDay},
		{Gain, Loss},
		{IDHeader, ReferenceHeader},
		{AmountWord, JoiningWord},
	} {
		meanings := map[string]Meaning{}
		for _, m := range group {
			for _, word := range Words(m) {
				word = text.Plain(word)
				if other, known := meanings[word]; known && other != m {
					t.Errorf("%q is both %s and %s", word, other, m)
				}
				meanings[word] = m
			}
		}
	}
	for _, m := range []Meaning{Months, weekdays, printedHeaders, TradeWord, currencyNames, hundredths, formerCodes, AccountTypes} {
		keys := map[string]string{}
		for _, entry := range Entries(m) {
			for _, word := range entry.Words {
				form := text.Fold(word)
				if m == hundredths {
					form = word
				}
				if key, known := keys[form]; known && key != entry.Key {
					t.Errorf("%s: %q is both %s and %s", m, word, key, entry.Key)
				}
				keys[form] = entry.Key
			}
		}
	}
	pairs := map[string]Direction{}
	for _, pair := range Directions() {
		in := text.Fold(pair.In) + "|" + text.Fold(pair.Out)
		out := text.Fold(pair.Out) + "|" + text.Fold(pair.In)
		pairs[in] = pair
		if turned, known := pairs[out]; known && turned != pair {
			t.Errorf("%v and %v are the same words", pair, turned)
		}
	}
}

// What exports and statements call the same must be understood by both readers.
func TestPrintedHeadersAgreeWithThoseOfExports(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]Role{
		"Buchungstag": RoleDate, "Valuta": RoleOtherDate, "Tutar": RoleAmount, "Παραστατικό": "", "Остаток": RoleBalance, "İşlem Tarihi": RoleDate,
		"Saldo": RoleBalance, "Money out (£)": RoleDebit, "Paid in": RoleCredit, "No": "", "Umsatzinformation": RoleText, "Sold": RoleBalance,
	} {
		if got := PrintedRole(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
}

// Names as banks write them, and what is shortened to letters that two months begin with.
func TestMonths(t *testing.T) {
	t.Parallel()
	for number, names := range map[int]string{
		1:  "January Jan Januar Jänner janvier enero ene gennaio stycznia STY leden января янв Ocak tammikuuta ianuarie Ιανουαρίου",
		2:  "Feb Februar fév. lutego lut únor února úno febbraio Şubat лютого helmikuu",
		3:  "March Mär März mars marzo marca brezen března bře марта maaliskuu",
		4:  "kwietnia kwi duben dubna dub avril abr huhtikuu квітня Nisan",
		5:  "May maja květen května kvě toukokuu Mayıs травня",
		6:  "czerwca cze červen června jun kesäkuu Haziran",
		7:  "lipca lip červenec července čvc juillet heinäkuu Temmuz",
		8:  "sierpnia sie SIE srpen srpna srp août elokuu Ağustos",
		9:  "września wrz září zář Sept sep syyskuu Eylül",
		10: "października paź říjen října říj Okt lokakuu Ekim",
		11: "listopada lis listopadu marraskuu Kasım",
		12: "grudnia gru prosinec prosince pro Dez décembre joulukuu Aralık",
		0:  "ju ma сер2 Monday x märtz",
	} {
		for name := range strings.FieldsSeq(names) {
			if got := Month(name); got != number {
				t.Errorf("%s: month %d, want %d", name, got, number)
			}
			if got := MonthBegun(name); got != number {
				t.Errorf("%s: month %d, want %d", name, got, number)
			}
		}
	}
	for _, entry := range Entries(Months) {
		for _, name := range entry.Words {
			if got := Month(name); fmt.Sprint(got) != entry.Key {
				t.Errorf("%s: month %d, want %s", name, got, entry.Key)
			}
		}
	}
	for name, want := range map[string]int{"Novem": 11, "styczn": 1, "cer": 0, "juli": 7, "listo": 11} {
		if got := MonthBegun(name); got != want {
			t.Errorf("%s begins month %d, want %d", name, got, want)
		}
		if name != "juli" && Month(name) != 0 {
			t.Errorf("%s is a month", name)
		}
	}
	if Weekday("Wed") != 3 || Weekday("sunday") != 7 || Weekday("We") != 0 {
		t.Error("days of the week are not known by three letters")
	}
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		newTable(embed.Lexicon)
	}
}

func everyMeaning() []Meaning {
	return []Meaning{
		Neutral,
		NeverBooked,
		Reversed,
		Pending,
		PendingLessSure,
		PendingMark,
		PendingBeginning,
		PendingSection,
		BookedSection,
		Booked,
		OrderOpen,
		PurchaseDay,
		BookingDay,
		Total,
		TotalOrBalance,
		PrintedTotal,
		BookedOpeningBalance,
		OpeningBalance,
		ClosingBalance,
		BalanceRow,
		BareBalance,
		PrintedOpening,
		PrintedClosing,
		PrintedDayBalance,
		PrintedCarried,
		PrintedCredits,
		PrintedDebits,
		PrintedStatement,
		OpeningEntry,
		Card,
		CardPurchaseDay,
		CardBookingDay,
		Shop,
		Gain,
		Loss,
		Thanks,
		AmountWord,
		CurrencyWord,
		JoiningWord,
		AmountEnding,
		CurrencyEnding,
		OtherSum,
		CurrencyPart,
		PricePart,
		Home,
		FeeHeader,
		ChargeHeader,
		FeeWord,
		FeeEnding,
		FeeBeginning,
		FeePart,
		BesideFee,
		BesideFeePart,
		TradeFeeHeader,
		TradeTotalHeader,
		AccruedHeader,
		TradeKindHeader,
		SymbolHeader,
		SecurityNameHeader,
		SecurityTextHeader,
		PurposeHeader,
		NoteHeader,
		IDWord,
		BookingWord,
		IDHeader,
		ReferenceHeader,
		OtherNumber,
		TradeInShares,
		TradeUndone,
		UnitsMoved,
		languages,
		yearBeforeMonth,
		monthBeforeDay,
		TradeWord,
		TradeBeginning,
		TradePart,
		Charsets,
		Letters,
		AccountTypes,
		Months,
		weekdays,
		headers,
		printedHeaders,
		directions,
		letterPairs,
		signs,
		abbreviations,
		currencyNames,
		currencyMarks,
		hundredths,
		formerCodes,
	}
}
