package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/queries"
)

// Sizes of pages with chats.
const (
	chatsPerPage    = 30
	messagesPerPage = 40
)

// chatsView is the list of a person's chats, and what was typed of a new one.
type chatsView struct {
	Chats    []chatRow
	Pages    pager
	Examples []string
	Host     string // which receives what is asked; blank where answers are made here
	Model    string
	Off      bool // nobody may chat
	Admin    bool
	Message  string
	Problems formProblems
}

// chatRow is a chat in the list.
type chatRow struct {
	ID, Title string
	Day       ledger.Date
	Messages  int64
	Failed    bool
}

// chatView is one chat with a page of its messages.
type chatView struct {
	ID, Title      string
	Messages       []messageView
	Earlier, Later int    // numbers of pages; 0 where there is none
	Waits          string // id of the answer that is being written; may be blank
	Failed         bool   // the last answer
	Host, Model    string
	Content        string // as typed
	Problems       formProblems
}

// messageView is a message: a question as it was typed, or an answer with what was looked at for it.
type messageView struct {
	ID        string
	Mine      bool
	Text      template.HTML
	Plain     string
	Looks     []look
	Pending   bool
	Failure   string
	Host      string
	Cancelled bool
}

// look is a look-up that an answer is made of. Path, which may be blank, is where the same is seen.
type look struct {
	What string `json:"what"`
	Path string `json:"path"`
}

// exampleQuestions are what anybody can ask.
func exampleQuestions() []string {
	return []string{"What did I spend last month, by category?", "What is my net worth?", "What were my largest expenses this year?",
		"How much did I earn last year?", "Which merchants did I pay most last month?"}
}

// isOff reports whether an error says that nobody may chat.
func isOff(err error) bool {
	e := ledger.AsError(err)
	return e != nil && e.Code == "feature_disabled"
}

func (v *visit) chats() (view chatsView, err error) {
	page, chats := v.page(chatsPerPage), v.site.Assistant
	view = chatsView{Examples: exampleQuestions(), Host: chats.Model.Host(), Model: chats.Model.Name(), Admin: v.isAdmin() && !chats.Off}
	list, total, err := chats.ListChats(v.Context(), v.who(), page)
	if isOff(err) {
		view.Off = true
		return view, nil
	}
	for _, c := range list {
		at := c.LastMessageAt
		if at == 0 {
			at = c.CreatedAt
		}
		view.Chats = append(view.Chats, chatRow{uuid.UUID(c.PublicID).String(), v.show.fileText(c.Title), v.dayOf(at), c.MessageCount, c.Error != nil})
	}
	view.Pages = pagerOf(v.URL, page, total)
	return view, err
}

// showChats answers GET /chats.
func showChats(v *visit) error {
	view, err := v.chats()
	if err != nil {
		return err
	}
	return v.render("chats", "Assistant", view)
}

// createChat answers POST /chats: the first question is typed, or one of the examples.
func createChat(v *visit) error {
	f := &form{visit: v}
	question := f.text("example")
	if question == "" {
		question = f.text("message")
	}
	f.problems.Require(question != "", "message", "must be a question")
	failed := f.problems.Err()
	if failed == nil {
		var chat assistant.Chat
		chat, failed = v.site.Assistant.CreateChat(v.Context(), v.who(), assistant.ChatInput{Message: ledger.Some(question)})
		if failed == nil {
			return v.goTo("/chats/" + uuid.UUID(chat.PublicID).String())
		}
	}
	view, err := v.chats()
	if err != nil {
		return err
	}
	return v.again(failed, "chats", "Assistant", func(p formProblems) any {
		view.Message, view.Problems = question, p
		return view
	})
}

// enableChats answers POST /chats/enable.
func enableChats(v *visit) error {
	if err := v.needAdmin(); err != nil {
		return err
	}
	if err := v.site.Assistant.Enable(v.Context(), v.who()); err != nil {
		return err
	}
	return v.goTo("/chats")
}

// chat reads a chat with the page of its messages that the URL asks for, the last one without.
func (v *visit) chat() (view chatView, err error) {
	id, err := v.id("Chat")
	if err != nil {
		return view, err
	}
	page := v.page(messagesPerPage)
	chat, err := v.site.Assistant.GetChat(v.Context(), v.who(), id, page)
	if err != nil {
		return view, err
	}
	last := max(1, int((chat.MessageCount+messagesPerPage-1)/messagesPerPage))
	if v.URL.Query().Get("page") == "" && last > 1 {
		page.Number = last
		chat, err = v.site.Assistant.GetChat(v.Context(), v.who(), id, page)
		if err != nil {
			return view, err
		}
	}
	view = chatView{ID: id.String(), Title: v.show.fileText(chat.Title), Host: v.site.Assistant.Model.Host(), Model: v.site.Assistant.Model.Name()}
	if page.Number > 1 {
		view.Earlier = min(page.Number-1, last)
	}
	if page.Number < last {
		view.Later = page.Number + 1
	}
	for i := range chat.Messages {
		m := v.message(&chat.Messages[i])
		view.Messages = append(view.Messages, m)
		if m.Pending && view.Waits == "" {
			view.Waits = m.ID
		}
		view.Failed = !m.Mine && (m.Failure != "" || m.Cancelled) && view.Later == 0
	}
	return view, nil
}

// message is a message as a page shows it.
func (v *visit) message(m *assistant.Message) messageView {
	view := messageView{ID: uuid.UUID(m.PublicID).String(), Mine: m.Role == model.RoleUser, Plain: v.show.fileText(m.Content),
		Pending: m.Status == assistant.StatusPending, Looks: v.looks(m.Calls), Host: ledger.OrBlank(m.Host)}
	if !view.Mine {
		view.Text = prose(view.Plain)
	}
	if m.Status == assistant.StatusFailed {
		view.Failure, view.Cancelled = v.show.fileText(ledger.OrBlank(m.Failure)), m.Failure == nil
	}
	return view
}

// showChat answers GET /chats/{id}.
func showChat(v *visit) error {
	view, err := v.chat()
	if err != nil {
		return err
	}
	return v.render("chat", view.Title, view)
}

// inChat changes something in a chat and goes back to it; what was wrong is said there.
func inChat(do func(v *visit, f *form, id uuid.UUID) error) func(*visit) error {
	return func(v *visit) error {
		id, err := v.id("Chat")
		if err != nil {
			return err
		}
		f := &form{visit: v}
		failed := do(v, f, id)
		if failed == nil {
			return v.goTo("/chats/" + id.String() + "#end")
		}
		view, err := v.chat()
		if err != nil {
			return err
		}
		return v.again(failed, "chat", view.Title, func(p formProblems) any {
			view.Content, view.Problems = f.text("content"), p
			return view
		})
	}
}

// askInChat answers POST /chats/{id}.
func askInChat(v *visit, f *form, id uuid.UUID) error {
	_, _, err := v.site.Assistant.AddMessage(v.Context(), v.who(), id, assistant.MessageInput{Content: ledger.Some(f.text("content"))})
	return err
}

// retryAnswer answers POST /chats/{id}/retry.
func retryAnswer(v *visit, _ *form, id uuid.UUID) error {
	_, err := v.site.Assistant.Retry(v.Context(), v.who(), id)
	return err
}

// renameChat answers POST /chats/{id}/rename.
func renameChat(v *visit, f *form, id uuid.UUID) error {
	_, err := v.site.Assistant.RenameChat(v.Context(), v.who(), id, assistant.ChatInput{Title: ledger.Some(f.text("title"))}, ledger.Page{Number: 1, Size: 1})
	return err
}

// cancelAnswer answers POST /chats/{id}/cancel.
func cancelAnswer(v *visit, f *form, id uuid.UUID) error {
	message, ok := ledger.ParseID(f.text("message"))
	if !ok {
		return ledger.NewNotFound("Message")
	}
	_, err := v.site.Assistant.Cancel(v.Context(), v.who(), id, message)
	return err
}

// deleteChat answers POST /chats/{id}/delete.
func deleteChat(v *visit) error {
	id, err := v.id("Chat")
	if err != nil {
		return err
	}
	if err := v.site.Assistant.DeleteChat(v.Context(), v.who(), id); err != nil {
		return err
	}
	return v.goTo("/chats")
}

// streamAnswer answers GET /chats/{id}/messages/{message}/events: an answer as it is written, and done when it is settled.
func streamAnswer(v *visit) error {
	id, err := v.id("Chat")
	if err != nil {
		return err
	}
	message, ok := ledger.ParseID(v.PathValue("message"))
	if !ok {
		return ledger.NewNotFound("Message")
	}
	states, stop, err := v.site.Assistant.Watch(v.Context(), v.who(), id, message)
	if err != nil {
		return err
	}
	defer stop()
	sent := ""
	return follow(v, states, func(a *assistant.Answer) string {
		name := "answer"
		if a.Status != assistant.StatusPending {
			name = "done"
		}
		text := v.show.fileText(a.Content)
		more, goesOn := strings.CutPrefix(text, sent)
		goesOn = goesOn && sent != ""
		sent = text
		data, _ := json.Marshal(map[string]any{"more": more, "goes_on": goesOn, "looks": v.looks(a.Calls)}) // text and truth values
		return fmt.Sprintf("event: %s\ndata: %s\n\n", name, data)
	})
}

// looks are what was looked up for an answer, in words, with links to where the same is seen.
func (v *visit) looks(calls []queries.ToolCall) []look {
	list := []look{}
	for i := range calls {
		l := lookOf(calls[i].FunctionName, calls[i].FunctionArguments)
		if l.Path != "" {
			l.Path = v.path(l.Path)
		}
		l.What = v.show.fileText(l.What)
		list = append(list, l)
	}
	return list
}

// lookOf says what a call of a tool looks at. A search that its arguments do not give wholly has no link.
func lookOf(tool, arguments string) look {
	switch tool {
	case "get_accounts":
		return look{"the accounts", "/accounts"}
	case "get_balance_sheet":
		return look{"what there is and what is owed", "/"}
	case "get_holdings":
		return look{"the holdings", "/holdings"}
	case "get_categories":
		return look{"the categories", "/categories"}
	case "get_tags":
		return look{"the tags", "/tags"}
	case "get_merchants":
		return look{"the merchants", "/merchants"}
	case "explain_figure":
		return look{What: "what a figure is made of"}
	case "get_transactions", "get_income_statement":
	default:
		return look{What: ledger.ClipText(tool, 60)}
	}
	what := map[bool]string{true: "transactions", false: "what came in and went out"}[tool == "get_transactions"]
	search, whole := searchOf(arguments)
	l := look{What: what, Path: "/transactions"}
	if search != "" {
		l.What, l.Path = what+": "+ledger.ClipText(search, 200), "/transactions?"+url.Values{"q": {search}}.Encode()
	}
	if !whole {
		l.Path = ""
	}
	return l
}

// searchOf is the search in words that arguments of a tool stand for; whole is false where there is none for all of them.
func searchOf(arguments string) (search string, whole bool) {
	var given map[string]any
	d := json.NewDecoder(strings.NewReader(arguments))
	d.UseNumber()
	if err := d.Decode(&given); err != nil {
		return "", false
	}
	if query, ok := given["query"].(string); ok && query != "" {
		given = map[string]any{"start_date": given["start_date"], "end_date": given["end_date"]}
		search = query
	}
	words := []string{search}
	whole = true
	for _, part := range []struct {
		name, mark string
		quoted     bool
	}{{"accounts", "@", true}, {"categories", "cat:", true}, {"merchants", "by:", true}, {"tags", "#", true}, {"type", "is:", false},
		{"search", "", true}, {"min_amount", ">=", false}, {"max_amount", "<=", false}, {"start_date", "since:", false}, {"end_date", "until:", false}} {
		values, isList := given[part.name].([]any)
		if !isList && given[part.name] != nil {
			values = []any{given[part.name]}
		}
		for _, value := range values {
			text := fmt.Sprint(value)
			if strings.ContainsAny(text, "\"\n") || !part.quoted && strings.Contains(text, " ") {
				whole = false
				continue
			}
			if text == "" {
				continue
			}
			if part.quoted {
				words = append(words, named(part.mark, text))
			} else {
				words = append(words, part.mark+text)
			}
		}
	}
	return strings.TrimSpace(strings.Join(words, " ")), whole
}
