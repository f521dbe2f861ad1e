package position

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/queries"
)

// heldLine is a line with the spans of days on which it is held.
type heldLine struct {
	Key
	id    uuid.UUID // made of those of account and security
	spans []fx.Span // rising
}

// holdingRow names a holding.
type holdingRow struct {
	Key
	day ledger.Date
}

// ReadLines reads when each line is held, up to today.
func (h *holdingMaker) readLines(ctx context.Context) error {
	rows, err := h.tx.ListHoldingLines(ctx, h.tx.HouseholdID)
	if err != nil {
		return err
	}
	h.lines = make([]heldLine, len(rows))
	for i, r := range rows {
		at := Key{r.AccountID, r.SecurityID}
		spans, err := heldSpans(r.Turns, h.today)
		if err != nil {
			return err
		}
		h.lines[i] = heldLine{at, h.lineID(at), spans}
	}
	slices.SortFunc(h.lines, func(a, b heldLine) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account),
			strings.Compare(h.Securities.ByKey[a.Security].Ticker, h.Securities.ByKey[b.Security].Ticker),
			cmp.Compare(a.Security, b.Security))
	})
	return nil
}

// heldSpans reads the days on which a line comes to be held and ceases to be, by turns: SQLite promises no
// order, so they are sorted.
func heldSpans(packed string, today ledger.Date) ([]fx.Span, error) {
	days, err := queries.Numbers(packed, ",")
	if err != nil {
		return nil, err
	}
	slices.Sort(days)
	turns := make([]ledger.Date, len(days))
	for i, day := range days {
		turns[i] = ledger.Date(day)
	}
	var spans []fx.Span
	for i := 0; i < len(turns) && turns[i] <= today; i += 2 {
		last := today
		if i+1 < len(turns) {
			last = min(today, turns[i+1]-1)
		}
		spans = append(spans, fx.Span{First: turns[i], Last: last})
	}
	return spans, nil
}

// lineID is a UUID made of the ids of account and security.
func (h *holdingMaker) lineID(at Key) uuid.UUID {
	account, security := h.tx.Refs.Accounts.ByKey[at.Account].ID, h.Securities.ByKey[at.Security].ID
	return uuid.NewSHA1(account, security[:])
}

// find gives the row that has an id.
func (h *holdingMaker) find(id uuid.UUID) (holdingRow, bool) {
	for _, l := range h.lines {
		day, made := ledger.DayInID(id, l.id)
		if made && slices.ContainsFunc(l.spans, func(s fx.Span) bool { return s.Has(day) }) {
			return holdingRow{l.Key, day}, true
		}
	}
	return holdingRow{}, false
}

// holdingRows are the rows of a list of holdings, as spans that are held, in the order of a day's rows.
type holdingRows []heldSpan

type heldSpan struct {
	Key
	fx.Span
}

// Rows are those that a filter selects.
func (h *holdingMaker) Rows(f HoldingFilter) (rows holdingRows) {
	first := max(f.StartDate.Or(ledger.MinDate), f.Date.Or(ledger.MinDate))
	last := min(f.EndDate.Or(ledger.MaxDate), f.Date.Or(ledger.MaxDate))
	for _, l := range h.lines {
		if !selects(f.AccountIDs, h.tx.Refs.Accounts.ByKey[l.Account].ID) ||
			!selects(f.SecurityIDs, h.Securities.ByKey[l.Security].ID) {
			continue
		}
		for _, s := range l.spans {
			s.First, s.Last = max(s.First, first), min(s.Last, last)
			if s.First <= s.Last {
				rows = append(rows, heldSpan{l.Key, s})
			}
		}
	}
	return rows
}

// selects reports whether a filter by ids takes one.
func selects(ids []uuid.UUID, id uuid.UUID) bool { return ids == nil || slices.Contains(ids, id) }

func (r holdingRows) count() (n int64) {
	for _, s := range r {
		n += int64(s.Last-s.First) + 1
	}
	return n
}

// Page cuts out a page. Between two days on which a span begins or ends every day has the same rows, so
// whole days before the page are leapt over.
func (r holdingRows) Page(p ledger.Page) []holdingRow {
	var out []holdingRow
	skip := p.Offset()
	for _, part := range r.parts() {
		days := int64(part.Last-part.First) + 1
		if leap := min(skip/part.rows, days); leap > 0 {
			skip -= leap * part.rows
			part.First += ledger.Date(leap)
		}
		if part.First > part.Last {
			continue
		}
		out = r.take(out, part.Span, skip, p.Size)
		skip = 0
		if len(out) == p.Size {
			break
		}
	}
	return out
}

// sameDays are days in a row that have the same rows, so many each.
type sameDays struct {
	fx.Span
	rows int64
}

// parts are the days that have rows, rising.
func (r holdingRows) parts() (parts []sameDays) {
	moves := map[ledger.Date]int64{}
	for _, s := range r {
		moves[s.First]++
		moves[s.Last+1]--
	}
	days := make([]ledger.Date, 0, len(moves))
	for day := range moves {
		days = append(days, day)
	}
	slices.Sort(days)
	rows := int64(0)
	for i, day := range days {
		rows += moves[day]
		if rows > 0 {
			parts = append(parts, sameDays{fx.Span{First: day, Last: days[i+1] - 1}, rows})
		}
	}
	return parts
}

// take appends the rows of days that have the same ones, but for the first, until there are enough.
func (r holdingRows) take(out []holdingRow, days fx.Span, skip int64, enough int) []holdingRow {
	var live []Key
	for _, s := range r {
		if s.First <= days.First && days.Last <= s.Last {
			live = append(live, s.Key)
		}
	}
	for day := days.First; day <= days.Last && len(out) < enough; day++ {
		for _, at := range live[skip:] {
			out = append(out, holdingRow{at, day})
		}
		skip = 0
	}
	return out[:min(len(out), enough)]
}
