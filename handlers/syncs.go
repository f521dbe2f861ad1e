package handlers

import (
	"net/http"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/queries"
)

// sync answers POST /sync. Every answer is computed from what is booked at that moment, so it is completed before it
// has begun.
func (s *household) sync(a *wire.Answer, r *wire.Request) error {
	done, err := s.ledger.Tenants.Sync(r.Context(), r.Who())
	if err != nil {
		return err
	}
	a.Status = http.StatusAccepted
	writeSync(a.Json, "", &done, &r.Session.Household)
	return nil
}

// listSyncs answers GET /syncs: the newest first.
func (s *household) listSyncs(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page := q.Page()
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Tenants.ListSyncs(r.Context(), r.Who(), page)
	if err != nil {
		return err
	}
	dataPage(a.Json, list, page, total, func(done *queries.Sync) { writeSync(a.Json, "", done, &r.Session.Household) })
	return nil
}

// showLatestSync answers GET /syncs/latest, null when nobody has asked for one.
func (s *household) showLatestSync(a *wire.Answer, r *wire.Request) error {
	latest, err := s.ledger.Tenants.LatestSync(r.Context(), r.Who())
	if err != nil {
		return err
	}
	if latest != nil {
		return oneSync(a, r, latest)
	}
	a.Json.Open("")
	a.Json.Null("data")
	a.Json.Close()
	return nil
}

func oneSync(a *wire.Answer, r *wire.Request, found *queries.Sync) error {
	a.Json.Open("")
	writeSync(a.Json, "data", found, &r.Session.Household)
	a.Json.Close()
	return nil
}

// writeSync writes a synchronisation, which was completed when it was asked for.
func writeSync(j *wire.Writer, name string, s *queries.Sync, home *ledger.Household) {
	j.Open(name)
	j.Id("id", s.PublicID)
	j.Text("status", "completed")
	j.Bool("in_progress", false)
	j.Bool("terminal", true)
	j.Open("syncable")
	j.Text("type", "Family")
	j.Id("id", home.PublicID)
	j.Text("name", home.Name)
	j.Close()
	j.Null("parent_id")
	j.Int("children_count", 0)
	j.Text("syncable_type", "Family")
	j.Id("syncable_id", home.PublicID)
	j.Stamp("pending_at", s.CreatedAt)
	j.Stamp("syncing_at", s.CreatedAt)
	j.Stamp("completed_at", s.CreatedAt)
	j.Null("failed_at")
	j.Null("window_start_date")
	j.Null("window_end_date")
	j.Text("message", "there is nothing to wait for: balances and totals are computed from what is booked whenever they are asked for")
	j.Null("error")
	j.Stamp("created_at", s.CreatedAt)
	j.Stamp("updated_at", s.CreatedAt)
	j.Close()
}
