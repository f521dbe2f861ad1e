package handlers

import (
	"net/http"

	"finsvc/ledger"
	"finsvc/queries"
)

// sync answers POST /sync. Every answer is computed from what is booked at that moment, so it is completed before it
// has begun.
func (s *household) sync(a *answer, r *request) error {
	done, err := s.ledger.Tenants.Sync(r.Context(), r.who())
	if err != nil {
		return err
	}
	a.status = http.StatusAccepted
	writeSync(a.json, "", &done, &r.session.Household)
	return nil
}

// listSyncs answers GET /syncs: the newest first.
func (s *household) listSyncs(a *answer, r *request) error {
	q := r.query()
	page := q.page()
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Tenants.ListSyncs(r.Context(), r.who(), page)
	if err != nil {
		return err
	}
	dataPage(a.json, list, page, total, func(done *queries.Sync) { writeSync(a.json, "", done, &r.session.Household) })
	return nil
}

// showLatestSync answers GET /syncs/latest, null when nobody has asked for one.
func (s *household) showLatestSync(a *answer, r *request) error {
	latest, err := s.ledger.Tenants.LatestSync(r.Context(), r.who())
	if err != nil {
		return err
	}
	if latest != nil {
		return oneSync(a, r, latest)
	}
	a.json.open("")
	a.json.null("data")
	a.json.close()
	return nil
}

func oneSync(a *answer, r *request, found *queries.Sync) error {
	a.json.open("")
	writeSync(a.json, "data", found, &r.session.Household)
	a.json.close()
	return nil
}

// writeSync writes a synchronisation, which was completed when it was asked for.
func writeSync(j *jsonWriter, name string, s *queries.Sync, home *ledger.Household) {
	j.open(name)
	j.id("id", s.PublicID)
	j.text("status", "completed")
	j.bool("in_progress", false)
	j.bool("terminal", true)
	j.open("syncable")
	j.text("type", "Family")
	j.id("id", home.PublicID)
	j.text("name", home.Name)
	j.close()
	j.null("parent_id")
	j.int("children_count", 0)
	j.text("syncable_type", "Family")
	j.id("syncable_id", home.PublicID)
	j.stamp("pending_at", s.CreatedAt)
	j.stamp("syncing_at", s.CreatedAt)
	j.stamp("completed_at", s.CreatedAt)
	j.null("failed_at")
	j.null("window_start_date")
	j.null("window_end_date")
	j.text("message", "there is nothing to wait for: balances and totals are computed from what is booked whenever they are asked for")
	j.null("error")
	j.stamp("created_at", s.CreatedAt)
	j.stamp("updated_at", s.CreatedAt)
	j.close()
}
