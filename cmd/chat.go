package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/assistant"
	"finsvc/assistant/model"
	"finsvc/assistant/provider"
	"finsvc/cmd/conversation"
	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// chatFlags are what a command line says about a chat.
type chatFlags struct {
	household, user string
	chat, model     string
	asJSON          bool
}

func newChat(a *app) *cobra.Command {
	var f chatFlags
	c := &cobra.Command{
		Use: "chat QUESTION...", Short: "Ask the assistant about the household, and look after chats",
		Long: "Ask the assistant, and print its answer. What it looks up is said on standard error.\n\n" +
			"Without a provider of models the program answers itself what is commonly asked. - reads the question from\n" +
			"standard input. The chat is kept: go on in it with --chat ID. Ctrl-C gives up the answer.\n\nMore: finsvc help assistant",
		Example: "  finsvc chat \"What did I spend on groceries in May compared with April?\"",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef("write a question, or name one of: list, show, delete, test")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			question, err := questionOf(args, a.Stdin)
			if err != nil {
				return err
			}
			return withChats(c.Context(), a, &f, func(v *conversation.Conversation) error {
				return v.Ask(c.Context(),
					f.chat, f.model, question)
			})
		},
	}
	f.add(c)
	flags := c.Flags()
	flags.StringVar(&f.chat, "chat", "", "`ID` of the chat to go on in (default: a new one)")
	flags.StringVar(&f.model, "model", "", "`MODEL` that is to answer this question (default: the one that is set up)")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON instead of text")
	a.config.AI.AddFlags(c.Flags())
	c.AddCommand(newChatList(a), newChatShow(a), newChatDelete(a), newChatTest(a))
	return c
}

// add lets a command's user say who is asking.
func (f *chatFlags) add(c *cobra.Command) {
	shell.HouseholdFlag(c, &f.household)
	c.Flags().StringVar(&f.user, "user", "", "`EMAIL` of the person whose chats these are (default: the first admin of the household)")
}

// maxQuestion is how many bytes of standard input are read: more than a question may have.
const maxQuestion = 1 << 20

// questionOf is what the arguments ask; a dash stands for standard input.
func questionOf(args []string, stdin io.Reader) (string, error) {
	text := strings.Join(strings.Fields(strings.Join(args, " ")), " ")
	if len(args) == 1 {
		text = args[0]
	}
	if text != "-" {
		return text, nil
	}
	read, err := io.ReadAll(io.LimitReader(stdin, maxQuestion))
	return strings.TrimSpace(string(read)), err
}

// withChats opens the database file and the assistant for the time of a command.
func withChats(ctx context.Context, a *app, f *chatFlags, do func(*conversation.Conversation) error) error {
	return a.withDatabase(ctx, func(database *db.DB, books *books.Books) error {
		chats, hangUp, err := newAssistant(a, database, books, a.warnings())
		if err != nil {
			return err
		}
		defer hangUp()
		people, home, err := choosePeople(ctx, books, f.household, f.user)
		if err != nil {
			return err
		}
		v := &conversation.Conversation{Terminal: &a.Terminal, Chats: chats, Who: people[0].who, AsJSON: f.asJSON}
		if len(people) > 1 {
			v.Who, err = chooseAmong(ctx, a, chats, f.chat, home, people)
			if err != nil {
				return err
			}
		}
		return do(v)
	})
}

// person is somebody who may ask.
type person struct {
	who   ledger.Actor
	email string
}

// choosePeople are the active people of the household that the address is of, or that is named, or of the only one:
// admins first. With an address it is one.
func choosePeople(ctx context.Context, l *books.Books, household, email string) ([]person, ledger.Household, error) {
	home, err := householdOfUser(ctx, l, household, email)
	if err != nil {
		return nil, home, err
	}
	who := actor(home.ID)
	users, err := l.Tenants.ListUsers(ctx, who)
	if err != nil {
		return nil, home, err
	}
	var people []person
	for _, user := range users {
		if user.Active() && (email == "" || ledger.Fold(user.Email) == ledger.Fold(email)) {
			who.UserID = user.ID
			people = append(people, person{who, user.Email})
		}
	}
	switch {
	case len(people) > 0:
		return people, home, nil
	case email == "":
		return nil, home, ledger.NewNotFound("Active user of household " + ledger.Quote(home.Name))
	}
	return nil, home, noUser(ctx, l, email)
}

// choosePerson is the first of those who may ask.
func choosePerson(ctx context.Context, l *books.Books, household, email string) (ledger.Actor, error) {
	people, _, err := choosePeople(ctx, l, household, email)
	if err != nil {
		return ledger.Actor{}, err
	}
	return people[0].who, nil
}

// chooseAmong decides who of several people asks, where --user does not say it: whose chat it is that is named, else
// the first admin of the household.
func chooseAmong(ctx context.Context, a *app, chats *assistant.Assistant, chat string, home ledger.Household,
	people []person) (ledger.Actor, error) {
	if id, ok := ledger.ParseID(chat); ok {
		for _, p := range people {
			_, err := chats.GetChat(ctx, p.who, id, ledger.Page{Number: 1, Size: 1})
			if err == nil {
				return p.who, nil
			}
			if problem, isKnown := errors.AsType[*ledger.Error](err); !isKnown || problem.Kind != ledger.NotFound {
				return ledger.Actor{}, err
			}
		}
	}
	var others []string
	for _, p := range people[1:] {
		others = append(others, p.email)
	}
	a.Say("Asking as %s, the first admin of household %s; --user EMAIL asks as somebody else of it: %s.", people[0].email,
		ledger.Quote(home.Name), strings.Join(others, ", "))
	return people[0].who, nil
}

// questionArguments are the arguments of the program, in which the first word of a question is no name of a command:
// "chat show me all my expenses" asks, as what stands behind "show" is no id; "chat list" lists. A blank behind the
// word tells it from the command.
func questionArguments(root *cobra.Command, args []string) []string {
	chat, _, err := root.Find([]string{"chat"})
	if err != nil {
		return args
	}
	places := wordPlaces(chat, args)
	if len(places) < 2 || args[places[0]] != chat.Name() {
		return args
	}
	var rest []string
	for _, at := range places[2:] {
		rest = append(rest, args[at])
	}
	word := args[places[1]]
	isCommand := slices.ContainsFunc(chat.Commands(), func(c *cobra.Command) bool { return c.Name() == word })
	if !isCommand || isChatCommand(word, rest) {
		return args
	}
	args = slices.Clone(args)
	args[places[1]] += " "
	return args
}

// isChatCommand reports whether words are what a command below chat takes.
func isChatCommand(name string, rest []string) bool {
	switch name {
	case "show":
		return len(rest) == 0 || len(rest) == 1 && isLikeID(rest[0])
	case "delete":
		return len(rest) < 2
	}
	return len(rest) == 0
}

// isLikeID reports whether a word is an id, perhaps a mistyped one, and no word of a language.
func isLikeID(word string) bool {
	return strings.ContainsAny(word, "0123456789") && strings.Trim(strings.ToLower(word), "0123456789abcdef-") == ""
}

// wordPlaces are where the arguments stand that are neither flags nor values of flags.
func wordPlaces(c *cobra.Command, args []string) (places []int) {
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "--")
		switch {
		case args[i] == "--":
			for i++; i < len(args); i++ {
				places = append(places, i)
			}
		case !isFlag && (args[i] == "-" || !strings.HasPrefix(args[i], "-")):
			places = append(places, i)
		case isFlag && !strings.Contains(name, "="):
			flag := c.Flag(name)
			if flag != nil && flag.NoOptDefVal == "" {
				i++ // its value
			}
		}
	}
	return places
}

func newChatList(a *app) *cobra.Command {
	var f chatFlags
	c := &cobra.Command{
		Use: "list", Short: "List your chats, newest first", Args: cobra.NoArgs,
		Example: "  finsvc chat list",
		RunE: func(c *cobra.Command, _ []string) error {
			return withChats(c.Context(), a, &f, func(v *conversation.Conversation) error { return v.List(c.Context()) })
		},
	}
	f.add(c)
	shell.JSONFlag(c, &f.asJSON)
	return c
}

func newChatShow(a *app) *cobra.Command {
	var f chatFlags
	c := &cobra.Command{
		Use: "show ID", Short: "Show a chat with its messages", Args: cobra.ExactArgs(1),
		Example: "  finsvc chat show 01a1fd73-b1c2-7d34-9a10-3c5d7e9f1b24",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := conversation.ChatID(args[0])
			if err != nil {
				return err
			}
			f.chat = args[0]
			return withChats(c.Context(), a, &f, func(v *conversation.Conversation) error {
				return v.Show(c.Context(),
					id)
			})
		},
	}
	f.add(c)
	shell.JSONFlag(c, &f.asJSON)
	return c
}

func newChatDelete(a *app) *cobra.Command {
	var f chatFlags
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a chat with its messages", Args: cobra.ExactArgs(1),
		Example: "  finsvc chat delete 01a1fd73-b1c2-7d34-9a10-3c5d7e9f1b24",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := conversation.ChatID(args[0])
			if err != nil {
				return err
			}
			f.chat = args[0]
			return withChats(c.Context(), a, &f, func(v *conversation.Conversation) error {
				err := v.Chats.DeleteChat(c.Context(), v.Who, id)
				if err == nil {
					a.Say("Deleted the chat.")
				}
				return err
			})
		},
	}
	f.add(c)
	return c
}

func newChatTest(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "test", Short: "Find out whether the model answers, streams, calls tools, and how fast",
		Args: cobra.NoArgs,
		Long: "Ask the model that is set up two questions that have nothing to do with the household, and say in ten lines\n" +
			"what came of it. Nothing of the household is sent, and no database is needed. The exit status is 1 when the\n" +
			"model does not answer.",
		Example: "  finsvc chat test --ai-url http://localhost:11434/v1 --ai-model qwen3:8b",
		RunE:    func(c *cobra.Command, _ []string) error { return testModel(c.Context(), a, asJSON) },
	}
	a.config.AI.AddFlags(c.Flags())
	shell.JSONFlag(c, &asJSON)
	return c
}

// testModel asks the model that is set up.
func testModel(ctx context.Context, a *app, asJSON bool) error {
	p := conversation.Probe{Assistant: a.config.AI.Assistant.String(), Model: model.Builtin,
		Context: a.config.AI.PromptTokens(), Tools: "called", Answers: true, Local: true}
	remote, err := a.config.AI.NewRemote(nil, a.Say)
	if err != nil {
		return err
	}
	var failed error
	if remote != nil {
		defer remote.Close()
		p.Tools, p.Answers = "unknown", false
		p.URL, p.Host, p.Model, p.Local = new(string(a.config.AI.URL)), new(remote.Host()), remote.Name(),
			provider.LocalAddress(string(a.config.AI.URL))
		failed = p.Ask(ctx, remote, a.now)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if failed != nil {
		p.Failure = new(conversation.Failure(failed))
	}
	if asJSON {
		err = a.PrintJSON(p)
	} else {
		_, err = fmt.Fprint(a.Stdout, p.String())
	}
	if err != nil || failed == nil {
		return err
	}
	if p.Answers {
		return errors.New("the model answers, but not when it is offered tools: " + *p.Failure)
	}
	return errors.New("the model does not answer: " + *p.Failure)
}
