package middleware

import (
	"errors"
	"fmt"
	"time"

	"finsvc/handlers/wire"
	"finsvc/ledger"
)

// DefaultReadLimit is how long a read may take when [Options] do not say otherwise.
const DefaultReadLimit = 5 * time.Second

// fileReadLimit is how many times longer a read of a stored file may take: nothing but the file itself makes it long.
const fileReadLimit = 12

// errOverdue is why the context of a read ends that takes too long.
var errOverdue = errors.New("the read takes too long")

// overdue is the error of a read that took too long: it names what made it long and says what to do.
func overdue(r *wire.Request, limit time.Duration) error {
	var problems ledger.Problems
	q := r.Query()
	for _, costly := range costlyParameters() {
		if q.Has(costly.name) {
			problems.Add(costly.name, "%s", costly.advice)
		}
	}
	message := fmt.Sprintf("reading this took longer than %s and was given up", limit)
	if len(problems) == 0 {
		message += "; ask for less of it, such as fewer days"
	}
	for _, sentence := range problems.Sentences() {
		message += "; " + sentence
	}
	return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable", Message: message, Fields: problems,
		Err: errOverdue}
}

// costlyParameter is one that can make a read long, and how it would be quicker: the sentence that the name begins.
type costlyParameter struct{ name, advice string }

func costlyParameters() []costlyParameter {
	const fewer = "finds too much to be read in time: add start_date and end_date"
	return []costlyParameter{
		{"search", "must be looked for in too many texts: give at least three characters of a rarer word, or add start_date and end_date"},
		{"tag_ids", fewer}, {"category_ids", fewer}, {"category_id", fewer}, {"merchant_ids", fewer},
		{"merchant_id", fewer},
		{"account_ids", fewer}, {"min_amount", fewer}, {"max_amount", fewer}, {"type", fewer}, {"security_id", fewer},
		{"ticker", fewer},
		{"interval", "makes too many points: choose a longer one, or fewer days"},
		{"from", "is too long ago for what happened since: give a later day"},
		{"start_date", "must be nearer to end_date"}, {"end_date", "must be nearer to start_date"},
	}
}
