package backup

import (
	"cmp"
	"slices"
	"strings"

	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/export"
	"finsvc/ledger/intake"
	"finsvc/ledger/market"
)

func planAccount(b *line) {
	a := &record.RestoredAccount{}
	b.row.Body = a
	checkUnique(b, b.required("id"))
	*a = readAccount(b)
	a.ID = b.text("id")
	b.row.Name, b.row.AccountType, b.row.AccountRef = a.Input.Name.Value, a.Input.AccountType.Value, a.ID
	found := b.index.accounts[a.ID]
	if found != nil && found.line == b.line && len(b.row.Issues) == 0 {
		readOpening(b, a, found)
	}
}

func readAccount(b *line) (a record.RestoredAccount) {
	name := b.name("name", b.required("name"))
	word := b.required("accountable_type")
	kind, known := export.AccountTypeNamed(word)
	if word != "" && !known {
		b.issue("accountable_type", "must be a type of account such as Depository or CreditCard, got "+
			ledger.Quote(word))
	}
	b.currency(b.home)
	b.row.Minor = b.minor("balance", true)
	a.Input = catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some(kind.Name),
		Currency: ledger.Some(b.row.Currency.Code)}
	a.Subtype, a.Status, a.Sign = readSubtype(b, kind), readStatus(b), 1
	if kind.Classification == ledger.Liability {
		a.Sign = -1
	}
	if bank := b.name("institution_name", b.text("institution_name")); bank != "" {
		a.Input.InstitutionName = ledger.Some(bank)
	}
	a.Input.InstitutionDomain = readDomain(b)
	if notes := b.notes("notes"); notes != nil {
		a.Input.Notes = ledger.Some(*notes)
	}
	tellDetails(b)
	return a
}

// tellDetails says what an account has there and has no place here.
func tellDetails(b *line) {
	if b.flag("exclude_from_reports", false) {
		b.note("the account is excluded from reports there; here it counts")
	}
	details := b.value("accountable")
	if len(details) == 0 || details[0] != '{' {
		return
	}
	inner, lost := jsonRecord{members: members(details, nil)}, []string(nil)
	for _, name := range strings.Fields("rate_type interest_rate term_months initial_balance available_credit minimum_payment apr expiration_date annual_fee " +
		"year_built area_value area_unit year mileage_value mileage_unit make model tax_treatment") {
		if value := inner.value(name); len(value) > 0 && string(value) != `""` {
			lost = append(lost, name)
		}
	}
	if len(lost) > 0 {
		b.note("of the account is not kept: %s", strings.Join(lost, ", "))
	}
}

// readSubtype is the account's own, else that of its details.
func readSubtype(b *line, kind ledger.AccountType) *string {
	subtype := b.text("subtype")
	if details := b.value("accountable"); subtype == "" && len(details) > 0 && details[0] == '{' {
		inner := jsonRecord{members: members(details, nil)}
		subtype, _ = inner.plainText("subtype")
	}
	switch {
	case subtype == "":
		return nil
	case slices.Contains(kind.Subtypes, subtype):
		return &subtype
	case len(kind.Subtypes) == 0:
		b.note("subtype %s of account was left out: accounts of that type have none", ledger.Quote(subtype))
		return nil
	}
	b.issue("subtype", "must be one of those of "+export.AccountableName(kind.Name)+" ("+strings.Join(kind.Subtypes,
		", ")+"), got "+ledger.Quote(subtype))
	return nil
}

func readStatus(b *line) string {
	switch status := b.text("status"); status {
	case "disabled", "draft":
		return status
	}
	return "active"
}

func readDomain(b *line) (domain ledger.Opt[string]) {
	text := b.name("institution_domain", b.text("institution_domain"))
	if text == "" {
		return domain
	}
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "https://"), "http://"), "/")
	if strings.ContainsAny(text, " \t/:@?#") {
		b.note("institution_domain %s was left out: it is no domain", ledger.Quote(text))
		return domain
	}
	return ledger.Some(text)
}

// readOpening says with what the account begins: what a record of the file states, else nothing where that is wanted,
// else what leads to its balance, or to the first statement of it.
func readOpening(b *line, a *record.RestoredAccount, found *indexedAccount) {
	if v := found.opening; v != nil {
		a.Input.Balance, a.OpeningNotes = ledger.Some(b.row.Currency.Decimal(v.minor)), v.notes
		if !v.undated {
			a.Input.Date = ledger.Some(v.date)
		}
		return
	}
	a.NoOpening = b.flag("skip_opening_balance_import", false)
	if a.NoOpening {
		return
	}
	day := b.optionalDate("opening_balance_date")
	if day == nil {
		day = b.optionalDate("opening_balance_on")
	}
	if day != nil {
		a.Input.Date = ledger.Some(min(*day, found.first-1))
	}
	if s := found.statements; s != nil {
		a.Target = &record.OpeningTarget{Minor: a.Sign * s.minor, Cash: false, Day: s.date, Current: false}
		return
	}
	a.Target = &record.OpeningTarget{Minor: a.Sign * b.row.Minor, Cash: false, Day: found.last, Current: true}
	if kind := b.row.AccountType; (kind == "investment" || kind == "crypto") && b.has("cash_balance") {
		// what is held may be worth something else here
		a.Target.Minor, a.Target.Cash = b.minor("cash_balance", true), true
	}
}

func planCategory(b *line) {
	checkUnique(b, b.required("id"))
	body := &record.RestoredCategory{ID: b.text("id"), ParentID: b.text("parent_id")}
	b.row.Body = body
	b.row.Name, body.Color = b.name("name", b.required("name")), strings.ToLower(b.text("color"))
	body.Icon, body.Classification = b.text("lucide_icon"), readClassification(b)
	above := b.index.categories[body.ParentID]
	switch {
	case body.ParentID == "":
	case above == nil:
		b.note("parent_id of category %s is not in the file: it has no parent now", ledger.Quote(b.row.Name))
		body.ParentID = ""
	case body.ParentID == body.ID:
		b.issue("parent_id", "must be that of another category")
	case b.index.categories[above.parent] != nil:
		b.issue("parent_id", "must be that of a category without a parent, since there are two levels only; "+
			ledger.Quote(above.name)+" has one")
	default:
		body.Parent = above.name
	}
	b.report(record.CategoryInput(b.row.Name, body.Category).Check())
	b.row.Category = b.index.path(body.ID)
}

func readClassification(b *line) string {
	for _, name := range []string{"classification", "classification_unused"} {
		if text := strings.ToLower(b.text(name)); text != "" {
			return text
		}
	}
	return catalog.Expense
}

// planMerchant takes the looks of a merchant where they are usable: it is worth more than these.
func planMerchant(b *line) {
	body := &record.Merchant{ID: b.text("id")}
	b.row.Body = body
	checkUnique(b, b.required("id"))
	b.row.Name = b.name("name", b.required("name"))
	in := catalog.MerchantInput{Name: ledger.Some(b.row.Name)}
	for _, looks := range []struct {
		name string
		to   *ledger.Opt[string]
	}{{"color", &in.Color}, {"website_url", &in.WebsiteURL}} {
		*looks.to = record.Said(b.text(looks.name))
		if in.Check().Has(looks.name) {
			b.note("%s %s of merchant %s was left out", looks.name, ledger.Quote(looks.to.Value),
				ledger.Quote(b.row.Name))
			*looks.to = ledger.Opt[string]{}
		}
	}
	body.Input = in
}

func planSecurity(b *line) {
	body := &record.Security{Kind: "standard"}
	b.row.Body = body
	checkUnique(b, b.required("id"))
	body.Ticker, body.MIC = tickerOf(b)
	b.row.Name = b.name("name", b.text("name"))
	body.Input = market.SecurityInput{Ticker: ledger.Some(body.Ticker), MIC: ledger.Some(body.MIC),
		Name:   record.Said(b.row.Name),
		Manual: ledger.Some(b.flag("offline", false))}
	if b.text("kind") == "cash" {
		body.Kind = "cash"
	}
}

// readSecurity is the ticker and the market that the record names by id, else by themselves.
func readSecurity(b *line) record.Instrument {
	if s := b.index.securities[b.text("security_id")]; s != nil {
		return record.Instrument{Ticker: s.ticker, MIC: s.mic}
	}
	symbol, mic := tickerOf(b)
	return record.Instrument{Ticker: symbol, MIC: mic}
}

func planSplit(b *line) {
	body := &record.Split{Instrument: readSecurity(b)}
	b.row.Body = body
	b.row.Date, b.row.Undated = b.date("date"), false
	body.Numerator, body.Denominator = b.whole("numerator"), b.whole("denominator")
	if len(b.row.Issues) == 0 {
		if err := ledger.AsError(intake.CheckSplit(body.Numerator, body.Denominator)); err != nil {
			b.report(err.Fields)
		}
	}
}

func planPrice(b *line) {
	body := &record.Price{Instrument: readSecurity(b)}
	b.row.Body = body
	b.row.Date, b.row.Undated = b.date("date"), false
	b.required("currency")
	b.currency(b.home)
	body.Price, _ = b.number("price")
	if err := intake.CheckPrice(body.Price); err != nil && len(b.row.Issues) == 0 {
		b.issue("price", err.Error())
	}
	body.Source = cmp.Or(b.name("source", b.text("source")), market.SourceAPI)
	b.row.Notes = body.Source
}
