package handlers

import (
	"net/http"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
)

// chats answers for chats with the assistant.
type chats struct {
	assistant *assistant.Assistant
	streams   *middleware.Streams
}

// messageBodyMax is the longest body with a message, in bytes: [assistant.MaxMessage] characters, each written as two
// escapes of six bytes, and what stands around them.
const messageBodyMax = 12*assistant.MaxMessage + 64<<10

// listChats answers GET /chats: those of the key's user.
func (s *chats) listChats(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page := q.Page()
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.assistant.ListChats(r.Context(), r.Who(), page)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "chats", list, page, total, func(c *assistant.Chat) { writeChatItem(a.Json, c) })
	return nil
}

// createChat answers POST /chats.
func (s *chats) createChat(a *wire.Answer, r *wire.Request) error {
	f, err := r.Fields()
	if err != nil {
		return err
	}
	in := assistant.ChatInput{Title: f.Text("title"), Message: f.Message("message"), Model: f.Text("model")}
	in.Problems = *f.Problems
	chat, err := s.assistant.CreateChat(r.Context(), r.Who(), in)
	if err != nil {
		return err
	}
	a.Created()
	writeChat(a.Json, &chat, firstPage())
	return nil
}

// showChat answers GET /chats/{id} with a page of its messages.
func (s *chats) showChat(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Chat")
	if err != nil {
		return err
	}
	q := r.Query()
	page := q.Page()
	if err := q.Err(); err != nil {
		return err
	}
	chat, err := s.assistant.GetChat(r.Context(), r.Who(), id, page)
	if err != nil {
		return err
	}
	writeChat(a.Json, &chat, page)
	return nil
}

// renameChat answers PATCH /chats/{id}.
func (s *chats) renameChat(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Chat")
	if err != nil {
		return err
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	in := assistant.ChatInput{Title: f.Text("title")}
	in.Problems = *f.Problems
	chat, err := s.assistant.RenameChat(r.Context(), r.Who(), id, in, firstPage())
	if err != nil {
		return err
	}
	writeChat(a.Json, &chat, firstPage())
	return nil
}

// deleteChat answers DELETE /chats/{id}.
func (s *chats) deleteChat(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Chat")
	if err != nil {
		return err
	}
	if err := s.assistant.DeleteChat(r.Context(), r.Who(), id); err != nil {
		return err
	}
	a.NoContent()
	return nil
}

// createMessage answers POST /chats/{id}/messages with the question, and the state of the answer to it.
func (s *chats) createMessage(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Chat")
	if err != nil {
		return err
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	in := assistant.MessageInput{Content: f.Message("content"), Model: f.Text("model")}
	in.Problems = *f.Problems
	question, reply, err := s.assistant.AddMessage(r.Context(), r.Who(), id, in)
	if err != nil {
		return err
	}
	a.Created()
	writeQuestion(a.Json, id, &question, &reply)
	return nil
}

// retryMessage answers POST /chats/{id}/messages/retry: 202, for the answer is still to be written.
func (s *chats) retryMessage(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Chat")
	if err != nil {
		return err
	}
	reply, err := s.assistant.Retry(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	a.Status = http.StatusAccepted
	a.Json.Open("")
	a.Json.Text("message", "Retry initiated")
	a.Json.Id("message_id", reply.PublicID)
	a.Json.Close()
	return nil
}

// showMessage answers GET /chats/{id}/messages/{message}.
func (s *chats) showMessage(a *wire.Answer, r *wire.Request) error {
	chat, id, err := messageID(r)
	if err != nil {
		return err
	}
	m, err := s.assistant.GetMessage(r.Context(), r.Who(), chat, id)
	if err != nil {
		return err
	}
	writeMessage(a.Json, &m)
	return nil
}

// cancelMessage answers POST /chats/{id}/messages/{message}/cancel.
func (s *chats) cancelMessage(a *wire.Answer, r *wire.Request) error {
	chat, id, err := messageID(r)
	if err != nil {
		return err
	}
	m, err := s.assistant.Cancel(r.Context(), r.Who(), chat, id)
	if err != nil {
		return err
	}
	writeMessage(a.Json, &m)
	return nil
}

// messageID reads the ids of a message and its chat.
func messageID(r *wire.Request) (chat, message uuid.UUID, err error) {
	if chat, err = r.PathID("id", "Chat"); err != nil {
		return chat, message, err
	}
	message, err = r.PathID("message", "Message")
	return chat, message, err
}
