package handlers

import (
	"net/http"

	"github.com/google/uuid"

	"finsvc/assistant"
)

// chats answers for chats with the assistant.
type chats struct {
	assistant *assistant.Assistant
	streams   *streams
}

// messageBodyMax is the longest body with a message, in bytes: [assistant.MaxMessage] characters, each written as two
// escapes of six bytes, and what stands around them.
const messageBodyMax = 12*assistant.MaxMessage + 64<<10

// listChats answers GET /chats: those of the key's user.
func (s *chats) listChats(a *answer, r *request) error {
	q := r.query()
	page := q.page()
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.assistant.ListChats(r.Context(), r.who(), page)
	if err != nil {
		return err
	}
	listPage(a.json, "chats", list, page, total, func(c *assistant.Chat) { writeChatItem(a.json, c) })
	return nil
}

// createChat answers POST /chats.
func (s *chats) createChat(a *answer, r *request) error {
	f, err := r.fields()
	if err != nil {
		return err
	}
	in := assistant.ChatInput{Title: f.text("title"), Message: f.message("message"), Model: f.text("model")}
	in.Problems = *f.problems
	chat, err := s.assistant.CreateChat(r.Context(), r.who(), in)
	if err != nil {
		return err
	}
	a.created()
	writeChat(a.json, &chat, firstPage())
	return nil
}

// showChat answers GET /chats/{id} with a page of its messages.
func (s *chats) showChat(a *answer, r *request) error {
	id, err := r.pathID("id", "Chat")
	if err != nil {
		return err
	}
	q := r.query()
	page := q.page()
	if err := q.err(); err != nil {
		return err
	}
	chat, err := s.assistant.GetChat(r.Context(), r.who(), id, page)
	if err != nil {
		return err
	}
	writeChat(a.json, &chat, page)
	return nil
}

// renameChat answers PATCH /chats/{id}.
func (s *chats) renameChat(a *answer, r *request) error {
	id, err := r.pathID("id", "Chat")
	if err != nil {
		return err
	}
	f, err := r.fields()
	if err != nil {
		return err
	}
	in := assistant.ChatInput{Title: f.text("title")}
	in.Problems = *f.problems
	chat, err := s.assistant.RenameChat(r.Context(), r.who(), id, in, firstPage())
	if err != nil {
		return err
	}
	writeChat(a.json, &chat, firstPage())
	return nil
}

// deleteChat answers DELETE /chats/{id}.
func (s *chats) deleteChat(a *answer, r *request) error {
	id, err := r.pathID("id", "Chat")
	if err != nil {
		return err
	}
	if err := s.assistant.DeleteChat(r.Context(), r.who(), id); err != nil {
		return err
	}
	a.noContent()
	return nil
}

// createMessage answers POST /chats/{id}/messages with the question, and the state of the answer to it.
func (s *chats) createMessage(a *answer, r *request) error {
	id, err := r.pathID("id", "Chat")
	if err != nil {
		return err
	}
	f, err := r.fields()
	if err != nil {
		return err
	}
	in := assistant.MessageInput{Content: f.message("content"), Model: f.text("model")}
	in.Problems = *f.problems
	question, reply, err := s.assistant.AddMessage(r.Context(), r.who(), id, in)
	if err != nil {
		return err
	}
	a.created()
	writeQuestion(a.json, id, &question, &reply)
	return nil
}

// retryMessage answers POST /chats/{id}/messages/retry: 202, for the answer is still to be written.
func (s *chats) retryMessage(a *answer, r *request) error {
	id, err := r.pathID("id", "Chat")
	if err != nil {
		return err
	}
	reply, err := s.assistant.Retry(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	a.status = http.StatusAccepted
	a.json.open("")
	a.json.text("message", "Retry initiated")
	a.json.id("message_id", reply.PublicID)
	a.json.close()
	return nil
}

// showMessage answers GET /chats/{id}/messages/{message}.
func (s *chats) showMessage(a *answer, r *request) error {
	chat, id, err := r.messageID()
	if err != nil {
		return err
	}
	m, err := s.assistant.GetMessage(r.Context(), r.who(), chat, id)
	if err != nil {
		return err
	}
	writeMessage(a.json, &m)
	return nil
}

// cancelMessage answers POST /chats/{id}/messages/{message}/cancel.
func (s *chats) cancelMessage(a *answer, r *request) error {
	chat, id, err := r.messageID()
	if err != nil {
		return err
	}
	m, err := s.assistant.Cancel(r.Context(), r.who(), chat, id)
	if err != nil {
		return err
	}
	writeMessage(a.json, &m)
	return nil
}

// messageID reads the ids of a message and its chat.
func (r *request) messageID() (chat, message uuid.UUID, err error) {
	if chat, err = r.pathID("id", "Chat"); err != nil {
		return chat, message, err
	}
	message, err = r.pathID("message", "Message")
	return chat, message, err
}
