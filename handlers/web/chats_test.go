package web_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/ledger"
)

// TestChats: a question is asked, its answer is streamed and then stands on the page with what was looked at; the chat is
// gone on in, renamed and deleted.
func TestChats(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	small(h, t)
	h.get(t, "/chats").shows(t, "No model is set up: answers are made here, and nothing leaves this server.", "What is my net worth?", "There are none yet")
	if a := h.post(t, "/chats", "message= "); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("no question: %s", a.Status)
	}
	page := h.done(t, "/chats", "message=What did I spend on Home in February 2026?")
	page.shows(t, "What did I spend on Home in February 2026?", "The answer is being written. See how far it is", "Stop")
	path := page.Request.URL.Path
	chat := uuid.MustParse(strings.TrimPrefix(path, "/chats/"))
	events := regexp.MustCompile(`data-events="([^"]+)"`).FindStringSubmatch(page.text)
	if events == nil {
		t.Fatal(page.text)
	}
	working, stop := context.WithCancel(t.Context())
	defer stop()
	worked := make(chan error, 1)
	go func() { worked <- h.chats.RunIn(working, h.Who, chat) }()
	stream := h.get(t, events[1])
	stop()
	if err := <-worked; err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stream.text, "event: done\ndata: {") || stream.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("streamed: %s", stream.text)
	}
	answered := h.get(t, path)
	answered.shows(t, "looked at what came in and went out: ", "640.00")
	link := regexp.MustCompile(`<a href="(/transactions\?q=[^"]+)">`).FindStringSubmatch(answered.text)
	if link == nil {
		t.Fatal(answered.text)
	}
	h.get(t, strings.ReplaceAll(link[1], "&amp;", "&")).shows(t, "Rent")
	h.done(t, "/hide", "hide=true")
	if hidden := h.get(t, path); strings.Contains(hidden.text, "640") {
		t.Error("an amount is in the page though it is to be hidden")
	}
	h.done(t, "/hide", "hide=false")

	waiting := h.done(t, path, "content=And in March?")
	message := regexp.MustCompile(`name="message" value="([0-9a-f-]{36})"`).FindStringSubmatch(waiting.text)
	h.done(t, path+"/cancel", "message="+message[1]).shows(t, "It was stopped.", "Try again")
	h.done(t, path+"/retry").shows(t, "The answer is being written")
	if a := h.post(t, path, "content="); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("nothing asked: %s", a.Status)
	}
	h.done(t, path+"/rename", "title=Home <i>sweet</i>").shows(t, "Home <i>sweet</i>")
	h.get(t, "/chats").shows(t, "Home <i>sweet</i> 4 messages")
	h.done(t, path+"/delete").shows(t, "There are none yet")
	for _, gone := range []string{path, events[1], "/chats/" + uuid.NewString()} {
		if a := h.ask(t, gone); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", gone, a.Status)
		}
	}
}

// TestChatsAreText: what a person or a model writes is never markup, and marks of it make a few elements only.
func TestChatsAreText(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	in := assistant.ChatInput{Message: ledger.Some("**bold** <script>alert(1)</script> [x](javascript:alert(1))\n- a\n| a |\n|---|\n| <b>")}
	chat, err := h.chats.CreateChat(t.Context(), h.Who, in)
	if err != nil {
		t.Fatal(err)
	}
	page := h.get(t, "/chats/"+uuid.UUID(chat.PublicID).String())
	if strings.Contains(page.text, "<script>alert") || strings.Contains(page.text, `href="javascript`) || strings.Contains(page.text, "<b>") {
		t.Error(page.text)
	}
}
