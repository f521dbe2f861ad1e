package web

import (
	"fmt"
	"html/template"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"rsc.io/qr"

	"finsvc/ledger"
	"finsvc/ledger/signin"
	"finsvc/ledger/tenant"
)

// peoplePage is where the people of a household are.
const peoplePage = "/settings/people"

// peopleView is the people of a household. Link is one that was made just now, which is shown once.
type peopleView struct {
	People      []personView
	Link, Whose string
	Code        template.HTML // the link to be photographed
	Nearby      bool          // the link leads to this machine only
	Minutes     int           // for which it can be used
	Admin       bool
	Email, Role string // as typed
	Problems    formProblems
}

// personView is a person, and whether the visitor may make a link for them.
type personView struct {
	tenant.User
	This, MayLink bool
}

func (v *visit) people() (view peopleView, err error) {
	view.Admin, view.Role, view.Minutes = v.isAdmin(), tenant.RoleMember, int(signin.LinkFor.Minutes())
	all, err := v.site.Ledger.Tenants.ListUsers(v.Context(), v.who())
	for _, user := range all {
		this := user.ID == v.session.UserID
		view.People = append(view.People, personView{user, this, user.Active() && v.session.Writes() && (this || view.Admin)})
	}
	return view, err
}

// showPeople answers GET /settings/people.
func showPeople(v *visit) error {
	view, err := v.people()
	if err != nil {
		return err
	}
	return v.render("people", "People", view)
}

// createPerson answers POST /settings/people.
func createPerson(v *visit) error {
	if err := v.needAdmin(); err != nil {
		return err
	}
	if err := v.proved(peoplePage); err != nil {
		return err
	}
	f := &form{visit: v}
	in := tenant.UserInput{Email: f.text("email"), Role: f.text("role")}
	user, failed := v.site.Ledger.Tenants.CreateUser(v.Context(), v.who(), in)
	if failed != nil {
		view, err := v.people()
		if err != nil {
			return err
		}
		return v.again(failed, "people", "People", func(p formProblems) any {
			view.Email, view.Role, view.Problems = in.Email, in.Role, p
			return view
		})
	}
	v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "user created", slog.String("user", user.PublicID.String()),
		slog.String("by", v.session.User.PublicID.String()), slog.String("address", v.address().String()))
	return v.goTo(peoplePage)
}

// linkPerson answers POST /settings/people/{id}/link: the page shows a link that signs a person in, this once. One for
// somebody else takes an admin, who could as well have set their password.
func linkPerson(v *visit) error {
	id, err := v.id("User")
	if err != nil {
		return err
	}
	view, err := v.people()
	if err != nil {
		return err
	}
	person, err := personOf(view.People, id)
	if err != nil {
		return err
	}
	if err := v.proved(peoplePage); err != nil {
		return err
	}
	token, _, err := v.site.Ledger.SignIn.NewLink(v.Context(), v.who(), person.ID)
	if err != nil {
		return err
	}
	at := v.site.Origins.Of(v.Request)
	view.Link, view.Whose = at.Scheme+"://"+at.Host+at.Root+"/link/"+token, person.Email
	if v.site.PublicURL != "" {
		view.Link = v.site.PublicURL + at.Root + "/link/" + token
	}
	view.Nearby = isNearby(view.Link)
	view.Code, err = drawQR(view.Link)
	if err != nil {
		return err
	}
	v.site.Logger.LogAttrs(v.Context(), slog.LevelInfo, "link made", slog.String("user", person.PublicID.String()),
		slog.String("by", v.session.User.PublicID.String()), slog.String("address", v.address().String()))
	return v.render("people", "People", view)
}

// personOf finds a person for whom the visitor may make a link.
func personOf(people []personView, id uuid.UUID) (personView, error) {
	for _, p := range people {
		switch {
		case p.PublicID != id:
		case !p.MayLink:
			return p, &ledger.Error{Kind: ledger.Forbidden, Code: "forbidden",
				Message: "Links are made for active people, by themselves or by an admin of the household."}
		default:
			return p, nil
		}
	}
	return personView{}, ledger.NewNotFound("User")
}

// isNearby reports whether an address leads to the very machine that asks for it, so that no phone gets there.
func isNearby(link string) bool {
	at, err := url.Parse(link)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(at.Hostname())
	return at.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// drawQR draws a text as a QR code: black on white whatever the colours of the page are, with the margin that cameras
// need.
func drawQR(text string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	const margin = 4
	var path strings.Builder
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	size := code.Size + 2*margin
	return template.HTML(fmt.Sprintf(`<svg class="qr" role="img" aria-label="The link as a QR code" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<rect width="%d" height="%d" fill="#fff"/><path d="%s" fill="#000"/></svg>`, size, size, size, size, path.String())), nil
}
