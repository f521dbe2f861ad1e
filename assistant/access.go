package assistant

import (
	"context"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// read gives work one view of the data, provided that the household may chat.
func (a *Assistant) read(ctx context.Context, who ledger.Actor, work db.Work) error {
	return a.DB.ReadTx(ctx, a.allowed(who, work))
}

// write is read for work that changes something.
func (a *Assistant) write(ctx context.Context, who ledger.Actor, work db.Work) error {
	return a.DB.Write(ctx, a.allowed(who, work))
}

func (a *Assistant) allowed(who ledger.Actor, work db.Work) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		home, err := q.GetHousehold(ctx, who.HouseholdID)
		if err != nil {
			return ledger.Missing(err, "Household")
		}
		if a.Off || home.Assistant == 0 {
			return errDisabled()
		}
		return work(ctx, q)
	}
}

func errDisabled() error {
	return &ledger.Error{Kind: ledger.Forbidden, Code: "feature_disabled",
		Message: "AI features are not enabled for this user"}
}

// Enable lets the people of the actor's household chat. Where the server allows no chats, it is an error. Only an
// admin can change it.
func (a *Assistant) Enable(ctx context.Context, who ledger.Actor) error {
	if a.Off {
		return errDisabled()
	}
	return a.Ledger.Tenants.EnableAssistant(ctx, who)
}

// ownChat is a chat of the person who acts: those of other people are not there.
func ownChat(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Chat, error) {
	chat, err := tx.GetChat(ctx, queries.GetChatParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID,
		UserID: tx.UserID})
	return chat, ledger.Missing(err, "Chat")
}

// inChat changes something in a chat of the person who acts.
func (a *Assistant) inChat(ctx context.Context, who ledger.Actor, id uuid.UUID,
	work func(context.Context, *queries.Queries, *queries.Chat) error) error {
	return a.write(ctx, who, func(ctx context.Context, q *queries.Queries) error {
		chat, err := ownChat(ctx, a.Ledger.Tx(q, who), id)
		if err != nil {
			return err
		}
		return work(ctx, q, &chat)
	})
}

// later is the present stamp, made to differ from one before.
func (a *Assistant) later(before int64) int64 { return max(a.Now().UnixMilli(), before+1) }
