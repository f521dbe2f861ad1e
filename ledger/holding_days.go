package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// heldLine is a line with the spans of days on which it is held.
type heldLine struct {
	line
	id    uuid.UUID // made of those of account and security
	spans []span    // rising
}

// holdingRow names a holding.
type holdingRow struct {
	line
	day Date
}

// readLines reads when each line is held, up to today.
func (h *holdingMaker) readLines(ctx context.Context) error {
	rows, err := h.q.ListHoldingLines(ctx, h.who.HouseholdID)
	if err != nil {
		return err
	}
	h.lines = make([]heldLine, len(rows))
	for i, r := range rows {
		at := line{r.AccountID, r.SecurityID}
		spans, err := heldSpans(r.Turns, h.today)
		if err != nil {
			return err
		}
		h.lines[i] = heldLine{at, h.lineID(at), spans}
	}
	slices.SortFunc(h.lines, func(a, b heldLine) int {
		return cmp.Or(cmp.Compare(a.account, b.account),
			strings.Compare(h.securities.byKey[a.security].Ticker, h.securities.byKey[b.security].Ticker), cmp.Compare(a.security, b.security))
	})
	return nil
}

// heldSpans reads the days on which a line comes to be held and ceases to be, by turns: SQLite promises no
// order, so they are sorted.
func heldSpans(packed string, today Date) ([]span, error) {
	var turns []Date
	for text := range strings.SplitSeq(packed, ",") {
		day, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("the database packed the days of a holding as %q", packed)
		}
		turns = append(turns, Date(day))
	}
	slices.Sort(turns)
	var spans []span
	for i := 0; i < len(turns) && turns[i] <= today; i += 2 {
		last := today
		if i+1 < len(turns) {
			last = min(today, turns[i+1]-1)
		}
		spans = append(spans, span{turns[i], last})
	}
	return spans, nil
}

// lineID is a UUID made of the ids of account and security.
func (h *holdingMaker) lineID(at line) uuid.UUID {
	account, security := h.names.accounts.byKey[at.account].ID, h.securities.byKey[at.security].ID
	return uuid.NewSHA1(account, security[:])
}

func (h *holdingMaker) id(at line, day Date) uuid.UUID { return datedID(h.lineID(at), day) }

// find gives the row that has an id.
func (h *holdingMaker) find(id uuid.UUID) (holdingRow, bool) {
	for _, l := range h.lines {
		day, made := dayInID(id, l.id)
		if made && slices.ContainsFunc(l.spans, func(s span) bool { return s.has(day) }) {
			return holdingRow{l.line, day}, true
		}
	}
	return holdingRow{}, false
}

// holdingRows are the rows of a list of holdings, as spans that are held, in the order of a day's rows.
type holdingRows []heldSpan

type heldSpan struct {
	line
	span
}

// rows are those that a filter selects.
func (h *holdingMaker) rows(f HoldingFilter) (rows holdingRows) {
	first := max(f.StartDate.Or(MinDate), f.Date.Or(MinDate))
	last := min(f.EndDate.Or(MaxDate), f.Date.Or(MaxDate))
	for _, l := range h.lines {
		if !selects(f.AccountIDs, h.names.accounts.byKey[l.account].ID) || !selects(f.SecurityIDs, h.securities.byKey[l.security].ID) {
			continue
		}
		for _, s := range l.spans {
			if s.first, s.last = max(s.first, first), min(s.last, last); s.first <= s.last {
				rows = append(rows, heldSpan{l.line, s})
			}
		}
	}
	return rows
}

// selects says whether a filter by ids takes one.
func selects(ids []uuid.UUID, id uuid.UUID) bool { return ids == nil || slices.Contains(ids, id) }

func (r holdingRows) count() (n int64) {
	for _, s := range r {
		n += int64(s.last-s.first) + 1
	}
	return n
}

// page cuts out a page. Between two days on which a span begins or ends every day has the same rows, so
// whole days before the page are leapt over.
func (r holdingRows) page(p Page) []holdingRow {
	var out []holdingRow
	skip := p.Offset()
	for _, part := range r.parts() {
		days := int64(part.last-part.first) + 1
		if leap := min(skip/part.rows, days); leap > 0 {
			skip -= leap * part.rows
			part.first += Date(leap)
		}
		if part.first > part.last {
			continue
		}
		out = r.take(out, part.span, skip, p.Size)
		skip = 0
		if len(out) == p.Size {
			break
		}
	}
	return out
}

// sameDays are days in a row that have the same rows, so many each.
type sameDays struct {
	span
	rows int64
}

// parts are the days that have rows, rising.
func (r holdingRows) parts() (parts []sameDays) {
	moves := map[Date]int64{}
	for _, s := range r {
		moves[s.first]++
		moves[s.last+1]--
	}
	days := make([]Date, 0, len(moves))
	for day := range moves {
		days = append(days, day)
	}
	slices.Sort(days)
	rows := int64(0)
	for i, day := range days {
		if rows += moves[day]; rows > 0 {
			parts = append(parts, sameDays{span{day, days[i+1] - 1}, rows})
		}
	}
	return parts
}

// take appends the rows of days that have the same ones, but for the first, until there are enough.
func (r holdingRows) take(out []holdingRow, days span, skip int64, enough int) []holdingRow {
	var live []line
	for _, s := range r {
		if s.first <= days.first && days.last <= s.last {
			live = append(live, s.line)
		}
	}
	for day := days.first; day <= days.last && len(out) < enough; day++ {
		for _, at := range live[skip:] {
			out = append(out, holdingRow{at, day})
		}
		skip = 0
	}
	return out[:min(len(out), enough)]
}
