package signin

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/hex"
	"strings"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

const (
	// SetUpFor is how long a set-up code can be used.
	SetUpFor = 30 * time.Minute

	codeBytes     = 5
	codeAlphabet  = "0123456789ABCDEFGHJKMNPQRSTVWXYZ" // of Crockford: no letter that looks like another sign
	wrongCodes    = 10                                 // in a while, before all have to wait
	wrongCodesFor = time.Minute
)

// Instance gives five characters that tell this file from others whose pages have the same host name.
func (s *Service) Instance(ctx context.Context) (string, error) {
	row, err := s.instance(ctx)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(row.Identity[:3])[:5], nil
}

func (s *Service) instance(ctx context.Context) (row queries.Instance, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		row, err = q.GetInstance(ctx)
		return err
	})
	return row, err
}

// NeedsSetUp reports whether there is no household yet.
func (s *Service) NeedsSetUp(ctx context.Context) (bool, error) {
	var has int64
	err := s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		has, err = q.HasHousehold(ctx)
		return err
	})
	return has == 0 && err == nil, err
}

// NewSetUpCode makes a code with which the first household can be made in a browser, once and within [SetUpFor], and
// ends the one before. It is a conflict when there is a household.
func (s *Service) NewSetUpCode(ctx context.Context) (code string, until time.Time, err error) {
	random := make([]byte, codeBytes)
	rand.Read(random) // which does not fail
	code = base32.NewEncoding(codeAlphabet).WithPadding(base32.NoPadding).EncodeToString(random)
	until = ledger.Instant(s.Now().Add(SetUpFor).UnixMilli())
	err = s.DB.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		has, err := q.HasHousehold(ctx)
		if err != nil {
			return err
		}
		if has != 0 {
			return errSetUp()
		}
		return q.SetSetUpCode(ctx, queries.SetSetUpCodeParams{Hash: hashToken(code), Until: new(until.UnixMilli())})
	})
	if err != nil {
		return "", time.Time{}, err
	}
	return code[:4] + "-" + code[4:], until, nil
}

func errSetUp() error { return ledger.NewConflict("finsvc is set up already; sign in") }

// CheckSetUp gives an error unless the code can be used now; it is not used up. Of wrong ones, there can be ten a
// minute, whoever tries.
func (s *Service) CheckSetUp(ctx context.Context, code string) error {
	return s.tryCode(func() error {
		return s.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error { return s.checkCode(ctx, q, code) })
	})
}

// tryCode counts a try as wrong beforehand, so that many at once are no way around.
func (s *Service) tryCode(try func() error) error {
	now := s.Ran()
	s.codes.mu.Lock()
	for len(s.codes.wrong) > 0 && now-s.codes.wrong[0] >= wrongCodesFor {
		s.codes.wrong = s.codes.wrong[1:]
	}
	if len(s.codes.wrong) >= wrongCodes {
		wait := s.codes.wrong[0] + wrongCodesFor - now
		s.codes.mu.Unlock()
		return errTooManyTries("too many set-up codes were wrong", wrongCodes, wrongCodes, wait)
	}
	s.codes.wrong = append(s.codes.wrong, now)
	s.codes.mu.Unlock()
	err := try()
	if !ledger.IsKind(err, ledger.Unauthorized) {
		s.codes.mu.Lock()
		if n := len(s.codes.wrong); n > 0 {
			s.codes.wrong = s.codes.wrong[:n-1]
		}
		s.codes.mu.Unlock()
	}
	return err
}

func (s *Service) checkCode(ctx context.Context, q *queries.Queries, code string) error {
	has, err := q.HasHousehold(ctx)
	if err != nil {
		return err
	}
	if has != 0 {
		return errSetUp()
	}
	row, err := q.GetInstance(ctx)
	if err != nil {
		return err
	}
	read := strings.NewReplacer("-", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(strings.Join(strings.Fields(code), "")))
	if row.SetUpUntil == nil || *row.SetUpUntil <= s.Stamp() || !bytes.Equal(row.SetUpHash, hashToken(read)) {
		return &ledger.Error{Kind: ledger.Unauthorized, Code: "unauthorized",
			Message: "the set-up code is wrong, used or older than 30 minutes; make a new one: finsvc setup-code"}
	}
	return nil
}

// SetUp makes the first household and its owner with a code, which is used up, and signs the owner in. An owner without
// an @ gets an address of this machine, which is only a name here; without a password the owner comes in by links.
func (s *Service) SetUp(ctx context.Context, code string, in tenant.HouseholdInput, password string,
	device Device) (token string, session *Session, err error) {
	if err := s.CheckSetUp(ctx, code); err != nil {
		return "", nil, err
	}
	if in.OwnerEmail != "" && !strings.Contains(in.OwnerEmail, "@") {
		in.OwnerEmail = strings.Join(strings.Fields(in.OwnerEmail), ".") + "@localhost"
	}
	var problems ledger.Problems
	hash := ""
	if password != "" {
		checkPassword(&problems, password, tenant.FoldEmail(in.OwnerEmail))
		if hash, err = s.hashPassword(ctx, password); err != nil {
			return "", nil, err
		}
	}
	token = newToken()
	err = s.Write(ctx, ledger.Actor{Origin: ledger.OriginWeb}, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.checkCode(ctx, tx.Queries, code); err != nil {
			return err
		}
		home, owner, err := s.tenants.CreateHousehold(ctx, tx.Actor, in)
		if err := problems.Gather("", err); err != nil {
			return err
		}
		if err := problems.Err(); err != nil {
			return err
		}
		within := tx.As(ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginWeb})
		if hash != "" {
			if err := writePassword(ctx, within, owner.ID, hash); err != nil {
				return err
			}
		}
		if err := tx.SetSetUpCode(ctx, queries.SetSetUpCodeParams{}); err != nil {
			return err
		}
		return insertSession(ctx, within, token, WaySetUp, tenant.ScopeReadWrite, device)
	})
	if err != nil {
		return "", nil, err
	}
	session, err = s.Open(ctx, token)
	return token, session, err
}
