package backup

import (
	"encoding/json"
	"strings"
	"testing"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger/money"
)

// FuzzBackup: every line that is not blank becomes one row, whatever is in it, and twice the same; what is taken
// apart by hand is what the JSON reader of the library finds.
func FuzzBackup(f *testing.F) {
	for _, line := range []string{`{"type":"Tag","data":{"id":"1","name":"a\"}b"}}`, `{ "type" : "Transaction" , "data" : {"amount":-1e2,"tag_ids":[ "a" , {"b":[1]} ]} }`,
		"\n\n{}\n[", `{"type":"Rule","data":{"id":"1","actions":[{"a":{"b":[]}}]}}`, "PK\x03\x04", `{"type":"Trade","data":{"qty":"1e40","price":"1e-40","amount":"1e30","account_id":"a"}}` +
			"\n" + `{"type":"Account","data":{"id":"a","name":"a","balance":"0","accountable_type":"Crypto"}}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := fuzzRows(text)
		second, again := fuzzRows(text)
		if (err == nil) != (again == nil) || len(first) != len(second) {
			t.Fatalf("%v and %v, %d and %d rows", err, again, len(first), len(second))
		}
		for i, row := range first {
			if row.Number != i+1 || row.Key != second[i].Key || row.Planned() && row.Entity() == "" && row.AccountRef == "" {
				t.Fatalf("row %d: %+v", i, row)
			}
		}
		for line := range strings.Lines(text) {
			sameMembers(t, strings.TrimSpace(line))
		}
	})
}

func fuzzRows(text string) (rows []record.Record, err error) {
	reader, err := Format{}.Open(source.Text(text), record.Settings{}, record.Defaults{Currency: money.Currency{Code: "EUR", Exponent: 2}, Max: 1 << 20})
	if err != nil {
		return nil, err
	}
	return rows, record.Each(reader, func(row record.Record) error {
		rows = append(rows, row)
		return nil
	})
}

func sameMembers(t *testing.T, line string) {
	t.Helper()
	var want map[string]json.RawMessage
	if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &want) != nil {
		return
	}
	got := members([]byte(line), nil)
	for name, value := range want {
		if string(member(got, name)) != string(value) {
			t.Fatalf("%q is %q, want %q", name, member(got, name), value)
		}
	}
	if len(got) < len(want) {
		t.Fatalf("%d members, want %d", len(got), len(want))
	}
}
