package web

import (
	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

// valuationView is the form of a balance that was set by hand.
type valuationView struct {
	ID, Date, Amount, Notes string
	Was                     catalog.Valuation
	Problems                formProblems
}

// readValuation is the valuation that the path names, in its form.
func (v *visit) readValuation() (id uuid.UUID, view valuationView, err error) {
	id, err = v.id("Valuation")
	if err != nil {
		return id, view, err
	}
	was, err := v.site.Ledger.Accounts.GetValuation(v.Context(), v.who(), id)
	view = valuationView{ID: id.String(), Was: was, Date: was.Day.String(), Notes: ledger.OrBlank(was.Notes)}
	if err == nil && !v.show.hidden {
		view.Amount = v.show.Plain(was.Minor, was.Account.Currency)
	}
	return id, view, err
}

// title is what the page of a valuation is called.
func (view valuationView) title() string {
	return "Balance of " + view.Was.Account.Name
}

// showValuation answers GET /valuations/{id}.
func showValuation(v *visit) error {
	_, view, err := v.readValuation()
	if err != nil {
		return err
	}
	return v.render("valuation", view.title(), view)
}

// updateValuation answers POST /valuations/{id}. An opening balance that has no day of its own keeps none while the day is
// that which the books show for it.
func updateValuation(v *visit) error {
	id, view, err := v.readValuation()
	if err != nil {
		return err
	}
	f := &form{visit: v}
	in := catalog.ValuationInput{Date: f.date("date"), Amount: f.amount("amount"),
		Notes: ledger.Opt[string]{Set: true, Value: f.text("notes"), Null: f.text("notes") == ""}}
	if view.Was.Date == nil && in.Date.Value == view.Was.Day {
		in.Date = ledger.Opt[ledger.Date]{}
	}
	if f.text("amount") == "" && !v.show.hidden {
		f.problems.Add("amount", "is required, such as %s", v.show.sample())
	}
	in.Problems = f.problems
	if _, err := v.site.Ledger.Accounts.UpdateValuation(v.Context(), v.who(), id, in); err != nil {
		return v.again(err, "valuation", view.title(), func(p formProblems) any {
			view.Date, view.Amount, view.Notes, view.Problems = f.text("date"), f.text("amount"), f.text("notes"), p
			return view
		})
	}
	return v.goOn("/accounts/" + view.Was.Account.ID.String())
}

// deleteValuation answers POST /valuations/{id}/delete: from its day on the balance is again what is booked.
func deleteValuation(v *visit) error {
	id, view, err := v.readValuation()
	if err != nil {
		return err
	}
	if err := v.site.Ledger.Accounts.DeleteValuation(v.Context(), v.who(), id); err != nil {
		return v.again(err, "valuation", view.title(), func(p formProblems) any {
			view.Problems = p
			return view
		})
	}
	return v.goOn("/accounts/" + view.Was.Account.ID.String())
}
