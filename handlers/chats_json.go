package handlers

import (
	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/queries"
)

// firstPage is what an answer shows of a list that nobody has asked a page of.
func firstPage() ledger.Page { return ledger.Page{Number: 1, Size: wire.DefaultPerPage} }

// writeChatItem writes the Chat list item of the contract.
func writeChatItem(j *wire.Writer, c *assistant.Chat) {
	j.Open("")
	writeChatHead(j, c)
	j.Int("message_count", c.MessageCount)
	if c.LastMessageAt == 0 {
		j.Null("last_message_at")
	} else {
		j.Stamp("last_message_at", c.LastMessageAt)
	}
	j.Close()
}

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

// writeMessageBody writes what a message says, and for an answer what it cost. The model of one that is still to be written
// is the one that is asked.
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
