package web

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
)

// holdingsView is what is held of securities today, in groups, and what all of it comes to.
type holdingsView struct {
	By       string
	Today    string
	Groupers []choiceView
	Currency string // of the sums
	Groups   []*holdingGroup
	All      holdingSums
	Others   []market.Security // of which nothing is held
	LeftOut  []string
}

// choiceView is one way to see a page, and whether it is seen so.
type choiceView struct {
	Name, Query string
	Current     bool
}

// holdingGroup is the holdings of one account, type or currency.
type holdingGroup struct {
	Name     string
	Holdings []*holdingView
	holdingSums
}

// holdingSums adds up holdings, in minor units of the household's currency. Gain leaves out those of which it is not known.
type holdingSums struct {
	Value, Gain          int64
	HasValue, HasGain    bool
	Unvalued, WithoutOne int // holdings that the value lacks, and that the gain lacks
}

// holdingView is a holding with what is to be known of its price, its rates and its cost.
type holdingView struct {
	report.ValuedHolding
	PerMille int64  // of the value of all
	Weight   string // the same, written; blank where it has no part in the value of all
	Percent  string // the gain, of the cost
	Notes    []string
}

// IsForeign reports whether a holding has its price in another currency than the sums.
func (h *holdingView) IsForeign(home string) bool { return h.Value.Known && h.Currency != home }

// GainIsForeign is the same of its cost.
func (h *holdingView) GainIsForeign(home string) bool {
	return h.GainValue.Known && h.CostCurrency != home
}

// add takes in a holding; what no amount holds is left out as what has no rate is.
func (s *holdingSums) add(h *holdingView) {
	value, fits := money.AddMinor(s.Value, h.Value.Minor)
	if h.Value.Known && fits {
		s.Value, s.HasValue = value, true
	} else {
		s.Unvalued++
	}
	gain, fits := money.AddMinor(s.Gain, h.GainValue.Minor)
	if h.Gain != nil && h.GainValue.Known && fits {
		s.Gain, s.HasGain = gain, true
	} else {
		s.WithoutOne++
	}
}

// showHoldings answers GET /holdings, in groups by what the query says.
func showHoldings(v *visit) error {
	view := holdingsView{By: v.URL.Query().Get("by"), Today: v.today.String(), Currency: v.session.Household.Currency}
	ways := []string{"account", "type", "currency"}
	if !slices.Contains(ways, view.By) {
		view.By = ways[0]
	}
	for _, way := range ways {
		view.Groupers = append(view.Groupers, choiceView{"By " + way, "?by=" + way, way == view.By})
	}
	portfolio, err := v.site.Ledger.Reports.Portfolio(v.Context(), v.who(), ledger.Opt[ledger.Date]{})
	if err != nil {
		return err
	}
	securities, _, err := v.site.Ledger.Market.ListSecurities(v.Context(), v.who(),
		market.SecurityFilter{}, ledger.Everything())
	if err != nil {
		return err
	}
	held := map[uuid.UUID]bool{}
	groups := map[string]*holdingGroup{}
	for _, valued := range portfolio.Holdings {
		h := v.holding(valued, portfolio)
		held[h.Security.ID] = true
		key, name := h.Account.ID.String(), h.Account.Name
		switch view.By {
		case "type":
			key, name = h.Account.AccountType, capital(strings.ReplaceAll(h.Account.AccountType, "_", " "))
		case "currency":
			key, name = h.Currency, h.Currency
		}
		if groups[key] == nil {
			groups[key] = &holdingGroup{Name: name}
			view.Groups = append(view.Groups, groups[key])
		}
		groups[key].Holdings = append(groups[key].Holdings, h)
		groups[key].add(h)
		view.All.add(h)
		if !h.Value.Known {
			view.LeftOut = append(view.LeftOut,
				h.Security.Ticker+" in "+h.Account.Name+" ("+v.show.Amount(h.Minor, h.Currency)+")")
		}
	}
	for _, g := range view.Groups {
		for _, h := range g.Holdings {
			if h.Value.Known && view.All.Value > 0 {
				share := decimal.NewFromInt(h.Value.Minor).Shift(3).Div(decimal.NewFromInt(view.All.Value))
				h.PerMille, h.Weight = share.Round(0).IntPart(), v.percent(h.Value.Minor, view.All.Value)
			}
		}
	}
	view.Others = slices.DeleteFunc(securities, func(s market.Security) bool { return held[uuid.UUID(s.PublicID)] })
	return v.render("holdings", "Holdings", view)
}

// capital is a text with a capital in front.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// holding says of a holding what is old, and what is missing.
func (v *visit) holding(valued report.ValuedHolding, p report.Portfolio) *holdingView {
	h := &holdingView{ValuedHolding: valued}
	age := count(int64(p.AsOf-h.PriceDate), "day") + " old"
	old := fx.IsStale(h.PriceDate, p.AsOf)
	switch {
	case h.PriceSource == position.PriceOfTrade && old:
		h.Notes = append(h.Notes, "There is no market price; that of the last trade is "+age+".")
	case h.PriceSource == position.PriceOfTrade:
		h.Notes = append(h.Notes, "There is no market price; that of the last trade counts.")
	case old:
		h.Notes = append(h.Notes, "The price is "+age+".")
	}
	switch {
	case h.Value.Beyond:
		h.Notes = append(h.Notes, "No amount in "+p.Currency+" holds its value, so the sums leave it out.")
	case !h.Value.Known:
		h.Notes = append(h.Notes, noRate(h.Currency, p.Currency)+", so the sums leave it out.")
	case h.Currency != p.Currency && fx.IsStale(h.Value.Rated, p.AsOf):
		h.Notes = append(h.Notes, oldRate(h.Currency, p.Currency, p.AsOf-h.Value.Rated))
	}
	switch {
	case h.AvgCost == nil:
		h.Notes = append(h.Notes, "What it cost is not known: a rate of the day of a purchase is missing.")
	case h.Gain == nil:
		h.Notes = append(h.Notes, noRate(h.Currency, h.CostCurrency)+", so its gain is not known.")
	case h.Currency != h.CostCurrency && h.CostCurrency != p.Currency && fx.IsStale(h.GainRated, p.AsOf):
		h.Notes = append(h.Notes, oldRate(h.Currency, h.CostCurrency, p.AsOf-h.GainRated))
	}
	if h.Gain != nil {
		h.Percent = v.percent(*h.Gain, *h.Cost)
	}
	return h
}

func oldRate(from, to string, age ledger.Date) string {
	return "The rate from " + from + " to " + to + " is " + count(int64(age), "day") + " old."
}

func noRate(from, to string) string { return "There is no exchange rate from " + from + " to " + to }

// Bar is how far the bar of a weight goes, of 100.
func (h *holdingView) Bar() int64 { return min(max(h.PerMille/10, 1), 100) }
