package handlers

import (
	"fmt"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/market"
)

// listSplits answers GET /security_splits.
func (s *securities) listSplits(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), market.SplitFilter{SecurityID: q.Id("security_id"), StartDate: q.Date("start_date"), EndDate: q.Date("end_date")}
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Market.ListSplits(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "security_splits", list, page, total, func(x *market.Split) { writeSplit(a.Json, x) })
	return nil
}

// createSplit answers POST /security_splits.
func (s *securities) createSplit(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("security_split")
	if err != nil {
		return err
	}
	split, err := s.ledger.Market.CreateSplit(r.Context(), r.Who(), readSplit(f))
	if err != nil {
		return err
	}
	a.Created()
	writeSplit(a.Json, &split)
	return nil
}

// readSplit reads the fields of a split.
func readSplit(f *wire.Fields) market.SplitInput {
	in := market.SplitInput{Security: readSecurityRef(f), Date: f.Date("date"), Numerator: f.Integer("numerator"), Denominator: f.Integer("denominator"), Ratio: f.Text("ratio")}
	in.Problems = *f.Problems
	return in
}

// writeSplit writes a split.
func writeSplit(j *wire.Writer, s *market.Split) {
	j.Open("")
	j.Id("id", s.PublicID)
	j.Date("date", ledger.Date(s.Date))
	j.Text("ratio", fmt.Sprintf("%d:%d", s.Numerator, s.Denominator))
	j.Int("numerator", s.Numerator)
	j.Int("denominator", s.Denominator)
	writeSecurityReference(j, "security", s.Security)
	j.Stamp("created_at", s.CreatedAt)
	j.Stamp("updated_at", s.UpdatedAt)
	j.Close()
}
