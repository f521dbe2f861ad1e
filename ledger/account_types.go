package ledger

import (
	"slices"
	"strings"
)

// The classifications of accounts: what one has, or what one owes.
const (
	Asset     = "asset"
	Liability = "liability"
)

// AccountType is a kind of account. Names are those of the wire.
type AccountType struct {
	Name           string
	Classification string   // Asset or Liability
	DefaultSubtype string   // of an account that names none; "" for none
	Subtypes       []string // empty: the type has none
}

// AllAccountTypes are all kinds, in the order in which people read them.
var AllAccountTypes = []AccountType{
	{"depository", Asset, "checking", strings.Fields("checking savings hsa cd money_market")},
	{"investment", Asset, "", strings.Fields(`brokerage 401k roth_401k 403b 457b tsp ira roth_ira sep_ira simple_ira 529_plan hsa ugma utma
		isa lisa sipp workplace_pension_uk tfsa rrsp non-registered fhsa rdsp resp dpsp prpp lira rrif lif lrif prif rlif super smsf
		assurance_vie pea pillar_3a riester nps apy life_insurance indian_stocks indian_equity indian_etf ppf ssy nsc scss fd rd pomis
		kvp g_sec sdl corporate_bond infrastructure_bond tax_free_bond gold_etf gold_mf sgb pension retirement mutual_fund gold angel
		trust other`)},
	{"crypto", Asset, "", strings.Fields("wallet exchange")},
	{"property", Asset, "", strings.Fields(`single_family_home multi_family_home condominium townhouse investment_property second_home
		apartment plot commercial agri_land`)},
	{"vehicle", Asset, "", nil},
	{"other_asset", Asset, "", nil},
	{"credit_card", Liability, "credit_card", []string{"credit_card"}},
	{"loan", Liability, "", strings.Fields("mortgage student auto home_equity line_of_credit business other")},
	{"other_liability", Liability, "", nil},
}

// AccountTypes are the names of all kinds.
func AccountTypes() (names []string) {
	for _, kind := range AllAccountTypes {
		names = append(names, kind.Name)
	}
	return names
}

// LookupAccountType finds a kind of account by its name.
func LookupAccountType(name string) (AccountType, bool) {
	at := slices.IndexFunc(AllAccountTypes, func(t AccountType) bool { return t.Name == name })
	if at < 0 {
		return AccountType{}, false
	}
	return AllAccountTypes[at], true
}

// Sign is what turns the ledger's amount (into the account positive) into the written one and back: of a
// liability people write what is owed.
func (t AccountType) Sign() int64 {
	if t.Classification == Liability {
		return -1
	}
	return 1
}

// TradingTypes are the kinds whose accounts take trades, for a sentence.
const TradingTypes = "investment or crypto"

// TakesTrades reports whether accounts of the type take trades.
func (t AccountType) TakesTrades() bool { return t.Name == "investment" || t.Name == "crypto" }

// Has reports whether accounts of the type may be of the subtype.
func (t AccountType) Has(subtype string) bool { return slices.Contains(t.Subtypes, subtype) }

// TypeNames lists the kinds of a classification, or all when it is empty, for a sentence.
func TypeNames(classification string) string {
	var names []string
	for _, t := range AllAccountTypes {
		if classification == "" || t.Classification == classification {
			names = append(names, t.Name)
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
