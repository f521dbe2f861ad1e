package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/names"
	"finsvc/queries"
)

// mostListed is how many of each kind of thing a preview lists.
const mostListed = 20

func importParams() []param {
	return []param{{"content", argText, "the text of the file"}, {"account", argText, "name of the account, where the file names none"},
		{"type", argText, record.TransactionImport + " unless it is said, QifImport, MintImport or another one that the program reads"},
		{"settings", argSettings, "what nothing in the file proves, such as date_format %d/%m/%Y or signage_convention inflows_negative"},
		{"dry_run", argFlag, "true unless it is said to be false"}, {"plan", argText, "of what was shown"}}
}

// writtenImport is a file to import.
type writtenImport struct {
	Content  string            `json:"content"`
	Account  *string           `json:"account"`
	Type     string            `json:"type"`
	Settings map[string]string `json:"settings"`
	DryRun   *bool             `json:"dry_run"`
	Plan     string            `json:"plan"`
}

// importFile says what importing a file would do, or imports it if that is still what was shown.
func (s *Service) importFile(ctx context.Context, who ledger.Actor, r *sdk.CallToolRequest) (map[string]any, error) {
	var w writtenImport
	if err := read(importParams(), r.Params.Arguments, &w); err != nil {
		return nil, err
	}
	dry := w.DryRun == nil || *w.DryRun
	switch {
	case strings.TrimSpace(w.Content) == "":
		return nil, ledger.NewInvalid("content", "is required: the text of the file")
	case !dry && w.Plan == "":
		return nil, ledger.NewInvalid("plan", "is required with dry_run false: that of what was shown")
	}
	in := importer.Request{Type: w.Type, Plan: w.Plan, Publish: true, Duplicates: importer.DuplicatesHold}
	members := in.Settings.Members()
	for name, value := range w.Settings {
		member, known := members[name]
		if !known {
			return nil, ledger.NewInvalid("settings", "has no member %s; the settings are %s", ledger.Quote(name), strings.Join(slices.Sorted(maps.Keys(members)), ", "))
		}
		*member = &value
	}
	var err error
	in.AccountID, err = s.Ledger.Names.Given(ctx, who, names.Account, w.Account)
	if err != nil {
		return nil, err
	}
	buffer := s.Importer.NewBuffer()
	if _, err := buffer.Write([]byte(w.Content)); err != nil {
		return nil, err
	}
	preview, err := s.Importer.Preflight(ctx, who, in, buffer.File())
	if err != nil {
		return nil, err
	}
	said := asPreview(preview)
	if dry || preview.Obstacle != "" {
		said["dry_run"] = true
		return said, nil
	}
	if preview.Plan != w.Plan {
		return nil, ledger.NewConflict("it would do something else by now than what was shown: look at it again without dry_run false")
	}
	in.Preflight = preview
	upload, err := s.Importer.Receive(ctx, who)
	if err != nil {
		return nil, err
	}
	if _, err := upload.Write([]byte(w.Content)); err != nil {
		_ = upload.Discard(ctx) // the error says more
		return nil, err
	}
	imp, err := upload.Finish(ctx, in)
	if err == nil {
		imp, err = s.settled(ctx, who, r, uuid.UUID(imp.PublicID))
	}
	if err != nil {
		return nil, err
	}
	return asImported(&imp), nil
}

func importIDParams() []param { return []param{{"import_id", argID, ""}} }

// showImport says how an import ended.
func (s *Service) showImport(ctx context.Context, who ledger.Actor, raw json.RawMessage) (map[string]any, error) {
	var w struct {
		ImportID uuid.UUID `json:"import_id"`
	}
	if err := read(importIDParams(), raw, &w); err != nil {
		return nil, err
	}
	imp, err := s.Importer.Get(ctx, who, w.ImportID)
	if err != nil {
		return nil, err
	}
	return asImported(&imp), nil
}

// asImported is what became of an import.
func asImported(imp *queries.Import) map[string]any {
	done := map[string]any{"import_id": uuid.UUID(imp.PublicID), "status": imp.Status}
	switch {
	case imp.Error != nil:
		done["error"] = *imp.Error
	case imp.Status == importer.StatusComplete:
		done["booked"] = imp.ValidRowsCount - imp.MatchedRowsCount - imp.DoubtfulRowsCount
		done["already_there"], done["held_back"] = imp.MatchedRowsCount, imp.DoubtfulRowsCount
	case importer.Working(imp):
		done["hint"] = "it goes on; get_import tells how it ended"
	}
	return done
}

// asPreview is what an import would do, for a model.
func asPreview(p *importer.Preflight) map[string]any {
	said := map[string]any{"rows": p.Rows, "would_be_booked": p.Valid - p.Matched - p.Held, "already_there": p.Matched,
		"held_back_as_possible_duplicates": p.Held, "invalid": p.Invalid, "settings": p.Settings}
	if p.Obstacle != "" {
		said["error"] = p.Obstacle
	} else {
		said["plan"] = p.Plan
	}
	if len(p.Open) > 0 {
		said["settings_needed"] = p.Open
	}
	if len(p.Sums) > 0 {
		said["first_date"], said["last_date"] = p.First.String(), p.Last.String()
	}
	sums := []map[string]string{}
	for _, sum := range p.Sums {
		sums = append(sums, map[string]string{"currency": sum.Currency.Code, "in": sum.Currency.Plain(sum.In), "out": sum.Currency.Plain(sum.Out)})
	}
	said["sums"] = sums
	created := []string{}
	for _, c := range p.Creates[:min(len(p.Creates), mostListed)] {
		created = append(created, c.Entity+" "+c.Name)
	}
	said["creates"], said["creates_count"] = created, len(p.Creates)
	issues := []string{}
	for _, issue := range p.Issues[:min(len(p.Issues), mostListed)] {
		issues = append(issues, issue.String())
	}
	said["issues"] = issues
	return said
}
