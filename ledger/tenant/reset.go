package tenant

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
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

// Empty reports whether there is nothing but what a new household has.
func (d HouseholdData) Empty() bool { return d == HouseholdData{} }

// ResetKept is how long the books of a household that was emptied are kept at least; they are deleted [Reconsidered]
// after that.
const ResetKept = 24 * time.Hour

// Emptied is what came of emptying a household. Job is the id under which its books are kept until they are deleted.
//
// A household is emptied by succession: one short write makes a new household with the id, the name, the people and
// the keys of the old one. Every row names its household, so nothing of the old one can be reached any more, and no
// import or answer that is being written can reach the new one. The old one is deleted later in short writes, like
// one whose last user went.
type Emptied struct {
	Household ledger.Household
	Job       uuid.UUID
	Removed   HouseholdData
}

// EmptyHousehold removes everything of the actor's household but its settings, its people, their keys and the history
// of these; it then has the categories of a new one. Only an admin may. A name that is given must be the household's.
//
// A successor takes over the household's id, name, people and keys in one short write, however much there is: from
// then on nobody can reach the old books, nor can an import or an answer that is being written reach the new. The old
// ones are kept for [ResetKept], see [Service.UnresetHousehold], and then deleted like an abandoned household.
func (s *Service) EmptyHousehold(ctx context.Context, who ledger.Actor, name string) (done Emptied, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		if err := checkAdmin(ctx, tx); err != nil {
			return err
		}
		home, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		if name != "" && name != home.Name {
			return ledger.NewInvalid("household", "must be absent or the name of the household, %s, all of whose data is to be removed, got %s", ledger.Quote(home.Name), ledger.Quote(name))
		}
		done, err = succeed(ctx, tx, home)
		return err
	})
	return done, err
}

// UnresetHousehold brings the books back that the household had before it was last emptied. What has been booked since
// takes their place and is kept as long, so a second call undoes the first. A conflict where no such books are kept
// any more.
func (s *Service) UnresetHousehold(ctx context.Context, who ledger.Actor) (home ledger.Household, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		present, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil {
			return ledger.Missing(err, "Household")
		}
		former, err := tx.GetResetHousehold(ctx, present.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return ledger.NewConflict("nothing of %s can be brought back: it was not emptied, or the day is over for which its books were kept", ledger.Quote(present.Name))
		}
		if err != nil {
			return err
		}
		home, err = bringBack(ctx, tx, present, former)
		return err
	})
	return home, err
}

// bringBack puts the present books aside and gives the former ones their id, name, people and keys.
func bringBack(ctx context.Context, tx *ledger.Tx, present, former queries.Household) (ledger.Household, error) {
	removed, err := householdData(ctx, tx.Queries, present.ID)
	if err != nil {
		return ledger.Household{}, err
	}
	now := tx.Stamp()
	if _, err := putAside(ctx, tx.Queries, present, now); err != nil {
		return ledger.Household{}, err
	}
	back, err := tx.BringBackHousehold(ctx, queries.BringBackHouseholdParams{PublicID: present.PublicID,
		Name:        present.Name,
		AbandonedAt: present.AbandonedAt, At: now, HouseholdID: former.ID})
	if err != nil {
		return ledger.Household{}, err
	}
	if err := tx.RestartImportsOfHousehold(ctx, queries.RestartImportsOfHouseholdParams{At: now,
		HouseholdID: back.ID}); err != nil {
		return ledger.Household{}, err
	}
	returned, err := householdData(ctx, tx.Queries, back.ID)
	if err != nil {
		return ledger.Household{}, err
	}
	return ledger.AsHousehold(back), moveIn(ctx, tx, present, back,
		move{since: *former.ResetAt, before: removed, after: returned})
}

// checkAdmin refuses everybody but an admin of the household.
func checkAdmin(ctx context.Context, tx *ledger.Tx) error {
	user, err := tx.GetUser(ctx, queries.GetUserParams{HouseholdID: tx.HouseholdID, UserID: tx.UserID})
	if err != nil {
		return ledger.Missing(err, "User")
	}
	if user.Role != RoleAdmin {
		return &ledger.Error{Kind: ledger.Forbidden, Code: "forbidden",
			Message: "only an admin of the household may do this"}
	}
	return nil
}

// succeed makes the successor and puts the old books aside.
func succeed(ctx context.Context, tx *ledger.Tx, home queries.Household) (done Emptied, err error) {
	done.Removed, err = householdData(ctx, tx.Queries, home.ID)
	if err != nil {
		return done, err
	}
	now := tx.Stamp()
	done.Job, err = putAside(ctx, tx.Queries, home, now)
	if err != nil {
		return done, err
	}
	next, err := tx.SucceedHousehold(ctx, queries.SucceedHouseholdParams{PublicID: home.PublicID, Name: home.Name,
		HouseholdID: home.ID, At: now})
	if err != nil {
		return done, err
	}
	if next.ID > ledger.MaxHouseholdID {
		return done, ledger.NewConflict("the file has had as many households as it can")
	}
	done.Household = ledger.AsHousehold(next)
	if err := moveIn(ctx, tx, home, next, move{before: done.Removed}); err != nil {
		return done, err
	}
	successor := tx.Actor
	successor.HouseholdID = next.ID
	return done, catalog.CreateDefaultCategories(ctx, tx.As(successor))
}

// putAside takes a household's books out of everybody's reach, and the work on them from whoever does it. The id is
// the one that they are kept under.
func putAside(ctx context.Context, q *queries.Queries, home queries.Household, now int64) (uuid.UUID, error) {
	job, err := ledger.NewID()
	if err != nil {
		return uuid.UUID{}, err
	}
	// End what is being written for a household.
	householdID := home.ID
	if err := q.StopImportsOfHousehold(ctx, queries.StopImportsOfHouseholdParams{At: now,
		HouseholdID: householdID}); err != nil {
		return uuid.UUID{}, err
	}
	if err := q.StopAnswersOfHousehold(ctx, queries.StopAnswersOfHouseholdParams{At: now,
		HouseholdID: householdID}); err != nil {
		return uuid.UUID{}, err
	}
	if err := q.DeleteIdempotentAnswersOfHousehold(ctx, householdID); err != nil {
		return uuid.UUID{}, err
	}
	return uuid.UUID(job), q.RetireHousehold(ctx, queries.RetireHouseholdParams{PublicID: job,
		Name: uuid.UUID(job).String(), At: &now, HouseholdID: home.ID})
}

// move is what goes to other books with the people: their history from an instant on; and how much was there before
// and is now.
type move struct {
	since         int64
	before, after HouseholdData
}

// moveIn gives other books of a household the people, their keys and browsers and their history, and writes down what that changed.
func moveIn(ctx context.Context, tx *ledger.Tx, home, next queries.Household, m move) error {
	if err := tx.CopyHistory(ctx, queries.CopyHistoryParams{SuccessorID: next.ID, OwnID: home.PublicID,
		HouseholdID: home.ID, Since: m.since}); err != nil {
		return err
	}
	if err := tx.MoveUsers(ctx, queries.MoveUsersParams{SuccessorID: next.ID, HouseholdID: home.ID}); err != nil {
		return err
	}
	if err := tx.MoveAPIKeys(ctx, queries.MoveAPIKeysParams{SuccessorID: next.ID, HouseholdID: home.ID}); err != nil {
		return err
	}
	if err := tx.MoveBrowserSessions(ctx, queries.MoveBrowserSessionsParams{SuccessorID: next.ID,
		HouseholdID: home.ID}); err != nil {
		return err
	}
	if err := tx.MoveSignInLinks(ctx, queries.MoveSignInLinksParams{SuccessorID: next.ID,
		HouseholdID: home.ID}); err != nil {
		return err
	}
	successor := tx.Actor
	successor.HouseholdID = next.ID
	type facts struct {
		householdFacts
		Data HouseholdData `json:"data"`
	}
	return tx.As(successor).Record(ctx, ledger.EntityHousehold, next.PublicID, facts{factsOf(home), m.before},
		facts{factsOf(next), m.after})
}

// HouseholdData says how much the actor's household has. Only an admin is told.
func (s *Service) HouseholdData(ctx context.Context, who ledger.Actor) (d HouseholdData, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		if err := checkAdmin(ctx, tx); err != nil {
			return err
		}
		d, err = householdData(ctx, tx.Queries, tx.HouseholdID)
		return err
	})
	return d, err
}

func householdData(ctx context.Context, q *queries.Queries, householdID int64) (HouseholdData, error) {
	n, err := q.CountHouseholdData(ctx, householdID)
	return HouseholdData(n), err
}
