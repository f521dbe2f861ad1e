package cmd

import (
	"context"

	"finsvc/db"
	"finsvc/ledger"
)

// demoQuestions are asked in a chat each.
func demoQuestions() [][]string {
	return [][]string{
		{"What did I spend on groceries last month?", "How much did I spend on Coffee last month?"},
		{"What is my net worth?"},
		{"How much did I earn last year?"},
	}
}

// chatDemo asks the questions as the command chat does, each time with an assistant of its own.
func (a *app) chatDemo(ctx context.Context, database *db.DB, books *ledger.Ledger) error {
	who, err := choosePerson(ctx, books, "", "")
	if err != nil {
		return err
	}
	for _, questions := range demoQuestions() {
		f := &chatFlags{}
		for _, question := range questions {
			if err := a.quiet().askDemo(ctx, &chatJob{who: who, flags: f}, database, books, question); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *app) askDemo(ctx context.Context, j *chatJob, database *db.DB, books *ledger.Ledger, question string) error {
	chats, hangUp, err := newAssistant(a, database, books, a.warnings())
	if err != nil {
		return err
	}
	defer hangUp()
	j.app, j.chats = a, chats
	chat, message, err := j.put(ctx, question)
	if err != nil {
		return err
	}
	j.flags.chat = chat.String()
	_, err = j.answered(ctx, chat, message)
	return err
}
