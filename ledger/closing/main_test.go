package closing_test

import (
	"os"
	"testing"

	"finsvc/ledger/ledgertest"
)

func TestMain(m *testing.M) { os.Exit(ledgertest.Main(m)) }
