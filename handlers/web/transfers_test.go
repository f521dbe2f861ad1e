package web_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger/ledgertest"
)

// TestTransfersByHand: what was matched is confirmed, unlinked and rejected, candidates are listed and linked, and each
// of these is taken back.
func TestTransfersByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro, savings := h.Account(h.Who, "Giro", "EUR"), h.Account(h.Who, "Savings", "EUR")
	out := "/transactions/" + uuid.UUID(h.Create(ledgertest.Entry(giro, "2026-02-01", "500", "To savings")).PublicID).String()
	in := uuid.UUID(h.Create(ledgertest.Entry(savings, "2026-02-02", "-500", "From giro")).PublicID).String()
	late := uuid.UUID(h.Create(ledgertest.Entry(savings, "2026-02-20", "-500", "Later")).PublicID).String()
	page := h.get(t, out)
	page.shows(t, "One movement with From giro in Savings on Feb 2, 2026: +€500.00", "This was matched by itself",
		"It could also be one movement with", "Later Savings Feb 20, 2026 +€500.00")
	transfer := regexp.MustCompile(`/transfers/[0-9a-f-]{36}`).FindString(page.text)

	confirmed := h.done(t, transfer+"/confirm", "back="+out)
	confirmed.shows(t, "This was confirmed and stays")
	h.undo(t, confirmed).shows(t, "This was matched by itself")
	parted := h.done(t, transfer+"/unlink", "back="+out)
	parted.shows(t, "It may be one movement with", "From giro Savings Feb 2, 2026")
	h.undo(t, parted).shows(t, "One movement with From giro")
	rejected := h.done(t, transfer+"/reject", "back="+out)
	rejected.shows(t, "It was said to be no transfer with From giro in Savings", "Later Savings")
	again := regexp.MustCompile(`/transfers/[0-9a-f-]{36}/allow`).FindString(rejected.text)
	h.done(t, again, "back="+out).shows(t, "One movement with From giro")

	linked := h.done(t, out+"/link", "other="+late, "back="+out)
	linked.shows(t, "One movement with Later", "linked by hand")
	h.get(t, "/transactions/"+in).shows(t, "From giro")
	h.undo(t, linked).shows(t, "One movement with From giro")
	h.get(t, "/transactions/"+late).shows(t, "It may be one movement with", "matched with another one, which gives way")
	for path, want := range map[string]int{out + "/link": http.StatusNotFound, "/transfers/" + uuid.NewString() + "/unlink": http.StatusNotFound} {
		if a := h.post(t, path, "other=x"); a.StatusCode != want {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
	if a := h.post(t, out+"/link", "other="+out[len("/transactions/"):]); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("linked with itself: %s", a.Status)
	}
	if problems := problemsOf(h.get(t, out).text); len(problems) > 0 {
		t.Error(problems)
	}
}
