package assistant

import (
	"encoding/json"
	"finsvc/assistant/model"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzTidied: whatever a model sends as a call can be kept, an object that is not too long, and stays as it is when it
// is tidied again.
func FuzzTidied(f *testing.F) {
	for _, seed := range []string{`{}`, `{ "a" : [1, "x\n"] }`, `[]`, `null`, `"{}"`, `{"a":`, "{\"a\":\"\xff\"}", ``, `{"a":1}{"b":2}`, strings.Repeat("[", 3000), " \n{}\t"} {
		f.Add("get_accounts", seed)
	}
	f.Add("a\x00b\xff"+strings.Repeat("ä", 100), "{}")
	f.Fuzz(func(t *testing.T, name, arguments string) {
		call := tidied(model.Call{Name: name, Arguments: json.RawMessage(arguments)})
		var object map[string]any
		if err := json.Unmarshal(call.Arguments, &object); err != nil || object == nil || len(call.Arguments) > maxArguments || !utf8.Valid(call.Arguments) {
			t.Errorf("%q becomes %q: %v", arguments, call.Arguments, err)
		}
		if len(call.Name) > maxToolName || !utf8.ValidString(call.Name) || strings.ContainsRune(call.Name, 0) {
			t.Errorf("%q becomes %q", name, call.Name)
		}
		if again := tidied(call); again.Name != call.Name || string(again.Arguments) != string(call.Arguments) {
			t.Errorf("%q becomes %q and then %q", arguments, call.Arguments, again.Arguments)
		}
	})
}
