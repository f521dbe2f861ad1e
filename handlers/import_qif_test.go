package handlers

import (
	"strings"
	"testing"
)

// TestImportQIF: 500.00 - 60.00 - 12.50 = 427.50 in the one account, 60.00 in the other.
func TestImportQIF(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = "!Account\nNDaily\nTBank\n^\n!Type:Bank\nD31.1.2026\nT500,00\nPOpening Balance\nL[Daily]\n^\nD31.1.2026\nT-60,00\nPSave\nL[Nest]\n^\n" +
		"D1.2.2026\nT-12,50\nPBakery\nSFood\n$-10,00\nSFuel\n$-2,00\n^\n!Account\nNNest\nTBank\n^\n!Type:Bank\nD31.1.2026\nT60,00\nPSave\nL[Daily]\n^\n"
	id := importOf(t, h.call(t, "POST", "/imports", importBody(file, `"type":"QifImport"`, `"publish":"true"`)), 201).ID
	stop := h.work(t)
	if done := h.settled(t, id); done.Status != "complete" {
		t.Errorf("%+v", done)
	}
	stop()
	if daily, nest := h.balance(t, "Daily"), h.balance(t, "Nest"); daily != 42750 || nest != 6000 {
		t.Errorf("the accounts have %d and %d", daily, nest)
	}
	rows := h.call(t, "GET", "/imports/"+id+"/rows", "").Text
	for _, want := range []string{`"date_format":"%d/%m/%Y","number_format":"1.234,56"`,
		`"remarks":["split is not imported, its parts are in the notes: its parts come to -12.00, the amount is -12.50"]`, `"notes":"Split Food, -10,00\nSplit Fuel, -2,00"`} {
		if !strings.Contains(rows+h.call(t, "GET", "/imports/"+id, "").Text, want) {
			t.Errorf("no %s in %s", want, rows)
		}
	}
	asked := h.call(t, "POST", "/imports", importBody("!Type:Bank\nD1/2/2026\nT5\n^\n", `"type":"QifImport"`, `"account_id":"{Checking}"`))
	if !strings.Contains(asked.Text, `"status":"pending"`) {
		t.Errorf("%s", asked.Text)
	}
}
