package web

import (
	"time"

	"finsvc/importer"
	"finsvc/ledger"
)

// notice is a line above every page, of what matters only, and where it is looked after.
type notice struct{ Text, Href, Link string }

// backupDue is after what time without a backup pages say so.
const backupDue = 7 * 24 * time.Hour

// notices are the lines above this page: that the books are made up, that there is no backup of late, that an import waits.
// None stands on the page that it leads to.
func (v *visit) notices() (list []notice, err error) {
	add := func(href, link, text string) {
		if v.URL.Path != href {
			list = append(list, notice{text, href, link})
		}
	}
	if v.session.Prefs.Demo {
		add(youPage, "No longer say so", "Demo data: these books are made up.")
	}
	if v.site.Machine != nil && v.isAdmin() {
		at, ok := v.site.Machine.LastCopy()
		text := "The newest backup is old."
		if !ok {
			at, text = v.session.Household.CreatedAt, "There is no backup yet."
		}
		if v.site.Now().Sub(at) > backupDue {
			add(backupPage, "Make one", text)
		}
	}
	waiting, err := v.waiting()
	if waiting > 0 && v.session.Writes() {
		verb := " wait"
		if waiting == 1 {
			verb = " waits"
		}
		add("/imports", "Look at it", count(waiting, "import")+verb+" to be published.")
	}
	return list, err
}

// countWaiting is how many imports wait for a person.
func (v *visit) countWaiting() (int64, error) {
	_, n, err := v.site.Imports.List(v.Context(), v.who(), importer.Filter{Statuses: []string{importer.StatusPending}},
		ledger.Page{Number: 1, Size: 1})
	return n, err
}
