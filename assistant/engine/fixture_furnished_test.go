package engine_test

import (
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/queries"
)

// furnish adds to [fixture.fill] what strangers ask about: accounts with names like words of the language, days that
// are counted by hand, transactions in parts, a loan and its interest. All amounts are in euros.
//
//	US Checking   May: 3rd 45.00 Groceries at Costco; 10th 20.00 at Shell; 15th 50.00 Groceries; 16th 12.50 Restaurants;
//	              31st 100.00 in no category; 28th 800.00 Salary. In all May 227.50 out; to the 15th 115.00; from the 16th 112.50
//	US Checking   September: 2nd 11, 3rd 17, 10th 3, 15th 8, 16th 40, 17th 5, 18th 9, 30th 70: in all 163.00; 3rd to 17th 73.00; to the 15th 39.00;
//	              from the 16th 124.00. The 3rd is Restaurants, the 10th has the tag japan, the others have nothing
//	Checking      August 5th 100.00 at Costco in parts: 60.00 Groceries, 40.00 Childcare with the tag kids
//	Checking      August 31st 1,000.00 at Home Bank in parts: 300.00 Loan Interest, 700.00 Mortgage / Rent
//	DKB Tagesgeld August 31st 4.50 in, Interest; July 31st 4.00 in, Interest
//	Home Loan     July 31st 310.00 "Interest July", Loan Interest
//	Travel        March 2026 250.00 in Tokyo, tag japan; February 2025 90.00, tag japan
func (h *fixture) furnish() {
	h.tb.Helper()
	h.account("US Checking", "depository", "checking", "1000")
	h.account("Joint Account", "depository", "checking", "500")
	h.account("Home Loan", "loan", "mortgage", "200000")
	h.account("Car Loan", "loan", "auto", "10000")
	for _, name := range []string{"Childcare", "Loan Interest"} {
		h.category(name, "", "expense")
	}
	h.category("Interest", "", "income")
	for _, name := range []string{"Costco", "Shell", "Home Bank", "Spotify"} {
		m := must[queries.Merchant](h.tb)(h.Labels.CreateMerchant(h.tb.Context(), h.who,
			catalog.MerchantInput{Name: ledger.Some(name)}))
		h.merchants[name] = uuid.UUID(m.PublicID)
	}
	t := must[queries.Tag](h.tb)(h.Labels.CreateTag(h.tb.Context(), h.who, catalog.TagInput{Name: ledger.Some("japan")}))
	h.tags["japan"] = uuid.UUID(t.PublicID)
	const us = "US Checking"
	for _, b := range []booking{
		{"2026-05-03", "45", "Costco 7", us, "Groceries", "Costco", ""},
		{"2026-05-10", "20", "Shell", us, "", "Shell", ""},
		{"2026-05-15", "50", "Walmart", us, "Groceries", "", ""},
		{"2026-05-16", "12.50", "Diner", us, "Restaurants", "", ""},
		{"2026-05-28", "800", "Acme US", us, "Salary", "", ""},
		{"2026-05-31", "100", "Best Buy", us, "", "", ""},
		{"2026-09-02", "11", "Ninth two", us, "", "", ""},
		{"2026-09-03", "17", "Ninth three", us, "Restaurants", "", ""},
		{"2026-09-10", "3", "Ninth ten", us, "", "", "japan"},
		{"2026-09-15", "8", "Ninth fifteen", us, "", "", ""},
		{"2026-09-16", "40", "Ninth sixteen", us, "", "", ""},
		{"2026-09-17", "5", "Ninth seventeen", us, "", "", ""},
		{"2026-09-18", "9", "Ninth eighteen", us, "", "", ""},
		{"2026-09-30", "70", "Ninth thirty", us, "", "", ""},
		{"2026-03-20", "250", "Ryokan Tokyo", "Visa Gold", "Travel", "", "japan"},
		{"2025-02-14", "90", "Guide", "Checking", "Travel", "", "japan"},
		{"2026-07-31", "310", "Interest July", "Home Loan", "Loan Interest", "", ""},
	} {
		h.book(b)
	}
	for day, amount := range map[string]string{"2026-07-31": "4", "2026-08-31": "4.50"} {
		h.book(booking{day, amount, "Credit interest", "DKB Tagesgeld", "Interest", "", ""})
	}
	h.inParts(booking{"2026-08-05", "100", "Costco hall", "Checking", "", "Costco", ""},
		booking{amount: "60", category: "Groceries"}, booking{amount: "40", category: "Childcare", tag: "kids"})
	h.inParts(booking{"2026-08-31", "1000", "Loan payment", "Checking", "", "Home Bank", ""},
		booking{amount: "300", category: "Loan Interest"}, booking{amount: "700", category: "Mortgage / Rent"})
}

// inParts books a transaction that is split.
func (h *fixture) inParts(whole booking, parts ...booking) {
	h.tb.Helper()
	var lines []entry.SplitLineInput
	for _, p := range parts {
		line := entry.SplitLineInput{Amount: ledger.Some(decimal.RequireFromString(p.amount)),
			CategoryID: ledger.Some(h.categories[p.category])}
		if p.tag != "" {
			line.TagIDs = ledger.Some([]uuid.UUID{h.tags[p.tag]})
		}
		lines = append(lines, line)
	}
	in := entry.TransactionInput{AccountID: ledger.Some(h.accounts[whole.account]),
		Date: ledger.Some(h.day(whole.day)), Amount: ledger.Some(decimal.RequireFromString(whole.amount)),
		Nature: ledger.Some("expense"), Name: ledger.Some(whole.name), MerchantID: ledger.Some(h.merchants[whole.merchant]), SplitLines: ledger.Some(lines)}
	if _, _, err := h.Entries.CreateTransaction(h.tb.Context(), h.who, in); err != nil {
		h.tb.Fatal(err)
	}
}
