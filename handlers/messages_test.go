package handlers

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"finsvc/assistant/model"
)

// TestRetry holds what was decided.
//
// Decision, Assistant: the failed or unwanted answer is replaced.
func TestRetry(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const nothing = `{"error":"validation_failed","message":"No assistant message to retry","details":null}`
	h.newChat(t, `{"title":"Empty"}`)
	h.call(t, "POST", "/chats/{Chat}/messages/retry", "").Is(t, 422, nothing)
	h.newChat(t, `{"message":"x","model":"small"}`)
	for status, reason := range map[string]string{"pending": "NULL", "complete": "NULL", "failed": "'" + model.FailureOther.Text() + "'"} {
		h.exec(t, "UPDATE messages SET status = '"+status+"', content = 'half', model = 'other' WHERE role = 'assistant'")
		h.exec(t, "UPDATE chats SET error = "+reason)
		before := h.chat(t, "")
		retried := decoded[struct {
			Message string
			ID      string `json:"message_id"`
		}](t, h.call(t, "POST", "/chats/{Chat}/messages/retry", "", "Content-Type: application/json"), 202)
		after := h.chat(t, "")
		last := after.Messages[1]
		if len(after.Messages) != 2 || last.ID != retried.ID || last.ID == before.Messages[1].ID || *last.Status != "pending" || last.Content != "" || *last.Model != "small" ||
			after.Error != nil || after.Updated <= before.Updated || after.Messages[0] != before.Messages[0] {
			t.Errorf("%s: got %+v", status, after)
		}
	}
	h.exec(t, "DELETE FROM messages WHERE role = 'assistant'")
	h.call(t, "POST", "/chats/{Chat}/messages/retry", "").Is(t, 422, nothing)
}

func TestCancel(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.newChat(t, `{"message":"x"}`)
	h.exec(t, "UPDATE messages SET content = 'half', lease_until = 99 WHERE status = 'pending'")
	m := decoded[messageSeen](t, h.call(t, "POST", "/chats/{Chat}/messages/{Last}/cancel", ""), 200)
	if *m.Status != "failed" || m.Content != "half" || *m.Text != "AI response was not completed" {
		t.Errorf("got %+v", m)
	}
	if c := h.chat(t, ""); c.Error != nil || *c.Messages[1].Status != "failed" || column(t, h.file, "SELECT sum(lease_until) FROM messages")[0] != "0" {
		t.Errorf("got %+v", c)
	}
	before := h.print(t)
	h.call(t, "POST", "/chats/{Chat}/messages/{Last}/cancel", "").Is(t, 200, "")
	h.call(t, "POST", "/chats/{Chat}/messages/"+h.chat(t, "").Messages[0].ID+"/cancel", "").Is(t, 200, "")
	if h.print(t) != before {
		t.Error("what is settled was changed")
	}
}

// TestFailedAnswers: a failure is told in the chat, in the message, and is gone with the next question.
//
// Contract, Chat: error is what the newest answer failed of, null when nothing did.
// Contract, Errors: a chat tells the newest failure in one of four texts, or null.
func TestFailedAnswers(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.newChat(t, `{"message":"x"}`)
	text := model.FailureRateLimited.Text()
	h.exec(t, "UPDATE messages SET status = 'failed' WHERE status = 'pending'")
	h.exec(t, "UPDATE chats SET error = '"+text+"'")
	c := h.chat(t, "")
	if c.Error == nil || *c.Error != text || *c.Messages[1].Text != text || c.Messages[0].Text != nil {
		t.Errorf("got %+v", c)
	}
	if p := h.call(t, "GET", "/chats", ""); !strings.Contains(p.Text, `"error":"`+text+`"`) {
		t.Errorf("got %s", p.Text)
	}
	h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"y"}`).Is(t, 201, "")
	if c = h.chat(t, ""); c.Error != nil || *c.Messages[1].Status != "failed" || len(c.Messages) != 4 {
		t.Errorf("got %+v", c)
	}
}

// TestWaitingQuestions: five may wait in a chat, also when they are asked at once.
func TestWaitingQuestions(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.newChat(t, `{"title":"x"}`)
	var all sync.WaitGroup
	statuses := make([]int, 12)
	for i := range statuses {
		all.Go(func() { statuses[i] = h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"x"}`).StatusCode })
	}
	all.Wait()
	slices.Sort(statuses)
	if fmt.Sprint(statuses) != "[201 201 201 201 201 409 409 409 409 409 409 409]" {
		t.Errorf("got %v", statuses)
	}
	c := h.chat(t, "")
	for i, m := range c.Messages {
		if want := [...]string{"user", "assistant"}[i%2]; m.Role != want {
			t.Errorf("message %d is of the %s", i, m.Role)
		}
	}
	h.refuses(t, refusal{409, "conflict", ""}, "POST", "/chats/{Chat}/messages", `{"content":"x"}`)
	h.call(t, "POST", "/chats/{Chat}/messages/retry", "").Is(t, 202, "")
	h.refuses(t, refusal{409, "conflict", ""}, "POST", "/chats/{Chat}/messages", `{"content":"x"}`)
	h.answer(t, "a")
	h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"x"}`).Is(t, 201, "")
	h.newChat(t, `{"message":"another chat waits for itself"}`)
	h.call(t, "DELETE", "/chats/{Chat}", "").Is(t, 204, "")
}

func TestIdempotencyKeyOfChats(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const key = "Idempotency-Key: "
	made := h.call(t, "POST", "/chats", `{"message":"x"}`, key+"1")
	h.ids["Chat"] = decoded[chatSeen](t, made, 201).ID
	asked := h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"y"}`, key+"2")
	asked.Is(t, 201, "")
	retried := h.call(t, "POST", "/chats/{Chat}/messages/retry", "", key+"3")
	retried.Is(t, 202, "")
	before := h.print(t)
	h.call(t, "POST", "/chats", `{"message":"x"}`, key+"1").Is(t, 201, strings.TrimSpace(made.Text))
	h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"y"}`, key+"2").Is(t, 201, strings.TrimSpace(asked.Text))
	h.call(t, "POST", "/chats/{Chat}/messages/retry", "", key+"3").Is(t, 202, strings.TrimSpace(retried.Text))
	h.call(t, "POST", "/chats/{Chat}/messages", `{"content":"z"}`, key+"2").Is(t, 409, "")
	if h.print(t) != before {
		t.Error("a repeat changed something")
	}
}
