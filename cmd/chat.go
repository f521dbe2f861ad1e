package cmd

import (
	"context"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/assistant"
	"finsvc/db"
	"finsvc/ledger"
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
			"standard input. The chat is kept: go on in it with --chat ID. Ctrl-C gives up the answer.",
		Example: "  finsvc chat \"What did I spend on groceries in May compared with April?\"",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("write a question, or name one of: list, show, delete, test")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			question, err := a.question(args)
			if err != nil {
				return err
			}
			return a.withChats(c.Context(), &f, func(j *chatJob) error { return j.ask(c.Context(), question) })
		},
	}
	f.add(c)
	flags := c.Flags()
	flags.StringVar(&f.chat, "chat", "", "`ID` of the chat to go on in (default: a new one)")
	flags.StringVar(&f.model, "model", "", "`MODEL` that is to answer this question (default: the one that is set up)")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON instead of text")
	a.aiFlags(c)
	c.AddCommand(newChatList(a), newChatShow(a), newChatDelete(a), newChatTest(a))
	return c
}

// add lets a command's user say who is asking.
func (f *chatFlags) add(c *cobra.Command) {
	householdFlag(c, &f.household)
	c.Flags().StringVar(&f.user, "user", "", "`EMAIL` of the person whose chats these are; needed only where the household has several")
}

// maxQuestion is how many bytes of standard input are read: more than a question may have.
const maxQuestion = 1 << 20

// question is what the arguments ask; a dash stands for standard input.
func (a *app) question(args []string) (string, error) {
	text := strings.Join(args, " ")
	if text != "-" {
		return text, nil
	}
	read, err := io.ReadAll(io.LimitReader(a.stdin, maxQuestion))
	return strings.TrimSpace(string(read)), err
}

// chatJob is a command that works in the chats of a person.
type chatJob struct {
	*app
	flags *chatFlags
	chats *assistant.Assistant
	who   ledger.Actor
}

// withChats opens the database file and the assistant for the time of a command.
func (a *app) withChats(ctx context.Context, f *chatFlags, do func(*chatJob) error) error {
	return a.withDatabase(ctx, func(database *db.DB, books *ledger.Ledger) error {
		chats, hangUp, err := a.newAssistant(database, books, a.warnings())
		if err != nil {
			return err
		}
		defer hangUp()
		who, err := choosePerson(ctx, books, f.household, f.user)
		if err != nil {
			return err
		}
		return do(&chatJob{a, f, chats, who})
	})
}

// choosePerson is the active person with the address, or the only one of the household when none is named.
func choosePerson(ctx context.Context, l *ledger.Ledger, household, email string) (ledger.Actor, error) {
	home, err := householdOfUser(ctx, l, household, email)
	if err != nil {
		return ledger.Actor{}, err
	}
	who := actor(home.ID)
	users, err := l.ListUsers(ctx, who)
	if err != nil {
		return who, err
	}
	var addresses []string
	for _, user := range users {
		if user.Active() && (email == "" || ledger.Fold(user.Email) == ledger.Fold(email)) {
			who.UserID = user.ID
			addresses = append(addresses, user.Email)
		}
	}
	switch len(addresses) {
	case 0:
		return who, ledger.NewNotFound("Active user " + ledger.Quote(email))
	case 1:
		return who, nil
	}
	return who, usagef("household %s has several members; name one with --user: %s", ledger.Quote(home.Name), strings.Join(addresses, ", "))
}

// chatID reads the id of a chat from an argument.
func chatID(text string) (uuid.UUID, error) {
	id, ok := ledger.ParseID(text)
	if !ok {
		return id, usagef("%s is not the id of a chat; see: finsvc chat list", ledger.Quote(text))
	}
	return id, nil
}
