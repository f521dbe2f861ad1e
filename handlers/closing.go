package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/closing"
)

// codeConfirm is the code of a refusal to delete what was not confirmed.
const codeConfirm = "confirmation_required"

// deleteAccount answers DELETE /accounts/{id}. Without confirm it says what would go.
func (s *accounts) deleteAccount(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Account")
	if err != nil {
		return err
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	q := r.Query()
	confirmed, said := q.Flag("confirm"), f.Boolean("confirm")
	if err := q.Err(); err != nil {
		return err
	}
	if err := f.Err(); err != nil {
		return err
	}
	if !confirmed.Value && !said.Value {
		look, err := s.ledger.Closing.LookAtDeletion(r.Context(), r.Who(), id)
		if err != nil {
			return err
		}
		u := look.Uses
		return &ledger.Error{Kind: ledger.Invalid, Code: codeConfirm,
			Message: "the account " + ledger.Quote(look.Name) + " would be deleted with all that is booked in it: send confirm=true to do so",
			Details: map[string]any{"transactions": u.Transactions, "split_lines": u.SplitLines, "trades": u.Trades,
				"valuations": u.Valuations, "transfers": u.Transfers, "imports": u.Imports, "rules": u.Rules}}
	}
	done, err := s.ledger.Closing.Delete(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.Text("message", "Account deleted successfully")
	writeUses(j, "deleted", done.Uses)
	j.Id("change_id", done.OperationID)
	j.Close()
	return nil
}

// mergeAccount answers POST /accounts/{id}/merge: what remains, the target, with what it has got or would get.
func (s *accounts) mergeAccount(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Account")
	if err != nil {
		return err
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	target, dryRun := f.Id("target_id"), f.Boolean("dry_run")
	if !target.Has() && len(*f.Problems) == 0 {
		f.Problems.Add("target_id", "is required: the id of the account that remains")
	}
	if err := f.Err(); err != nil {
		return err
	}
	done, err := s.ledger.Closing.Merge(r.Context(), r.Who(), id, target.Value, dryRun.Value)
	if err != nil {
		return err
	}
	remains, err := s.ledger.Accounts.GetAccount(r.Context(), r.Who(), target.Value)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.Open("account")
	writeAccountMembers(j, &remains, format)
	j.Close()
	j.Bool("dry_run", dryRun.Value)
	writeUses(j, "moved", done.Uses)
	j.Int("possible_duplicates", done.PossibleDuplicates)
	j.IdOrNull("change_id", done.OperationID)
	j.Close()
	return nil
}

func writeUses(j *wire.Writer, name string, u closing.Uses) {
	j.Open(name)
	j.Int("transactions", u.Transactions)
	j.Int("split_lines", u.SplitLines)
	j.Int("trades", u.Trades)
	j.Int("valuations", u.Valuations)
	j.Int("transfers", u.Transfers)
	j.Int("imports", u.Imports)
	j.Int("rules", u.Rules)
	j.Close()
}
