package server

import (
	"strings"
	"testing"

	"finsvc/db/dbtest"
)

func TestWell(t *testing.T) {
	t.Parallel()
	s := &Service{Database: dbtest.New(t)}
	end := s.status.begin("imports")
	s.status.begin("assistant")
	if err := s.Well(t.Context()); err != nil {
		t.Errorf("while all is well: %v", err)
	}
	end()
	if err := s.Well(t.Context()); err == nil || !strings.Contains(err.Error(), "imports") || strings.Contains(err.Error(), "assistant") {
		t.Errorf("got %v", err)
	}
	s = &Service{Database: s.Database}
	if err := s.Database.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Well(t.Context()); err == nil {
		t.Error("a closed database is well")
	}
}
