package cmd

import (
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// explanationJSON is an explanation in JSON. Amounts are in minor units; parts add up to the difference from
// an earlier day where there is one, else to the total.
type explanationJSON struct {
	Figure          string     `json:"figure"`
	Account         *string    `json:"account"`
	Security        *string    `json:"security"`
	Date            string     `json:"date"`
	Currency        string     `json:"currency"`
	TotalCents      int64      `json:"total_cents"`
	FromDate        *string    `json:"from_date"`
	FromCents       *int64     `json:"from_cents"`
	SumOfPartsCents int64      `json:"sum_of_parts_cents"`
	Parts           []partJSON `json:"parts"`
	Entries         []partJSON `json:"entries"`

	Unconverted []unconvertedJSON `json:"unconverted"`
	StaleRates  []staleJSON       `json:"stale_rates"`
}

// partJSON is a part or an entry. What does not apply is left out. Quantities, prices, costs and rates are
// decimals in text.
type partJSON struct {
	Kind          string     `json:"kind"`
	ID            *string    `json:"id,omitempty"`
	Date          *string    `json:"date,omitempty"`
	Name          string     `json:"name,omitempty"`
	Account       string     `json:"account,omitempty"`
	Security      string     `json:"security,omitempty"`
	Count         int64      `json:"count,omitempty"`
	AmountCents   int64      `json:"amount_cents"`
	Currency      string     `json:"original_currency,omitempty"`
	OriginalCents *int64     `json:"original_cents,omitempty"`
	Rates         []rateUsed `json:"rates,omitempty"`
	CashCurrency  string     `json:"cash_currency,omitempty"`
	CashCents     *int64     `json:"cash_cents,omitempty"`
	*unitsJSON
}

// rateUsed is an exchange rate as it was published.
type rateUsed struct {
	From string `json:"from"`
	To   string `json:"to"`
	Date string `json:"date"`
	Rate string `json:"rate"`
	// Stale is whether it was more than seven days old.
	Stale bool `json:"stale"`
}

// unitsJSON is the quantity behind a part.
type unitsJSON struct {
	Quantity     string  `json:"qty,omitempty"`
	Ratio        string  `json:"ratio,omitempty"`
	Price        string  `json:"price,omitempty"`
	Currency     string  `json:"price_currency,omitempty"`
	PriceDate    *string `json:"price_date,omitempty"`
	PriceSource  string  `json:"price_source,omitempty"`
	Held         *string `json:"qty_after,omitempty"`
	Cost         *string `json:"cost,omitempty"`
	CostCurrency string  `json:"cost_currency,omitempty"`
}

func explanationOf(e *ledger.Explanation) explanationJSON {
	out := explanationJSON{Figure: e.Figure, Date: e.Date.String(), Currency: e.Currency, TotalCents: e.Minor, SumOfPartsCents: e.Sum(),
		Parts: partsOf(e.Parts), Entries: partsOf(e.Entries), Unconverted: []unconvertedJSON{},
		StaleRates: staleRatesJSON(e.Stale)}
	if e.Account != nil {
		out.Account = &e.Account.Name
	}
	if e.Security != nil {
		out.Security = &e.Security.Ticker
	}
	if e.From != nil {
		out.FromDate, out.FromCents = new(e.From.Date.String()), &e.From.Minor
	}
	for _, gap := range e.Unconverted {
		out.Unconverted = append(out.Unconverted, unconvertedJSON{gap.Currency, gap.Minor, gap.Reason()})
	}
	return out
}

func partsOf(parts []ledger.Part) []partJSON {
	out := make([]partJSON, len(parts))
	for i := range parts {
		out[i] = onePart(&parts[i])
	}
	return out
}

func onePart(p *ledger.Part) partJSON {
	out := partJSON{Kind: p.Kind, Name: p.Name, Count: p.Count, AmountCents: p.Minor, Date: dayText(p.Date), unitsJSON: unitsOf(p.Units)}
	if p.ID != uuid.Nil {
		out.ID = new(p.ID.String())
	}
	if p.Account != nil {
		out.Account = p.Account.Name
	}
	if p.Security != nil {
		out.Security = p.Security.Ticker
	}
	if p.Cash != nil {
		out.CashCurrency, out.CashCents = p.Cash.Currency, &p.Cash.Minor
	}
	if p.Original != nil {
		out.Currency, out.OriginalCents = p.Original.Currency, &p.Original.Minor
		for _, r := range p.Original.Rates {
			out.Rates = append(out.Rates, rateUsed{r.From, r.To, r.Date.String(), r.Rate.String(), r.Stale})
		}
	}
	return out
}

func unitsOf(u *ledger.Units) *unitsJSON {
	if u == nil {
		return nil
	}
	out := &unitsJSON{Ratio: u.Ratio, PriceDate: dayText(u.PriceDate), PriceSource: u.PriceSource, Held: decimalText(u.Held), Cost: decimalText(u.Cost), CostCurrency: u.CostIn}
	if u.Ratio == "" {
		out.Quantity, out.Price, out.Currency = u.Quantity.String(), u.Price.String(), u.Currency
	}
	return out
}

func dayText(day ledger.Opt[ledger.Date]) *string {
	if !day.Has() {
		return nil
	}
	return new(day.Value.String())
}

func decimalText(d *decimal.Decimal) *string {
	if d == nil {
		return nil
	}
	return new(d.String())
}
