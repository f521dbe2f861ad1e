package source_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"finsvc/importer/source"
	"finsvc/ledger"
)

// TestBuffer: what was written is read, as often as one likes, and takes less memory than it is long.
func TestBuffer(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("2026-01-31;-3,00;Coffee\n", 10_000)
	b := source.NewBuffer(int64(len(content)))
	for _, part := range []string{content[:100_001], content[100_001:]} {
		if _, err := io.WriteString(b, part); err != nil {
			t.Fatal(err)
		}
	}
	f := b.File()
	if b.Held() > int64(len(content))/10 {
		t.Errorf("%d bytes are held of %d", b.Held(), b.Size())
	}
	for n := range 3 {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || string(got) != content {
			t.Fatalf("read %d bytes of %d, %v", len(got), len(content), err)
		}
		if read, size := f.Progress(); read != size || f.Reads() != n+1 {
			t.Errorf("progress is %d of %d after %d reads", read, size, f.Reads())
		}
	}
}

func TestBufferIsBounded(t *testing.T) {
	t.Parallel()
	b := source.NewBuffer(10)
	if _, err := io.WriteString(b, "0123456789"); err != nil {
		t.Error(err)
	}
	if _, err := io.WriteString(b, "x"); !ledger.IsKind(err, ledger.Invalid) {
		t.Errorf("one byte more: %v", err)
	}
}

// TestSum reads the file for its hash only where nobody has read all of it. The hash is that of the three letters in
// FIPS 180-2, B.1.
func TestSum(t *testing.T) {
	t.Parallel()
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	f := source.Text("abc")
	for range 2 {
		sum, err := f.Sum()
		if err != nil || hex.EncodeToString(sum) != want || len(sum) != sha256.Size {
			t.Fatalf("got %x, %v", sum, err)
		}
	}
	if f.Reads() != 1 {
		t.Errorf("the file was read %d times", f.Reads())
	}
}
