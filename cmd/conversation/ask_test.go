package conversation

import (
	"strings"
	"testing"

	"finsvc/queries"
)

// What a terminal shows while an answer is written, and what a file gets.
func TestSpeaker(t *testing.T) {
	t.Parallel()
	call := queries.ToolCall{FunctionName: "f"}
	states := []struct {
		text  string
		calls []queries.ToolCall
	}{
		{"", nil}, {"I", nil}, {"I look", nil}, {"", []queries.ToolCall{call}}, {"", []queries.ToolCall{call, call}},
		{"It", []queries.ToolCall{call, call}}, {"It is 5. ", []queries.ToolCall{call, call}},
	}
	for _, c := range []struct {
		live bool
		last string
		want string
	}{
		{true, "It is 5.", "I look\n(f)(f)It is 5. \n"},
		{true, "It is 5. Or 6.", "I look\n(f)(f)It is 5. Or 6.\n"},
		{true, "So what?", "I look\n(f)(f)It is 5. \nSo what?\n"},
		{true, "", "I look\n(f)(f)It is 5. \n"},
		{false, "It is 5.", "(f)(f)It is 5.\n"},
		{false, "", "(f)(f)"},
	} {
		var out strings.Builder
		s := &speaker{out: &out, live: c.live, call: func(q queries.ToolCall) { out.WriteString("(" + q.FunctionName + ")") }}
		for _, state := range states {
			if err := s.show(queries.Message{Content: state.text}, state.calls); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.end(queries.Message{Content: c.last}); err != nil {
			t.Fatal(err)
		}
		if out.String() != c.want {
			t.Errorf("live %t, at last %q: showed %q, want %q", c.live, c.last, out.String(), c.want)
		}
	}
}
