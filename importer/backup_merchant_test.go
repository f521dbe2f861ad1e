package importer_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// TestBackupOfMerchants: what merchants look like comes back as it was; what is no colour or address does not, and is
// said.
func TestBackupOfMerchants(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.publishBackup(record("Merchant", "'id':'m1','name':'Baker','color':'#AABBCC','website_url':'baker.example'") +
		record("Merchant", "'id':'m2','name':'Kiosk','color':'red','website_url':'ftp://kiosk.example'") +
		record("Merchant", "'id':'m3','name':'Plain','color':null"))
	const want = "Baker #aabbcc baker.example, Kiosk  , Plain  "
	if got := k.merchants(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, rows, err := k.Results(t.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprint(rows[1].Changes)
	for _, words := range []string{`color "red" of merchant "Kiosk" was left out`,
		`website_url "ftp://kiosk.example" of merchant "Kiosk" was left out`} {
		if !strings.Contains(said, words) {
			t.Errorf("remarks are %s, want %s", said, words)
		}
	}
	var out bytes.Buffer
	if _, err := k.ledger.Exports.WriteBackup(t.Context(), k.who, &out); err != nil {
		t.Fatal(err)
	}
	other := newFixture(t)
	other.publishBackup(out.String())
	if got := other.merchants(); got != want {
		t.Errorf("read back %s, want %s", got, want)
	}
}

func (k *fixture) merchants() string {
	k.tb.Helper()
	list, err := k.ledger.Labels.ListMerchants(k.tb.Context(), k.who)
	if err != nil {
		k.tb.Fatal(err)
	}
	var parts []string
	for _, m := range list {
		parts = append(parts, m.Name+" "+m.Color+" "+m.WebsiteUrl)
	}
	return strings.Join(parts, ", ")
}
