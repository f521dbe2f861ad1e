package ledger

import (
	"context"

	"github.com/google/uuid"

	"finsvc/queries"
)

// HouseholdData is how much a household has of each kind. Categories are not among it: a new household has some.
type HouseholdData struct {
	Accounts     int64 `json:"accounts"`
	Transactions int64 `json:"transactions"`
	Tags         int64 `json:"tags"`
	Merchants    int64 `json:"merchants"`
	Securities   int64 `json:"securities"`
	Rules        int64 `json:"rules"`
	Imports      int64 `json:"imports"`
	Chats        int64 `json:"chats"`
}

// Empty says whether there is nothing but what a new household has.
func (d HouseholdData) Empty() bool { return d == HouseholdData{} }

// Emptied is what came of emptying a household. Job is the id under which the removed data is kept until it is deleted.
type Emptied struct {
	Household Household
	Job       uuid.UUID
	Removed   HouseholdData
}

// EmptyHousehold removes everything of the actor's household but its settings, its people, their keys and the history
// of these; it then has the categories of a new one. Only an admin may, and only by saying the household's name.
//
// A successor takes over the household's id, name, people and keys in one short write, however much there is: from
// then on nobody can reach the old data, nor can an import or an answer that is being written reach the new. What is
// left is deleted like an abandoned household, see [Ledger.Emptying].
func (l *Ledger) EmptyHousehold(ctx context.Context, who Actor, name string) (done Emptied, err error) {
	err = l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := checkAdmin(ctx, q, who); err != nil {
			return err
		}
		home, err := q.GetHousehold(ctx, who.HouseholdID)
		if err != nil {
			return err
		}
		if name != home.Name {
			return NewInvalid("household", "must be the name of the household, %s, to say that all of its data is to be removed, got %s", Quote(home.Name), Quote(name))
		}
		done, err = l.succeed(ctx, q, who, home)
		return err
	})
	if err == nil {
		l.wakePurge()
	}
	return done, err
}

// checkAdmin refuses everybody but an admin of the household.
func checkAdmin(ctx context.Context, q *queries.Queries, who Actor) error {
	user, err := q.GetUser(ctx, queries.GetUserParams{HouseholdID: who.HouseholdID, UserID: who.UserID})
	if err != nil {
		return Missing(err, "User")
	}
	if user.Role != RoleAdmin {
		return &Error{Kind: Forbidden, Code: "forbidden", Message: "only an admin of the household may do this"}
	}
	return nil
}

// succeed makes the successor and takes the work on the old data from whoever does it.
func (l *Ledger) succeed(ctx context.Context, q *queries.Queries, who Actor, home queries.Household) (done Emptied, err error) {
	if done.Removed, err = householdData(ctx, q, home.ID); err != nil {
		return done, err
	}
	job, err := newID()
	if err != nil {
		return done, err
	}
	now := l.stamp()
	if err := l.stopWork(ctx, q, home.ID, now); err != nil {
		return done, err
	}
	if err := q.RetireHousehold(ctx, queries.RetireHouseholdParams{PublicID: job, Name: uuid.UUID(job).String(), At: now, HouseholdID: home.ID}); err != nil {
		return done, err
	}
	next, err := q.SucceedHousehold(ctx, queries.SucceedHouseholdParams{PublicID: home.PublicID, Name: home.Name, HouseholdID: home.ID, At: now})
	if err != nil {
		return done, err
	}
	if next.ID > MaxHouseholdID {
		return done, NewConflict("the file has had as many households as it can")
	}
	done.Household, done.Job = asHousehold(next), uuid.UUID(job)
	return done, l.moveIn(ctx, q, who, home, next, done.Removed)
}

// stopWork ends what is being written for a household.
func (l *Ledger) stopWork(ctx context.Context, q *queries.Queries, householdID, now int64) error {
	if err := q.StopImportsOfHousehold(ctx, queries.StopImportsOfHouseholdParams{At: now, HouseholdID: householdID}); err != nil {
		return err
	}
	if err := q.StopAnswersOfHousehold(ctx, queries.StopAnswersOfHouseholdParams{At: now, HouseholdID: householdID}); err != nil {
		return err
	}
	return q.DeleteIdempotentAnswersOfHousehold(ctx, householdID)
}

// moveIn gives a successor the people, the keys and their history, and writes down what was removed.
func (l *Ledger) moveIn(ctx context.Context, q *queries.Queries, who Actor, home, next queries.Household, removed HouseholdData) error {
	if err := q.CopyHistory(ctx, queries.CopyHistoryParams{SuccessorID: next.ID, OwnID: home.PublicID, HouseholdID: home.ID}); err != nil {
		return err
	}
	if err := q.MoveUsers(ctx, queries.MoveUsersParams{SuccessorID: next.ID, HouseholdID: home.ID}); err != nil {
		return err
	}
	if err := q.MoveAPIKeys(ctx, queries.MoveAPIKeysParams{SuccessorID: next.ID, HouseholdID: home.ID}); err != nil {
		return err
	}
	who.HouseholdID = next.ID
	type facts struct {
		householdFacts
		Data HouseholdData `json:"data"`
	}
	if err := l.record(ctx, q, who, entityHousehold, next.PublicID, facts{factsOf(home), removed}, facts{factsOf(next), HouseholdData{}}); err != nil {
		return err
	}
	return l.createDefaultCategories(ctx, q, who)
}

// HouseholdData says how much the actor's household has. Only an admin is told.
func (l *Ledger) HouseholdData(ctx context.Context, who Actor) (d HouseholdData, err error) {
	err = l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := checkAdmin(ctx, q, who); err != nil {
			return err
		}
		d, err = householdData(ctx, q, who.HouseholdID)
		return err
	})
	return d, err
}

func householdData(ctx context.Context, q *queries.Queries, householdID int64) (HouseholdData, error) {
	n, err := q.CountHouseholdData(ctx, householdID)
	return HouseholdData(n), err
}

// Emptying receives when a household was emptied: [Ledger.PurgeAbandoned] has something to do.
func (l *Ledger) Emptying() <-chan struct{} { return l.emptied }

func (l *Ledger) wakePurge() {
	select {
	case l.emptied <- struct{}{}:
	default: // it is known already
	}
}
