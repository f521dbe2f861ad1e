package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/transfer"
)

const bankAndBroker = `!Account
NEveryday
TBank
^
!Type:Bank
D1/10/26
T1,000.00
POpening Balance
L[Everyday]
^
D1/12/26
T-125.00
PTo the broker
L[Broker]
^
D1/30/26
T60.00
PFrom the broker
L[Broker]
^
!Account
NBroker
TInvst
^
!Type:Invst
D1/12/26
NBuyX
YAcme Works
I12.50
Q10
T125.00
L[Everyday]
$125.00
^
D1/20/26
NReinvDiv
YAcme Works
I13
Q1
T13.00
^
D1/25/26
NDiv
YAcme Works
T7.00
^
D1/30/26
NSellX
YAcme Works
I15
Q4
T60.00
L[Everyday]
$60.00
^
D1/31/26
NShrsIn
YAcme Works
I14
Q2
T28.00
^
!Type:Security
NAcme Works
SACME
TStock
^
`

// TestQIFBroker: the bank has 1000.00 - 125.00 + 60.00 = 935.00. Of the broker's cash only the 7.00 are left, the
// other payments come and go; 10 + 1 - 4 + 2 = 9 units at the last price of 14.00 are 126.00.
func TestQIFBroker(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	out := k.preflight(bankAndBroker, importer.Request{Type: recordpkg.QifImport})
	if got, want := creates(out.Creates), "account Everyday EUR; account Broker EUR; security ACME"; got != want ||
		out.Obstacle != "" {
		t.Errorf("preflight: %s, %q", got, out.Obstacle)
	}
	if got := k.published(recordpkg.QifImport, bankAndBroker,
		false); got != "complete 11 11 0"+strings.Repeat(" imported", 11) {
		t.Error(got)
	}
	const all = "Broker investment - 13300 EUR\nChecking depository checking 0 EUR\nEveryday depository checking 93500 EUR"
	if diff := cmp.Diff(all, k.accounts()); diff != "" {
		t.Error(diff)
	}
	list, _, err := k.ledger.Transfers.ListTransfers(t.Context(), k.who, transfer.Filter{},
		ledger.Page{Number: 1, Size: 10})
	if err != nil || len(list) != 2 {
		t.Errorf("transfers: %s, %v", fmt.Sprint(list), err)
	}
}
