package handlers

import (
	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/queries"
)

// firstPage is what an answer shows of a list that nobody has asked a page of.
func firstPage() ledger.Page { return ledger.Page{Number: 1, Size: defaultPerPage} }

// writeChatItem writes the Chat list item of the contract.
func writeChatItem(j *jsonWriter, c *assistant.Chat) {
	j.open("")
	writeChatHead(j, c)
	j.int("message_count", c.MessageCount)
	if c.LastMessageAt == 0 {
		j.null("last_message_at")
	} else {
		j.stamp("last_message_at", c.LastMessageAt)
	}
	j.close()
}

func writeChatHead(j *jsonWriter, c *assistant.Chat) {
	j.id("id", c.PublicID)
	j.text("title", c.Title)
	j.textOrNull("error", c.Error)
	j.stamp("created_at", c.CreatedAt)
	j.stamp("updated_at", c.UpdatedAt)
}

// writeChat writes the Chat of the contract with a page of its messages.
func writeChat(j *jsonWriter, c *assistant.Chat, page ledger.Page) {
	j.open("")
	writeChatHead(j, c)
	j.list("messages")
	for i := range c.Messages {
		writeMessage(j, &c.Messages[i])
	}
	j.endList()
	j.pagination(page, c.MessageCount)
	j.close()
}

// writeMessage writes the Message of the contract as it stands in a chat.
func writeMessage(j *jsonWriter, m *assistant.Message) {
	j.open("")
	writeMessageBody(j, m)
	writeMessageStatus(j, m)
	j.close()
}

// writeQuestion writes a question that was just asked, with the state of the answer to it.
func writeQuestion(j *jsonWriter, chat uuid.UUID, m, reply *assistant.Message) {
	j.open("")
	writeMessageBody(j, m)
	j.id("chat_id", chat)
	writeMessageStatus(j, reply)
	j.id("ai_response_id", reply.PublicID)
	j.close()
}

// writeMessageBody writes what a message says, and for an answer what it cost. The model of one that is still to be written
// is the one that is asked.
func writeMessageBody(j *jsonWriter, m *assistant.Message) {
	j.id("id", m.PublicID)
	j.text("type", m.Role+"_message")
	j.text("role", m.Role)
	j.text("content", m.Content)
	j.textOrNull("model", m.Model)
	j.list("tool_calls")
	for i := range m.Calls {
		j.open("")
		writeToolCall(j, &m.Calls[i])
		j.close()
	}
	j.endList()
	j.textOrNull("host", m.Host)
	j.intOrNull("input_tokens", m.InputTokens)
	j.intOrNull("output_tokens", m.OutputTokens)
	j.stamp("created_at", m.CreatedAt)
	j.stamp("updated_at", m.UpdatedAt)
}

// writeToolCall writes the members of a Tool call of the contract.
func writeToolCall(j *jsonWriter, c *queries.ToolCall) {
	j.id("id", c.PublicID)
	j.text("function_name", c.FunctionName)
	j.raw("function_arguments", c.FunctionArguments)
	if c.FunctionResult == nil {
		j.null("function_result")
	} else {
		j.raw("function_result", *c.FunctionResult)
	}
	j.stamp("created_at", c.CreatedAt)
}

// writeMessageStatus writes how far an answer is; people's own messages have no such state.
func writeMessageStatus(j *jsonWriter, m *assistant.Message) {
	if m.Role != model.RoleAssistant {
		j.null("ai_response_status")
		j.null("ai_response_message")
		return
	}
	j.text("ai_response_status", m.Status)
	switch {
	case m.Status == assistant.StatusPending:
		j.text("ai_response_message", "AI response is being generated")
	case m.Status == assistant.StatusComplete:
		j.text("ai_response_message", "AI response is complete")
	case m.Failure != nil:
		j.text("ai_response_message", *m.Failure)
	default:
		j.text("ai_response_message", "AI response was not completed")
	}
}
