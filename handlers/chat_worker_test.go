package handlers

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"finsvc/assistant/aitest"
	"finsvc/assistant/provider"
)

// converse has the questions of a house answered by a model that speaks as a script tells it to.
func (h *fixture) converse(t *testing.T, steps ...aitest.Step) (stop func()) {
	t.Helper()
	model, err := provider.New(provider.Options{URL: aitest.New(t, steps...).URL, Model: "small", Timeout: provider.DefaultTimeout})
	if err != nil {
		t.Fatal(err)
	}
	h.assistant.Model = model
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := h.assistant.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// TestChatIsAnswered goes from the question to the figures, over HTTP on both sides.
//
// Decision, Assistant: without a provider the built-in engine answers, as model builtin.
func TestChatIsAnswered(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	heard, goOn := make(chan struct{}), make(chan struct{})
	pause := func(w http.ResponseWriter, _ *http.Request, q aitest.Request) {
		aitest.Chunk(w, q, map[string]any{"content": "You have "}, "")
		close(heard)
		<-goOn
		aitest.Chunk(w, q, map[string]any{"content": "three accounts."}, "")
		aitest.Chunk(w, q, map[string]any{}, "stop")
		aitest.Done(w)
	}
	defer h.converse(t, aitest.Use(aitest.Tool{Name: "get_accounts", Arguments: "{\n}"}), pause)()
	h.newChat(t, `{"message":"How many accounts have I?"}`)
	stream := h.listenTo(t.Context(), t, "/chats/{Chat}/messages/{Last}/stream")
	<-heard
	close(goOn)
	got := told(t, stream.Body)
	end := "done 1-24 complete You have three accounts."
	if got[len(got)-1] != end || !strings.HasPrefix(strings.Join(got, " "), "tool_call 1-0 get_accounts text 1-") {
		t.Errorf("got %q", got)
	}
	c := h.chat(t, "")
	if c.Error != nil || c.Messages[1].Content != "You have three accounts." || *c.Messages[1].Model != "small" {
		t.Errorf("got %+v", c)
	}
}
