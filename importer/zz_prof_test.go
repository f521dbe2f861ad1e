package importer_test

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"finsvc/importer"
	"finsvc/ledger"
	"github.com/google/uuid"
)

func TestZZProf(t *testing.T) {
	path := os.Getenv("ZZFILE")
	if path == "" {
		t.Skip()
	}
	k := newDesk(t)
	start := time.Now()
	lap := func(what string) { fmt.Println(what, time.Since(start).Round(time.Millisecond)); start = time.Now() }
	for round := range 2 {
		f, _ := os.Open(path)
		u, err := k.Receive(t.Context(), k.who)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(u, f)
		lap("received")
		imp, err := u.Finish(t.Context(), importer.Request{AccountID: ledger.Some(k.account), Publish: true})
		if err != nil {
			t.Fatal(err)
		}
		lap("judged " + imp.Status)
		k.work()
		imp = k.get(imp)
		lap("published " + imp.Status)
		if round == 1 {
			k.revert(imp, false)
			lap("revert begun")
			k.work()
			lap("reverted")
		}
		_ = uuid.Nil
	}
}
