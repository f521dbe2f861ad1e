package assistant

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/queries"
)

func TestSystemPrompt(t *testing.T) {
	t.Parallel()
	text := systemPrompt(ledger.NewDate(2026, 11, 21), "EUR")
	if !strings.Contains(text, "Today is Saturday, 2026-11-21. The household's currency is EUR.") || strings.Contains(text, "{") {
		t.Errorf("the prompt is %s", text)
	}
	if n := tokens(len(text)); n > 300 {
		t.Errorf("the prompt has %d tokens", n)
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{ // newest first in, oldest first out: questions in capitals
		"":       "",
		"aA":     "Aa",
		"bBaA":   "AaBb",
		"BaA":    "Aa",
		"bBA":    "Bb",
		"bBAaA":  "AaBb",
		"ba":     "",
		"AB":     "",
		"cCb":    "Cc",
		"cCbBAa": "BbCc",
	} {
		var said []queries.ListTurnsBeforeRow
		for _, r := range in {
			role := model.RoleAssistant
			if r < 'a' {
				role = model.RoleUser
			}
			said = append(said, queries.ListTurnsBeforeRow{Role: role, Content: string(r)})
		}
		var got strings.Builder
		for _, turn := range pairs(said) {
			got.WriteString(turn.Text)
		}
		if got.String() != want {
			t.Errorf("%s gives %s, want %s", in, got.String(), want)
		}
	}
}

// tools are as many as the program has, and as long.
func someTools() []model.Tool {
	return []model.Tool{{Name: "get_transactions", Description: strings.Repeat("d", 2000), Parameters: []byte(strings.Repeat("p", 2800))}}
}

// TestPromptFits: whatever was said and found, a prompt has room for the answer, has the question, and of the past the
// newest questions, each with its answer and whole.
func TestPromptFits(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.SampledFrom([]string{"x", "ä", "€ ", "🙂"}).Draw(t, "letter"), rapid.OneOf(rapid.IntRange(1, 50), rapid.IntRange(1, 40_000)).Draw(t, "length"))
	})
	rapid.Check(t, func(t *rapid.T) {
		budget := rapid.OneOf(rapid.IntRange(0, 5000), rapid.IntRange(4096, 100_000)).Draw(t, "budget")
		asked := text.Draw(t, "question")
		said := []queries.ListTurnsBeforeRow{{Role: model.RoleUser, Content: asked}}
		count := rapid.IntRange(0, 12).Draw(t, "past")
		for i := range count {
			said = append(said, queries.ListTurnsBeforeRow{Role: model.RoleAssistant, Content: fmt.Sprint("a", i, text.Draw(t, "answer"))},
				queries.ListTurnsBeforeRow{Role: model.RoleUser, Content: fmt.Sprint("q", i, text.Draw(t, "past question"))})
		}
		c, ok := newConversation(model.Prompt{}, "EUR", said, budget, someTools())
		if !ok {
			t.Fatal("there is no question")
		}
		for round := range rapid.IntRange(1, 6).Draw(t, "rounds") {
			specs := someTools()
			if round > 3 {
				specs = nil
			}
			checkPrompt(t, c, specs, said)
			addResults(t, c, specs)
		}
		checkPrompt(t, c, nil, said)
	})
}

// addResults makes calls whose results take all the room they may.
func addResults(t *rapid.T, c *conversation, specs []model.Tool) {
	calls := rapid.IntRange(1, 4).Draw(t, "calls")
	var made []model.Call
	for i := range calls {
		call := model.Call{ID: fmt.Sprint("call_", i), Name: "get_transactions", Arguments: []byte(`{"` + strings.Repeat("x", rapid.IntRange(0, 1900).Draw(t, "arguments")) + `":1}`)}
		budget := c.resultBudget(specs, made, call, calls-i)
		if budget < leastBudget {
			break
		}
		call.Result = []byte(strings.Repeat("r", budget))
		made = append(made, call)
	}
	if len(made) > 0 {
		c.work = append(c.work, model.Turn{Role: model.RoleAssistant, Calls: made})
	}
}

func checkPrompt(t *rapid.T, c *conversation, specs []model.Tool, said []queries.ListTurnsBeforeRow) {
	p := c.next(specs)
	bytes := 0 // counted here without the program's own measure
	for _, turn := range p.Turns {
		bytes += len(turn.Text)
		for _, call := range turn.Calls {
			bytes += len(call.ID) + len(call.Name) + len(call.Arguments) + len(call.Result)
		}
	}
	for _, s := range p.Tools {
		bytes += len(s.Name) + len(s.Description) + len(s.Parameters)
	}
	budget := max(c.budget, 4096)
	if most := (budget - budget/8) * 3; bytes > most {
		t.Fatalf("the prompt has %d bytes, %d are allowed", bytes, most)
	}
	past := p.Turns[1 : len(p.Turns)-1-len(c.work)]
	asked := p.Turns[len(past)+1]
	if whole := said[0].Content; asked.Role != model.RoleUser || asked.Text != whole && !(strings.HasSuffix(asked.Text, cutQuestion) && strings.HasPrefix(whole, strings.TrimSuffix(asked.Text, cutQuestion)) && len(asked.Text) > 500) {
		t.Fatalf("the question is %d bytes of %d", len(asked.Text), len(whole))
	}
	if len(past)%2 != 0 {
		t.Fatalf("there are %d turns of the past", len(past))
	}
	for i, turn := range past { // said is newest first
		if was := said[len(past)-i]; turn.Role != was.Role || turn.Text != was.Content || !utf8.ValidString(turn.Text) {
			t.Fatalf("turn %d of the past is not the one that was said", i)
		}
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	for _, try := range []struct {
		text string
		most int
		want string
	}{{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"aé", 2, "a"}, {"é", 1, ""}, {"🙂", 3, ""}, {"a", -5, ""}, {"", 0, ""}} {
		if got := head(try.text, try.most); got != try.want {
			t.Errorf("%d bytes of %q are %q", try.most, try.text, got)
		}
	}
}

func TestSpoken(t *testing.T) {
	t.Parallel()
	var s spoken
	for _, piece := range []string{" \n", "\tA\x00", "b\x1b[1m\r\n", "c\xff", " "} {
		if err := s.add(piece); err != nil {
			t.Fatal(err)
		}
	}
	if s.trimmed() != "Ab[1m\nc\uFFFD" {
		t.Errorf("said was %q", s.trimmed())
	}
	var long spoken
	for long.add("1234567") == nil {
	}
	// 65,536 is 9,362 times 7 and 2.
	if want := strings.Repeat("1234567", 9362) + "12…"; long.trimmed() != want || long.add("x") == nil || long.trimmed() != want {
		t.Errorf("a long text has %d bytes and ends in %q", len(long.trimmed()), long.trimmed()[65_530:])
	}
}
