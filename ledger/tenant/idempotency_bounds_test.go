package tenant

import (
	"context"
	"strconv"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/queries"
)

// TestAnswersAreBounded: one key keeps so many answers and so many bytes of them, another one its own, and old ones
// make room.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	ran := time.Duration(0)
	start := time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return start.Add(ran) }
	store := ledger.NewTimedStore(dbtest.New(t), clock, func() time.Duration { return ran })
	answers := NewAnswers(store)
	home, _, err := New(store).CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, HouseholdInput{
		Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "a@example.org",
		NoCategories: true})
	if err != nil {
		t.Fatal(err)
	}
	var keys [2]ledger.Actor
	for i := range keys {
		who := ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
		_, key, err := NewKeys(store).CreateAPIKey(t.Context(), who, KeyInput{Name: "k" + strconv.Itoa(i)})
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = ledger.Actor{HouseholdID: home.ID, KeyID: key.ID, Origin: ledger.OriginAPI}
	}
	save := func(who ledger.Actor, name string, bytes int) error {
		return answers.SaveAnswer(t.Context(), &Session{Actor: who, FirstKeyID: who.KeyID}, name,
			Answer{Digest: make([]byte, 32), Status: 201, ContentType: "x", Body: make([]byte, bytes)})
	}
	if err := save(keys[0], "one", 1000); err != nil {
		t.Fatal(err)
	}
	answers.kept.byKey[keys[0].KeyID] = answerCount{answers: maxAnswers, bytes: 1, counted: ran} // as after as many
	if err := save(keys[0], "two", 1); !ledger.IsKind(err, ledger.RateLimited) {
		t.Errorf("one too many: %v", err)
	}
	if err := save(keys[1], "one", 1); err != nil {
		t.Errorf("another key: %v", err)
	}
	ran += recountAnswers // then it is counted what there really is
	if err := save(keys[0], "two", maxAnswerBytes); !ledger.IsKind(err, ledger.RateLimited) {
		t.Errorf("too long: %v", err)
	}
	if err := save(keys[0], "two", 1); err != nil {
		t.Errorf("one: %v", err)
	}
	ran += answerAge + time.Second
	answers.kept.byKey[keys[0].KeyID] = answerCount{answers: maxAnswers}
	if err := save(keys[0], "three", 1); err != nil {
		t.Errorf("a day later: %v", err)
	}
	var have queries.CountIdempotentAnswersRow
	err = store.DB.Read(t.Context(), func(ctx context.Context, q *queries.Queries) (err error) {
		have, err = q.CountIdempotentAnswers(ctx, keys[0].KeyID)
		return err
	})
	if err != nil || have.Answers != 1 || have.Bytes != 1 {
		t.Errorf("kept: %+v, %v", have, err)
	}
}
