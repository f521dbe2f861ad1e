package handlers

import (
	"fmt"

	"finsvc/ledger"
	"finsvc/ledger/market"
)

// listSplits answers GET /security_splits.
func (s *securities) listSplits(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), market.SplitFilter{SecurityID: q.id("security_id"), StartDate: q.date("start_date"), EndDate: q.date("end_date")}
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Market.ListSplits(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	listPage(a.json, "security_splits", list, page, total, func(x *market.Split) { writeSplit(a.json, x) })
	return nil
}

// createSplit answers POST /security_splits.
func (s *securities) createSplit(a *answer, r *request) error {
	f, err := r.wrapped("security_split")
	if err != nil {
		return err
	}
	split, err := s.ledger.Market.CreateSplit(r.Context(), r.who(), f.split())
	if err != nil {
		return err
	}
	a.created()
	writeSplit(a.json, &split)
	return nil
}

// split reads the fields of a split.
func (f *fields) split() market.SplitInput {
	in := market.SplitInput{Security: f.securityRef(), Date: f.date("date"), Numerator: f.integer("numerator"), Denominator: f.integer("denominator"), Ratio: f.text("ratio")}
	in.Problems = *f.problems
	return in
}

// writeSplit writes a split.
func writeSplit(j *jsonWriter, s *market.Split) {
	j.open("")
	j.id("id", s.PublicID)
	j.date("date", ledger.Date(s.Date))
	j.text("ratio", fmt.Sprintf("%d:%d", s.Numerator, s.Denominator))
	j.int("numerator", s.Numerator)
	j.int("denominator", s.Denominator)
	writeSecurityReference(j, "security", s.Security)
	j.stamp("created_at", s.CreatedAt)
	j.stamp("updated_at", s.UpdatedAt)
	j.close()
}
