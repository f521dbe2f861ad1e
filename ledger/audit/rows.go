package audit

import (
	"bytes"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
	"finsvc/queries"
)

func (a *auditor) auditKeys() error {
	first, last := a.keys()
	rows, err := a.tx.AuditKeys(a.ctx, queries.AuditKeysParams{HouseholdID: a.tx.HouseholdID, FirstKey: first,
		LastKey: last})
	for _, r := range rows {
		a.defect(CheckKeys, a.at(r.AccountID, ledger.Date(r.Date)),
			"the key of an entry says that it belongs to household %d", ledger.Key(r.ID).Household())
	}
	return err
}

// keys are the first and the last key that an entry of the household can have.
func (a *auditor) keys() (first, last int64) {
	return int64(ledger.FirstKey(a.tx.HouseholdID, ledger.MinDate)),
		int64(ledger.FirstKey(a.tx.HouseholdID+1, ledger.MinDate)) - 1
}

func (a *auditor) auditMonths() error {
	rows, err := a.tx.AuditMonths(a.ctx, a.tx.HouseholdID)
	for _, r := range rows {
		currency := a.accounts[r.AccountID].Currency
		a.defect(CheckMonths, a.of(r.AccountID), "kept is for %04d-%02d %s of %d days; the days come to %s of %d",
			r.Month/100, r.Month%100,
			sumText(money.SumOfHalves(r.KeptUpper, r.KeptLower), currency), r.KeptDays,
			sumText(money.SumOfHalves(r.CountedUpper, r.CountedLower), currency), r.CountedDays)
	}
	return err
}

func (a *auditor) auditSums() error {
	kept, err := a.tx.ListKeptMonths(a.ctx, a.tx.HouseholdID)
	for _, key := range kept {
		if err == nil {
			err = a.auditMonthSums(ledger.Key(key).Day())
		}
	}
	return err
}

func (a *auditor) auditMonthSums(first ledger.Date) error {
	tallies, err := report.TallyMonth(a.ctx, a.tx.Queries, a.home, first)
	if err != nil {
		return err
	}
	r := report.MonthRange(a.tx.HouseholdID, first)
	for _, t := range tallies {
		kept, err := a.tx.ListMonthSums(a.ctx, queries.ListMonthSumsParams{HouseholdID: a.tx.HouseholdID,
			FirstKey: r.First, Until: r.Last, Part: int64(t.Part)})
		if err != nil {
			return err
		}
		if len(kept) != 1 || kept[0].LastKey != r.Last || !bytes.Equal(kept[0].Sums, t.Bytes()) {
			a.defect(CheckSums, a.home.Name, "the sums that are kept of %s by %s are not those of its transactions",
				first.Time().Format("2006-01"), partName(t.Part))
		}
	}
	return nil
}

func partName(part queries.Part) string {
	switch part {
	case queries.PartAccount:
		return "account"
	case queries.PartMerchant:
		return "merchant"
	case queries.PartTags:
		return "tags"
	}
	return "category"
}

// searchedDays is how many days are compared with the index for search at once.
const searchedDays = 31

// auditSearch compares what is found with what is there, some days at a time: that is as much as is in memory.
func (a *auditor) auditSearch() error {
	first, last := a.keys()
	for first <= last {
		from, err := a.tx.AuditNextKey(a.ctx, queries.AuditNextKeyParams{HouseholdID: a.tx.HouseholdID, FirstKey: first,
			LastKey: last})
		if err != nil || from > last {
			return err
		}
		until := min(last, int64(ledger.LastKey(a.tx.HouseholdID, ledger.Key(from).Day()+searchedDays-1)))
		if err := a.auditTexts(from, until); err != nil {
			return err
		}
		first = until + 1
	}
	return nil
}

func (a *auditor) auditTexts(first, last int64) error {
	missing, err := a.tx.AuditMissingTexts(a.ctx, queries.AuditMissingTextsParams{HouseholdID: a.tx.HouseholdID,
		FirstKey: first, LastKey: last, HiddenFrom: a.home.HiddenFrom, HiddenTo: a.home.HiddenTo})
	if err != nil {
		return err
	}
	for _, key := range missing {
		a.defect(CheckSearch, a.home.Name+", "+ledger.Key(key).Day().String(),
			"no search finds the transaction with creation number %d", ledger.Key(key).Sequence())
	}
	strange, err := a.tx.AuditStrangeTexts(a.ctx, queries.AuditStrangeTextsParams{HouseholdID: a.tx.HouseholdID,
		FirstKey: first, LastKey: last})
	for _, key := range strange {
		a.defect(CheckSearch, a.home.Name+", "+ledger.Key(key).Day().String(),
			"a search finds creation number %d, which no transaction has", ledger.Key(key).Sequence())
	}
	return err
}

func (a *auditor) auditTransfers() error {
	rows, err := a.tx.AuditTransfers(a.ctx, a.tx.HouseholdID)
	if err != nil {
		return err
	}
	for _, r := range rows {
		where := a.home.Name
		if r.Sides > 0 {
			where += ", " + ledger.Date(r.FirstDay).String()
		}
		a.defect(CheckTransfers, where, "transfer %d has %d sides in %d accounts, %d in and %d out; there must be two in two accounts, one in and one out",
			r.ID, r.Sides, r.Accounts, r.Inflows, r.Outflows)
	}
	rejected, err := a.tx.AuditRejections(a.ctx, a.tx.HouseholdID)
	for _, r := range rejected {
		a.defect(CheckTransfers, a.at(r.AccountID, ledger.Date(r.Date)),
			"a pair that was declared to be no transfer is one")
	}
	return err
}

func (a *auditor) auditLines() error {
	first, last := a.keys()
	rows, err := a.tx.AuditLines(a.ctx, queries.AuditLinesParams{HouseholdID: a.tx.HouseholdID, FirstKey: first,
		LastKey: last})
	for _, r := range rows {
		where, sum := a.at(r.AccountID, ledger.Date(r.Date)), money.SumOfHalves(r.Upper, r.Lower)
		switch {
		case sum != money.SumOf(r.Amount):
			a.defect(CheckLines, where, "the lines of a transaction of %s come to %s", moneyText(r.Amount, r.Currency),
				sumText(sum, r.Currency))
		case r.Lines < 2:
			a.defect(CheckLines, where, "a split transaction has %d line; there must be two", r.Lines)
		default:
			a.defect(CheckLines, where, "a split transaction has a category besides those of its lines")
		}
	}
	return err
}

func (a *auditor) auditCategories() error {
	rows, err := a.tx.AuditCategories(a.ctx, a.tx.HouseholdID)
	for _, r := range rows {
		if r.TooDeep == 1 {
			a.defect(CheckCategories, a.home.Name, "category %s is below %s, which is below another: there must be two levels", ledger.Quote(r.Name), ledger.Quote(r.Parent))
			continue
		}
		a.defect(CheckCategories, a.home.Name, "category %s is %s, and %s above it is %s", ledger.Quote(r.Name),
			r.Classification, ledger.Quote(r.Parent), r.ParentClassification)
	}
	return err
}

func (a *auditor) auditHidden() error {
	hidden, err := a.tx.AuditHidden(a.ctx, a.tx.HouseholdID)
	if err != nil {
		return err
	}
	if hidden > 0 {
		a.defect(CheckHidden, a.home.Name, "creation numbers %d to %d are hidden, and no import works on them",
			a.home.HiddenFrom, a.home.HiddenTo)
	}
	imports, err := a.tx.AuditImports(a.ctx, a.tx.HouseholdID)
	for _, r := range imports {
		a.defect(CheckHidden, a.home.Name, "import %d is %s and holds creation numbers", r.ID, r.Status)
	}
	return err
}

func (a *auditor) auditValuations() error {
	rows, err := a.tx.AuditValuations(a.ctx, a.tx.HouseholdID)
	a.Valuations = int64(len(rows))
	for _, r := range rows {
		if ledger.Date(r.Day).Check() != nil {
			a.defect(CheckDates, a.of(r.AccountID), "a valuation is of %s, which must lie between %s and %s",
				ledger.Date(r.Day), ledger.MinDate, ledger.MaxDate)
		}
	}
	return err
}

func (a *auditor) auditCurrencies() error {
	codes, err := a.tx.AuditCurrencies(a.ctx, a.tx.HouseholdID)
	if err != nil {
		return err
	}
	pairs, err := a.tx.ListRatePairs(a.ctx)
	for _, p := range pairs {
		codes = append(codes, p.FromCurrency, p.ToCurrency)
	}
	codes = append(codes, a.home.Currency)
	slices.Sort(codes)
	for _, code := range slices.Compact(codes) {
		if _, known := money.LookupCurrency(code); !known {
			a.defect(CheckCurrencies, a.home.Name, "%s is no currency", ledger.Quote(code))
		}
	}
	return err
}
