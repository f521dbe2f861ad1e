package handlers

import (
	"fmt"
	"strings"

	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/names"
)

// sayingIDs answers as a handler does; where a name was given for an id, the error says which id has it, if there is
// time to look: a refusal stays one when nothing more can be read for it.
func sayingIDs(l *books.Books, handle middleware.Handler) middleware.Handler {
	return func(a *wire.Answer, r *wire.Request) error {
		err := handle(a, r)
		e := ledger.AsError(err)
		if e == nil || e.Kind != ledger.Invalid || r.Session == nil {
			return err
		}
		var said ledger.Problems
		found := false
		for _, f := range e.Fields {
			hint, hintErr := idHint(l, r, f)
			if hintErr != nil {
				return err
			}
			found = found || hint != ""
			said.Add(f.Field, "%s%s", f.Message, hint)
		}
		if !found {
			return err
		}
		return said.Err()
	}
}

// idHint says which ids have the name that was given for an id; blank where none was, or nothing has it.
func idHint(l *books.Books, r *wire.Request, f ledger.FieldError) (string, error) {
	if f.NoID == "" {
		return "", nil
	}
	for _, kind := range []names.Kind{names.Account, names.Category, names.Merchant, names.Tag} {
		if !strings.Contains(f.Field[strings.LastIndexByte(f.Field, '.')+1:], string(kind)) {
			continue
		}
		all, err := l.Names.List(r.Context(), r.Who(), kind)
		if err != nil {
			return "", err
		}
		hint := ""
		for _, n := range names.Called(all, f.NoID) {
			hint += fmt.Sprintf("; the %s %s has the id %s", kind, ledger.Quote(n.Name), n.ID)
		}
		return hint, nil
	}
	return "", nil
}
