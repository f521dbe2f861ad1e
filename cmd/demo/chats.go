package demo

import (
	"context"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/cmd/conversation"
)

// questionsAsked are asked in a chat each.
func questionsAsked() [][]string {
	return [][]string{
		{"What did I spend on groceries last month?", "How much did I spend on Coffee last month?"},
		{"What is my net worth?"},
		{"How much did I earn last year?"},
	}
}

// ask asks the questions as the command chat does, each time with an assistant of its own. The program itself answers.
func (d *household) ask(ctx context.Context, o assistant.Options) error {
	people, err := d.ledger.Tenants.ListUsers(ctx, d.who)
	if err != nil {
		return err
	}
	who := d.who
	who.UserID = people[0].ID
	o.Model, o.Context, o.Rounds = engine.New(d.ledger), assistant.DefaultHostedContext, assistant.DefaultRounds
	for _, questions := range questionsAsked() {
		inChat := ""
		for _, question := range questions {
			v := &conversation.Conversation{Terminal: silent(), Chats: assistant.New(o), Who: who}
			chat, message, err := v.Put(ctx, inChat, "", question)
			if err != nil {
				return err
			}
			inChat = chat.String()
			if _, err := v.Answered(ctx, chat, message); err != nil {
				return err
			}
		}
	}
	return nil
}
