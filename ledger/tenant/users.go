package tenant

import (
	"context"
	"net/mail"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// The roles of people.
const (
	RoleAdmin  = "admin"
	RoleMember = "member"
)

// User is a person of a household.
type User struct {
	ID            int64 // inside only
	HouseholdID   int64
	PublicID      uuid.UUID
	Email         string // in lower case
	Role          string
	DeactivatedAt time.Time // zero while active
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// Active reports whether the person can act.
func (u User) Active() bool { return u.DeactivatedAt.IsZero() }

// UserInput describes a new person; the role is member when empty.
type UserInput struct{ Email, Role string }

// userFacts is what the record of changes keeps of a person.
type userFacts struct {
	Email  string `json:"email"`
	Role   string `json:"role"`
	Active bool   `json:"active"`
}

// CreateUser adds a person to the actor's household. The address must not belong to another active
// person of the file.
func (s *Service) CreateUser(ctx context.Context, who ledger.Actor, in UserInput) (User, error) {
	var problems ledger.Problems
	email := checkEmail(&problems, "email", in.Email)
	role := in.Role
	switch role {
	case RoleAdmin, RoleMember:
	case "":
		role = RoleMember
	default:
		problems.Add("role", "must be admin or member, got %s", ledger.Quote(in.Role))
	}
	if err := problems.Err(); err != nil {
		return User{}, err
	}
	var user User
	err := s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		home, err := tx.GetHousehold(ctx, tx.HouseholdID)
		if err != nil {
			return ledger.Missing(err, "Household")
		}
		if home.AbandonedAt != nil {
			return ledger.NewConflict("the household %s is abandoned; restore one of its users first",
				ledger.Quote(home.Name))
		}
		user, err = insertUser(ctx, tx, email, role)
		return err
	})
	return user, err
}

func insertUser(ctx context.Context, tx *ledger.Tx, email, role string) (User, error) {
	id, err := ledger.NewID()
	if err != nil {
		return User{}, err
	}
	row, err := tx.InsertUser(ctx, queries.InsertUserParams{
		PublicID: id, HouseholdID: tx.HouseholdID, Email: email, Role: role, At: tx.Stamp(),
	})
	if err != nil {
		return User{}, takenConflict(err, "the address %s belongs to another active user", ledger.Quote(email))
	}
	return AsUser(row), tx.Record(ctx, ledger.EntityUser, id, nil, userFacts{email, role, true})
}

// ListUsers are the people of the actor's household: the active ones first, admins before members.
func (s *Service) ListUsers(ctx context.Context, who ledger.Actor) ([]User, error) {
	var users []User
	err := s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		rows, err := tx.ListUsers(ctx, tx.HouseholdID)
		users = asUsers(rows)
		return err
	})
	return users, err
}

// GetUser gives the person who acts.
func (s *Service) GetUser(ctx context.Context, who ledger.Actor) (user User, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := tx.GetUser(ctx, queries.GetUserParams{HouseholdID: tx.HouseholdID, UserID: tx.UserID})
		user = AsUser(row)
		return ledger.Missing(err, "User")
	})
	return user, err
}

// FindUsers are the people who have or had an address, in whatever household: the active one first,
// then those that went, the latest first. It is for whoever holds the file, never for a request.
func (s *Service) FindUsers(ctx context.Context, email string) ([]User, error) {
	var users []User
	err := s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListUsersByEmail(ctx, FoldEmail(email))
		users = asUsers(rows)
		return err
	})
	return users, err
}

// DeactivateUser ends a person's access; their keys stop at once, and their browsers are signed out. An admin stays while other people
// are active. When the last one goes the household is abandoned: [Service.PurgeAbandoned] deletes it
// after [AbandonedFor], [Service.RestoreUser] brings it back until then. A second call changes nothing.
func (s *Service) DeactivateUser(ctx context.Context, who ledger.Actor, userID int64) (User, error) {
	var user User
	err := s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := tx.GetUser(ctx, queries.GetUserParams{HouseholdID: tx.HouseholdID, UserID: userID})
		if err != nil {
			return ledger.Missing(err, "User")
		}
		user = AsUser(row)
		if !user.Active() {
			return nil
		}
		active, err := tx.CountActiveUsers(ctx, tx.HouseholdID)
		if err != nil {
			return err
		}
		if user.Role == RoleAdmin && active > 1 {
			return ledger.NewInvalid("user", "is an admin and cannot be deactivated while other users of the household are active")
		}
		if _, err := tx.EndOtherBrowserSessions(ctx, queries.EndOtherBrowserSessionsParams{HouseholdID: tx.HouseholdID,
			UserID: userID}); err != nil {
			return err
		}
		if err := tx.EndSignInLinks(ctx, queries.EndSignInLinksParams{HouseholdID: tx.HouseholdID,
			UserID: userID}); err != nil {
			return err
		}
		now := tx.Stamp()
		user, err = setDeactivated(ctx, tx, row, &now)
		if err != nil || active > 1 {
			return err
		}
		return tx.SetHouseholdAbandoned(ctx, queries.SetHouseholdAbandonedParams{AbandonedAt: &now, At: now,
			HouseholdID: tx.HouseholdID})
	})
	return user, err
}

// RestoreUser gives a person their access and keys back, and with them an abandoned household as long as
// nothing of it is being deleted.
func (s *Service) RestoreUser(ctx context.Context, who ledger.Actor, userID int64) (User, error) {
	var user User
	err := s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := tx.GetUser(ctx, queries.GetUserParams{HouseholdID: tx.HouseholdID, UserID: userID})
		if err != nil {
			return ledger.Missing(err, "User")
		}
		user = AsUser(row)
		if user.Active() {
			return nil
		}
		if err := reclaim(ctx, tx); err != nil {
			return err
		}
		user, err = setDeactivated(ctx, tx, row, nil)
		return takenConflict(err, "the address %s belongs to another active user by now", ledger.Quote(row.Email))
	})
	return user, err
}

// reclaim ends a household's being abandoned, if it is.
func reclaim(ctx context.Context, tx *ledger.Tx) error {
	home, err := tx.GetHousehold(ctx, tx.HouseholdID)
	if err != nil || home.AbandonedAt == nil {
		return err
	}
	if *home.AbandonedAt == 0 { // as [Service.retire] leaves it, whatever the clock says by now
		return ledger.NewConflict("the household was abandoned more than %d days ago; its data is being deleted",
			int(AbandonedFor.Hours()/24))
	}
	return tx.SetHouseholdAbandoned(ctx, queries.SetHouseholdAbandonedParams{At: tx.Stamp(), HouseholdID: home.ID})
}

func setDeactivated(ctx context.Context, tx *ledger.Tx, row queries.User, at *int64) (User, error) {
	after, err := tx.SetUserDeactivated(ctx, queries.SetUserDeactivatedParams{
		DeactivatedAt: at, At: tx.Stamp(), HouseholdID: tx.HouseholdID, UserID: row.ID,
	})
	if err != nil {
		return User{}, err
	}
	facts := func(active bool) userFacts { return userFacts{row.Email, row.Role, active} }
	return AsUser(after), tx.Record(ctx, ledger.EntityUser, row.PublicID, facts(at != nil), facts(at == nil))
}

// MaxEmail is the longest address that mail servers take, in characters.
const MaxEmail = 254

// checkEmail checks a bare address such as ana@example.org and gives it in lower case: two spellings of
// one address must not be two people.
func checkEmail(p *ledger.Problems, field, text string) string {
	email := FoldEmail(text)
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > MaxEmail {
		p.Add(field, "must be an email address such as ana@example.org, got %s", ledger.Quote(text))
	}
	return email
}

// FoldEmail is the form in which an address is kept and compared.
func FoldEmail(text string) string {
	return strings.ToLower(ledger.NormalText(strings.TrimSpace(text)))
}

// AsUser gives the person of a row.
func AsUser(row queries.User) User {
	return User{
		ID: row.ID, HouseholdID: row.HouseholdID, PublicID: uuid.UUID(row.PublicID), Email: row.Email, Role: row.Role,
		DeactivatedAt: ledger.OptionalInstant(row.DeactivatedAt), CreatedAt: ledger.Instant(row.CreatedAt),
		UpdatedAt: ledger.Instant(row.UpdatedAt),
	}
}

func asUsers(rows []queries.User) []User {
	users := make([]User, len(rows))
	for i, row := range rows {
		users[i] = AsUser(row)
	}
	return users
}

// takenConflict turns a broken uniqueness into a conflict; other errors pass. It is for what only the
// command line makes.
func takenConflict(err error, format string, args ...any) error {
	if db.IsTaken(err) {
		return ledger.NewConflict(format, args...)
	}
	return err
}
