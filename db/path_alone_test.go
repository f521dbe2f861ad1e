package db

import (
	"strings"
	"testing"

	"finsvc/db/disk"
)

// TestOnNetwork: who keeps a database on the network is told where to keep what.
func TestOnNetwork(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"nfs", "smb", "9p"} {
		text := onNetwork("/data/finance.db", disk.Info{Kind: kind, Network: true}).Error()
		if !strings.HasPrefix(text, "/data/finance.db lies on a network file system ("+kind+")") || !strings.Contains(text, "--backup-dir") {
			t.Errorf("got %q", text)
		}
	}
}
