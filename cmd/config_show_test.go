package cmd_test

import (
	"slices"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Env = []string{"FINSVC_LISTEN=:7000", "FINSVC_AI_KEY=sk-very-secret", "FINSVC_LOG=", "FINSVC_ASSISTANT_LOCAL_ONLY=on"}
	rows := s.List("config", "--log-level", "warn", "--ai-rounds", "3")
	got := map[string][2]any{}
	for _, row := range rows {
		got[row["setting"].(string)] = [2]any{row["value"], row["from"]}
	}
	for name, want := range map[string][2]any{
		"data":                 {s.File, "$FINSVC_DATA"},
		"listen":               {":7000", "$FINSVC_LISTEN"},
		"log":                  {"auto", "default"}, // a blank variable says nothing
		"log-level":            {"warn", "--log-level"},
		"ai-rounds":            {"3", "--ai-rounds"},
		"ai-key":               {"********", "$FINSVC_AI_KEY"},
		"ai-model":             {"", "default"},
		"assistant-local-only": {"on", "$FINSVC_ASSISTANT_LOCAL_ONLY"},
	} {
		if got[name] != want {
			t.Errorf("%s: got %v, want %v", name, got[name], want)
		}
	}
	table := s.OK("config")
	if strings.Contains(table, "secret") || !slices.Contains(strings.Fields(table), "$FINSVC_AI_KEY") {
		t.Errorf("printed %s", table)
	}
	if got := s.OK("config", "--data", "other.db"); !strings.Contains(got, "other.db") || !strings.Contains(got, "--data") {
		t.Errorf("printed %s", got)
	}
	s.Fails(2, []string{"config", "--listen"}, "flag needs an argument")
}
