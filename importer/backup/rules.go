package backup

import (
	"bytes"
	"encoding/json"
	"fmt"

	"finsvc/importer/record"
	"finsvc/ledger"
)

func planRule(b *line) {
	body := &record.RestoredRule{}
	b.row.Body = body
	checkUnique(b, b.required("id"))
	b.row.Name = b.name("name", b.text("name"))
	if kind := b.text("resource_type"); kind != "" && kind != "transaction" {
		b.issue("resource_type", "must be transaction, got "+ledger.Quote(kind))
	}
	*body = record.RestoredRule{Active: b.flag("active", false), Effective: b.optionalDate("effective_date"),
		Conditions: readObjects(b, "conditions"), Actions: readObjects(b, "actions")}
	if len(body.Actions) == 0 && len(b.row.Issues) == 0 {
		b.issue("actions", "must have at least one action")
	}
}

// readObjects is a member that is a list of JSON objects.
func readObjects(b *line, name string) []any {
	list := []any{}
	for i, element := range b.list(name) {
		decoder := json.NewDecoder(bytes.NewReader(element))
		decoder.UseNumber()
		var object map[string]any
		if err := decoder.Decode(&object); err != nil || object == nil {
			b.issue(name, fmt.Sprintf("must be a list of JSON objects, member %d is none", i+1))
			return list
		}
		list = append(list, object)
	}
	return list
}
