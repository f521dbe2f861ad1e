package tools

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/names"
	"finsvc/ledger/report"
)

func explainTool() tool {
	return tool{"explain_figure",
		"What a balance, a holding or the net worth on a day (default today) is made of; with from, what changed it since that day.", []toolParam{
			{name: "figure", kind: argText, enum: []string{report.FigureBalance, report.FigureHolding,
				report.FigureNetWorth}, required: true},
			{name: "account", kind: argText, about: "for balance, holding"},
			{name: "security", kind: argText, about: "for holding"},
			dayParam("date", false), dayParam("from", false)}, explainFigure}
}

// entriesListed is how many entries an explanation tells at most.
const entriesListed = 50

func explainFigure(ctx context.Context, c *toolCall) (*toolResult, error) {
	figure, days, page := c.text("figure"), report.ExplainDays{Date: c.date("date"), From: c.date("from")},
		ledger.Page{Number: 1, Size: entriesListed}
	account, security, err := c.explained(ctx, figure)
	if err != nil || len(c.problems) > 0 {
		return nil, err
	}
	var e report.Explanation
	switch figure {
	case report.FigureBalance:
		e, err = c.ledger.Reports.ExplainBalance(ctx, c.who, account, days, page)
	case report.FigureHolding:
		e, err = c.ledger.Reports.ExplainHolding(ctx, c.who, account, security, days, page)
	default:
		e, err = c.ledger.Reports.ExplainNetWorth(ctx, c.who, days)
	}
	if err != nil {
		return nil, err
	}
	first := ledger.Some(e.Date)
	if days.From.Has() {
		first = days.From
	}
	found := explanation(&e)
	begin, err := c.begin(ctx, account, first)
	found.figures = append(found.figures, begin...)
	return found, err
}

// explained finds the account and the security that a figure is of.
func (c *toolCall) explained(ctx context.Context, figure string) (account, security uuid.UUID, err error) {
	if figure == report.FigureNetWorth {
		return account, security, nil
	}
	all, err := c.ledger.Names.List(ctx, c.who, names.Account)
	if err != nil {
		return account, security, err
	}
	account = c.one("account", figure, c.find("account", "account", all))
	if figure == report.FigureHolding {
		ids, err := c.securities(ctx, "security")
		return account, c.one("security", figure, ids), err
	}
	return account, security, nil
}

// one is the only one that an argument means.
func (c *toolCall) one(argument, figure string, ids []uuid.UUID) uuid.UUID {
	switch {
	case len(ids) == 1:
		return ids[0]
	case len(c.texts[argument]) == 0:
		c.problems.Add(argument, "is required for the figure %s", figure)
	case len(ids) > 1:
		c.problems.Add(argument, "must be the name of one alone or its id, got %s, which %d have",
			ledger.Quote(c.text(argument)), len(ids))
	}
	return uuid.Nil
}

func explanation(e *report.Explanation) *toolResult {
	found := &toolResult{figures: jsonObject{{"figure", e.Figure}}}
	if e.Account != nil {
		found.figures = found.figures.with("account", ledger.ClipText(e.Account.Name, 60))
	}
	if e.Security != nil {
		found.figures = found.figures.with("security", e.Security.Ticker)
	}
	found.figures = append(found.figures, jsonMember{"date", e.Date.String()}, jsonMember{"currency", e.Currency},
		jsonMember{"total", plainAmount(e.Minor, e.Currency)})
	if e.From != nil {
		found.figures = append(found.figures, jsonMember{"from", e.From.Date.String()},
			jsonMember{"total_then", plainAmount(e.From.Minor, e.Currency)},
			jsonMember{"change", plainAmount(e.Explained(), e.Currency)})
	}
	found.lists = append(append(sheetGaps(e.Unconverted), staleRates(e.Stale)...),
		toolList{name: "parts", rows: partRows(e.Parts, e.Currency)})
	if len(e.Entries) > 0 {
		found.lists = append(found.lists, toolList{name: "entries", rows: partRows(e.Entries, e.Currency),
			total: int(e.EntryCount), more: "oldest first"})
	}
	return found
}

func partRows(parts []report.Part, currency string) (rows []jsonObject) {
	for i := range parts {
		rows = append(rows, partRow(&parts[i], currency))
	}
	return rows
}

// partRow is what adds to a figure; what is not there does not apply.
func partRow(p *report.Part, currency string) jsonObject {
	row := jsonObject{{"kind", p.Kind}}
	if p.Date.Has() {
		row = row.with("date", p.Date.Value.String())
	}
	row = row.withText("name", ledger.ClipText(p.Name, 100))
	if p.Account != nil {
		row = row.with("account", ledger.ClipText(p.Account.Name, 60))
	}
	if p.Security != nil {
		row = row.with("security", p.Security.Ticker)
	}
	if p.Units == nil || p.Units.Held == nil {
		row = row.with("amount", plainAmount(p.Minor, currency))
	}
	if p.Count > 0 {
		row = row.with("count", p.Count)
	}
	if p.Cash != nil {
		row = row.with("cash", plainAmount(p.Cash.Minor, p.Cash.Currency)+" "+p.Cash.Currency)
	}
	if p.Original != nil {
		row = row.with("original", plainAmount(p.Original.Minor, p.Original.Currency)+" "+p.Original.Currency)
	}
	u := p.Units
	if u == nil {
		return row
	}
	if u.Ratio != "" {
		row = row.with("ratio", u.Ratio)
	} else {
		row = append(row, jsonMember{"quantity", u.Quantity.String()},
			jsonMember{"price", u.Price.String() + " " + u.Currency})
	}
	if u.Held != nil {
		row = row.with("quantity_after", u.Held.String())
	}
	if u.Cost != nil {
		row = row.with("cost", u.Cost.String()+" "+u.CostIn)
	}
	return row
}
