package web

import (
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/names"
)

// form reads what was typed, and collects what is wrong with it by the names of the fields.
type form struct {
	*visit
	problems ledger.Problems
}

// text is a field as it was typed, without blanks around it.
func (f *form) text(name string) string { return strings.TrimSpace(f.FormValue(name)) }

// given reports whether a form has a field at all: one that is left out leaves things as they are.
func (f *form) given(name string) bool { return f.PostForm.Has(name) }

// date reads a day as browsers send it; absent where nothing was typed.
func (f *form) date(name string) (d ledger.Opt[ledger.Date]) {
	text := f.text(name)
	if text == "" {
		return d
	}
	day, err := ledger.ParseDate(text)
	if err != nil {
		f.problems.Add(name, "%s", err)
		return d
	}
	return ledger.Some(day)
}

// amount reads an amount as the household writes numbers; absent where nothing was typed.
func (f *form) amount(name string) (n ledger.Opt[decimal.Decimal]) {
	text := f.text(name)
	if text == "" {
		return n
	}
	read, err := f.show.readNumber(text)
	if err != nil {
		f.problems.Add(name, "%s", err)
		return n
	}
	return ledger.Some(read)
}

// chosen reads an id that was chosen; null where the empty choice was, absent where there is no such field.
func (f *form) chosen(name string) (id ledger.Opt[uuid.UUID]) {
	text := f.text(name)
	switch read, ok := ledger.ParseID(text); {
	case !f.given(name):
		return id
	case text == "":
		return ledger.Opt[uuid.UUID]{Set: true, Null: true}
	case !ok:
		f.problems.Add(name, "must be one of the list")
		return id
	default:
		return ledger.Some(read)
	}
}

// merchant is the merchant of a name that was typed, made when there is none; null of an empty text.
func (f *form) merchant(name string) (id ledger.Opt[uuid.UUID], err error) {
	text := f.text(name)
	switch {
	case !f.given(name):
		return id, nil
	case text == "":
		return ledger.Opt[uuid.UUID]{Set: true, Null: true}, nil
	}
	found, err := f.named(name, names.Merchant, text)
	if err != nil || found != uuid.Nil || len(f.problems) > 0 {
		return ledger.Opt[uuid.UUID]{Set: found != uuid.Nil, Value: found}, err
	}
	m, err := f.site.Ledger.Labels.CreateMerchant(f.Context(), f.who(), catalog.MerchantInput{Name: ledger.Some(text)})
	return ledger.Some(uuid.UUID(m.PublicID)), f.noteOr(name, err)
}

// tags are the tags of names that were typed with commas between them; those that there are not are made.
func (f *form) tags(name string) (ids ledger.Opt[[]uuid.UUID], err error) {
	if !f.given(name) {
		return ids, nil
	}
	ids.Set, ids.Value = true, []uuid.UUID{}
	for text := range strings.SplitSeq(f.FormValue(name), ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		found, err := f.named(name, names.Tag, text)
		if err != nil {
			return ids, err
		}
		if found == uuid.Nil && len(f.problems) == 0 {
			t, err := f.site.Ledger.Labels.CreateTag(f.Context(), f.who(), catalog.TagInput{Name: ledger.Some(text)})
			if err := f.noteOr(name, err); err != nil {
				return ids, err
			}
			found = uuid.UUID(t.PublicID)
		}
		if found != uuid.Nil {
			ids.Value = append(ids.Value, found)
		}
	}
	return ids, nil
}

// named is the id of what is called by a name, the zero id where nothing is; what several are called is a problem.
func (f *form) named(field string, kind names.Kind, text string) (uuid.UUID, error) {
	all, err := f.site.Ledger.Names.List(f.Context(), f.who(), kind)
	if err != nil {
		return uuid.Nil, err
	}
	switch called := names.Called(all, text); len(called) {
	case 0:
		return uuid.Nil, nil
	case 1:
		return called[0].ID, nil
	}
	f.problems.Add(field, "names several: more than one %s is called %s", kind, ledger.Quote(text))
	return uuid.Nil, nil
}

// noteOr takes a validation error as problems of a field, and gives back every other one.
func (f *form) noteOr(field string, err error) error {
	e := ledger.AsError(err)
	if e == nil || e.Kind != ledger.Invalid {
		return err
	}
	for _, problem := range e.Fields {
		f.problems.Add(field, "%s", problem.Message)
	}
	return nil
}

// again answers with the form once more, as it was typed, when that was not right, and says what is wrong. Any other
// error is given back.
func (v *visit) again(err error, page, title string, view func(problems formProblems) any) error {
	e := ledger.AsError(err)
	if e == nil || e.Kind != ledger.Invalid && e.Kind != ledger.Conflict {
		return err
	}
	status, problems := http.StatusUnprocessableEntity, formProblems{ByField: map[string]string{}}
	for _, problem := range e.Fields {
		problems.All = append(problems.All, problem.String())
		problems.ByField[problem.Field] = problem.Message
	}
	if e.Kind == ledger.Conflict {
		status = http.StatusConflict
	}
	if len(problems.All) == 0 {
		problems.All = []string{e.Message}
	}
	return v.renderStatus(status, page, title, view(problems))
}

// formProblems is what is wrong with a form: all of it as sentences, and what continues the name of each field.
type formProblems struct {
	All     []string
	ByField map[string]string
}
