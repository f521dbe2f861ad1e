package engine

import (
	"fmt"
	"sync"

	"finsvc/assistant/engine/answer"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/model"
	"finsvc/ledger"
)

// maxOpen is how many questions are remembered.
const maxOpen = 256

// openQuestions are those that wait for results, or did. When results come, what a question went on from
// may have given way to them in the prompt, so it could not be read again.
type openQuestions struct {
	mu    sync.Mutex
	count int
	byID  map[string]openQuestion // by the id of the first call
}

type openQuestion struct {
	who ledger.Actor
	intent.Question
}

// put remembers a question and gives its calls; the oldest gives way.
func (o *openQuestions) put(who ledger.Actor, q intent.Question) []model.Call {
	calls := answer.Calls(q)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byID == nil {
		o.byID = map[string]openQuestion{}
	}
	o.count++
	for i := range calls {
		calls[i].ID = openID(o.count, i)
	}
	o.byID[openID(o.count, 0)] = openQuestion{who, q}
	delete(o.byID, openID(o.count-maxOpen, 0))
	return calls
}

func openID(question, call int) string {
	return fmt.Sprintf("%s-%d-%d", model.Builtin, question, call+1)
}

// get gives the question that calls are of.
func (o *openQuestions) get(who ledger.Actor, calls []model.Call) (intent.Question, bool) {
	if len(calls) == 0 {
		return intent.Question{}, false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	q, found := o.byID[calls[0].ID]
	return q.Question, found && q.who == who
}
