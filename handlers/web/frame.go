package web

import (
	"context"
	"errors"
	"html/template"
	"strings"

	"github.com/google/uuid"

	"finsvc/handlers/web/chart"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/signin"
)

// frame is what stands around every page: the ways to other pages, the accounts, and what must be known.
type frame struct {
	visit   *visit
	Session *signin.Session // nil where nobody is signed in
	Section string          // of the way that leads to this page
	Here    string          // path and query of this page, for forms that come back to it
	Rail    []railGroup
	Done    *doneView // what was done just now
	Notices []notice  // what matters on every page
	Prefs   signin.Preferences
	Version string
}

// SignedIn reports whether somebody is.
func (f *frame) SignedIn() bool { return f.Session != nil }

// Writes reports whether the person may change the books.
func (f *frame) Writes() bool { return f.Session != nil && f.Session.Writes() }

// HasMachine reports whether the program around the server can be asked for copies and the like.
func (f *frame) HasMachine() bool { return f.visit.site.Machine != nil }

// Hidden reports whether amounts are left out of the pages.
func (f *frame) Hidden() bool { return f.visit.show.hidden }

// section is one of the ways to pages.
type section struct {
	Name, Path, Icon, Key string // Key is the letter after g that leads there
	Current               bool
}

// Sections are the ways to pages, in order; the one that this page is below is the current one.
func (f *frame) Sections() []section {
	all := []section{
		{Name: "Overview", Path: "/", Icon: "overview", Key: "o"},
		{Name: "Transactions", Path: "/transactions", Icon: "transactions", Key: "t"},
		{Name: "Accounts", Path: "/accounts", Icon: "accounts", Key: "a"},
		{Name: "Holdings", Path: "/holdings", Icon: "holdings", Key: "h"},
		{Name: "Imports", Path: "/imports", Icon: "imports", Key: "i"},
		{Name: "Assistant", Path: "/chats", Icon: "assistant", Key: "c"},
		{Name: "Settings", Path: "/settings", Icon: "settings", Key: "s"},
	}
	for i := range all {
		all[i].Current = all[i].Path == f.Section
	}
	return all
}

// frame reads what stands around this page.
func (v *visit) frame() (*frame, error) {
	f := &frame{visit: v, Session: v.session, Section: sectionOf(v.URL.Path), Version: v.site.Version,
		Prefs: signin.DefaultPreferences()}
	if v.session == nil {
		return f, nil
	}
	f.Prefs, f.Here = v.session.Prefs, ownPath(v.URL.RequestURI(), "/")
	var failed error
	f.Rail, failed = v.rail()
	if failed == nil {
		f.Done, failed = v.done()
	}
	if failed == nil {
		f.Notices, failed = v.notices()
	}
	if errors.Is(failed, context.DeadlineExceeded) || ledger.IsUnavailable(failed) {
		failed = nil // the page that says so still needs its frame
	}
	return f, failed
}

// sectionOf is the way that leads to a page.
func sectionOf(path string) string {
	for _, s := range []struct{ prefix, section string }{
		{"/transactions", "/transactions"}, {"/transfers", "/transactions"}, {"/sort", "/transactions"},
		{"/accounts", "/accounts"}, {"/valuations", "/accounts"},
		{"/holdings", "/holdings"}, {"/trades", "/holdings"}, {"/securities", "/holdings"},
		{"/imports", "/imports"}, {"/chats", "/chats"},
		{"/settings", "/settings"}, {"/rules", "/settings"}, {"/categories", "/settings"}, {"/tags", "/settings"},
		{"/merchants", "/settings"}, {"/history", "/settings"},
	} {
		if rest, below := strings.CutPrefix(path, s.prefix); below && (rest == "" || rest[0] == '/') {
			return s.section
		}
	}
	if path == "/" || path == "/explain" {
		return "/"
	}
	return ""
}

// railGroup is the accounts of one kind beside every page.
type railGroup struct {
	Name     string
	Accounts []railAccount
}

// railAccount is an account there: its balance in its own currency.
type railAccount struct {
	ID       uuid.UUID
	Name     string
	Minor    int64
	Currency string
	Current  bool
	accountTrend
}

// railKey is whose accounts stand beside the pages, and the day that their balances are of.
type railKey struct {
	home  int64
	today ledger.Date
}

// keptRail is what is kept of the rail until the books change.
type keptRail struct {
	list    []catalog.Account
	waiting int64 // imports that wait for a person
	trends  map[uuid.UUID]accountTrend
}

// accountTrend is how an account went of late: its balance as a tiny line, and that nothing has happened, in words; blank
// where something has.
type accountTrend struct {
	Spark template.HTML
	Quiet string
}

// quietAfter is after how many days without anything new that is said of an account.
const quietAfter = 35

// listed gives the accounts of the household, with their balances.
func (v *visit) listed() ([]catalog.Account, error) {
	kept, err := v.keptRail()
	return kept.list, err
}

// waiting gives how many imports wait for a person.
func (v *visit) waiting() (int64, error) {
	kept, err := v.keptRail()
	return kept.waiting, err
}

// keptRail gives the accounts with all that the rail says of them.
func (v *visit) keptRail() (keptRail, error) {
	key := railKey{v.session.HouseholdID, v.today}
	return v.site.rails.get(v.session.Version, key, func() (rail keptRail, err error) {
		rail.list, _, err = v.site.Ledger.Accounts.ListAccounts(v.Context(), v.who(), false, ledger.Everything())
		if err != nil {
			return rail, err
		}
		rail.trends, err = v.trends()
		if err != nil {
			return rail, err
		}
		rail.waiting, err = v.countWaiting()
		return rail, err
	})
}

// trends draws how the accounts went of late. The lines have no amounts in them, only proportions.
func (v *visit) trends() (map[uuid.UUID]accountTrend, error) {
	read, err := v.site.Ledger.Reports.Trends(v.Context(), v.who())
	if err != nil {
		return nil, err
	}
	trends := map[uuid.UUID]accountTrend{}
	for id, t := range read.ByAccount {
		points := make([]chart.Point, len(read.Days))
		for i, day := range read.Days {
			points[i] = chart.Point{Day: int64(day), Value: t.Balances[i]}
		}
		trend := accountTrend{Spark: chart.Spark(points)}
		if t.Newest != nil && v.today-*t.Newest >= quietAfter {
			trend.Quiet = "nothing new for " + count(int64(v.today-*t.Newest), "day")
		}
		trends[id] = trend
	}
	return trends, nil
}

// rail gives the accounts beside a page, by kind: what the household has, then what it owes.
func (v *visit) rail() ([]railGroup, error) {
	kept, err := v.keptRail()
	if err != nil {
		return nil, err
	}
	var groups []railGroup
	for _, classification := range []string{ledger.Asset, ledger.Liability} {
		group := railGroup{Name: map[string]string{ledger.Asset: "Assets", ledger.Liability: "Liabilities"}[classification]}
		for _, a := range kept.list {
			if a.Classification == classification {
				id := uuid.UUID(a.PublicID)
				group.Accounts = append(group.Accounts, railAccount{ID: id, Name: a.Name, Minor: a.BalanceMinor,
					Currency: a.Currency, Current: v.URL.Path == "/accounts/"+id.String(), accountTrend: kept.trends[id]})
			}
		}
		if len(group.Accounts) > 0 {
			groups = append(groups, group)
		}
	}
	return groups, nil
}

// showMore answers GET /more: what stands beside the pages of wide screens, on a page for narrow ones.
func showMore(v *visit) error { return v.render("more", "More", nil) }
