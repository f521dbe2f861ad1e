package handlers

import (
	"net/http"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/queries"
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
	wire.ListPage(a.Json, "chats", list, page, total, func(c *assistant.Chat) {
		// Write the Chat list item of the contract.
		j := a.Json
		j.Open("")
		writeChatHead(j, c)
		j.Int("message_count", c.MessageCount)
		if c.LastMessageAt == 0 {
			j.Null("last_message_at")
		} else {
			j.Stamp("last_message_at", c.LastMessageAt)
		}
		j.Close()
	})
	return nil
}

// createChat answers POST /chats.
func (s *chats) createChat(a *wire.Answer, r *wire.Request) error {
	f, err := r.Fields()
	if err != nil {
		return err
	}
	in := assistant.ChatInput{Title: f.Text("title"), Message: f.Message("message", assistant.MaxMessage),
		Model: f.Text("model")}
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
	in := assistant.MessageInput{Content: f.Message("content", assistant.MaxMessage), Model: f.Text("model")}
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
	chat, err = r.PathID("id", "Chat")
	if err != nil {
		return chat, message, err
	}
	message, err = r.PathID("message", "Message")
	return chat, message, err
}

// firstPage is what an answer shows of a list that nobody has asked a page of.
func firstPage() ledger.Page { return ledger.Page{Number: 1, Size: wire.DefaultPerPage} }

func writeChatHead(j *wire.Writer, c *assistant.Chat) {
	j.Id("id", c.PublicID)
	j.Text("title", c.Title)
	j.TextOrNull("error", c.Error)
	j.Stamp("created_at", c.CreatedAt)
	j.Stamp("updated_at", c.UpdatedAt)
}

// writeChat writes the Chat of the contract with a page of its messages.
func writeChat(j *wire.Writer, c *assistant.Chat, page ledger.Page) {
	j.Open("")
	writeChatHead(j, c)
	j.List("messages")
	for i := range c.Messages {
		writeMessage(j, &c.Messages[i])
	}
	j.EndList()
	wire.Pagination(j, page, c.MessageCount)
	j.Close()
}

// writeMessage writes the Message of the contract as it stands in a chat.
func writeMessage(j *wire.Writer, m *assistant.Message) {
	j.Open("")
	writeMessageBody(j, m)
	writeMessageStatus(j, m)
	j.Close()
}

// writeQuestion writes a question that was just asked, with the state of the answer to it.
func writeQuestion(j *wire.Writer, chat uuid.UUID, m, reply *assistant.Message) {
	j.Open("")
	writeMessageBody(j, m)
	j.Id("chat_id", chat)
	writeMessageStatus(j, reply)
	j.Id("ai_response_id", reply.PublicID)
	j.Close()
}

// writeMessageBody writes what a message says, and for an answer what it cost. The model of one that is still to be
// written is the one that is asked.
func writeMessageBody(j *wire.Writer, m *assistant.Message) {
	j.Id("id", m.PublicID)
	j.Text("type", m.Role+"_message")
	j.Text("role", m.Role)
	j.Text("content", m.Content)
	j.TextOrNull("model", m.Model)
	j.List("tool_calls")
	for i := range m.Calls {
		j.Open("")
		writeToolCall(j, &m.Calls[i])
		j.Close()
	}
	j.EndList()
	j.TextOrNull("host", m.Host)
	j.IntOrNull("input_tokens", m.InputTokens)
	j.IntOrNull("output_tokens", m.OutputTokens)
	j.Stamp("created_at", m.CreatedAt)
	j.Stamp("updated_at", m.UpdatedAt)
}

// writeToolCall writes the members of a Tool call of the contract.
func writeToolCall(j *wire.Writer, c *queries.ToolCall) {
	j.Id("id", c.PublicID)
	j.Text("function_name", c.FunctionName)
	j.Raw("function_arguments", c.FunctionArguments)
	if c.FunctionResult == nil {
		j.Null("function_result")
	} else {
		j.Raw("function_result", *c.FunctionResult)
	}
	j.Stamp("created_at", c.CreatedAt)
}

// writeMessageStatus writes how far an answer is; people's own messages have no such state.
func writeMessageStatus(j *wire.Writer, m *assistant.Message) {
	if m.Role != model.RoleAssistant {
		j.Null("ai_response_status")
		j.Null("ai_response_message")
		return
	}
	j.Text("ai_response_status", m.Status)
	switch {
	case m.Status == assistant.StatusPending:
		j.Text("ai_response_message", "AI response is being generated")
	case m.Status == assistant.StatusComplete:
		j.Text("ai_response_message", "AI response is complete")
	case m.Failure != nil:
		j.Text("ai_response_message", *m.Failure)
	default:
		j.Text("ai_response_message", "AI response was not completed")
	}
}
