package balance_test

import (
	"testing"

	"finsvc/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }
