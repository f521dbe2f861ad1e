package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// plain gives a value as encoding/json would with numbers kept as written.
func (v value) plain() any {
	switch v.Shape {
	case Boolean:
		return string(v.Bytes) == "true"
	case Number:
		return json.Number(v.Bytes)
	case Text:
		return string(v.Bytes)
	case List:
		all := []any{}
		for _, item := range v.Items() {
			all = append(all, item.plain())
		}
		return all
	case Object:
		all := map[string]any{}
		for name, member := range v.Members() {
			all[name] = member.plain()
		}
		return all
	}
	return nil
}

func TestParseJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{` {"a" : [1, -0.5e+10, "x\n\u20ac\ud834\udd1e\/", true, false, null, {}, []]} `,
			`{"a":[1,-0.5e+10,"x\n€𝄞/",true,false,null,{},[]]}`},
		{`{"n":123456789012345678901234567890.10}`, `{"n":123456789012345678901234567890.10}`},
		{`{"long":"` + strings.Repeat(`ä\t`, 300) + `","b":"c"}`, `{"b":"c","long":"` + strings.Repeat(`ä\t`, 300) + `"}`},
		{strings.Repeat("[", 32) + strings.Repeat("]", 32), strings.Repeat("[", 32) + strings.Repeat("]", 32)},
	} {
		v, err := ParseJSON([]byte(c.in), nil)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		got, err := json.Marshal(v.plain())
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.in, got, err, c.want)
		}
	}
}

// TestParseJSONRefuses holds what was decided.
//
// Decision, Transport: malformed JSON is 400 and names the byte.
func TestParseJSONRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{`{"a":1`, `the body is malformed JSON: it ends at byte 6, expected ',' or '}'`},
		{`{"a":"x`, `the body is malformed JSON: it ends at byte 7, expected the closing quote of the text that begins at byte 5`},
		{`{"a":1}x`, `the body is malformed JSON: at byte 7 expected the end of the body, after its one value, got 'x'`},
		{`{"a":1}{"b":2}`, `the body is malformed JSON: at byte 7 expected the end of the body, after its one value, got '{'`},
		{`{"a":NaN}`, `the body is malformed JSON: at byte 5 expected a JSON value, got 'N'`},
		{`{"a":01}`, `the body is malformed JSON: at byte 6 expected ',' or '}', got '1'`},
		{`{"a":1.}`, `the body is malformed JSON: at byte 7 expected a digit, got '}'`},
		{`{"a":+1}`, `the body is malformed JSON: at byte 5 expected a JSON value, got '+'`},
		{`{'a':1}`, `the body is malformed JSON: at byte 1 expected a member's name in double quotes, got '\''`},
		{`{"a":1,}`, `the body is malformed JSON: at byte 7 expected a member's name in double quotes, got '}'`},
		{`[1,]`, `the body is malformed JSON: at byte 3 expected a JSON value, got ']'`},
		{`{"a" 1}`, `the body is malformed JSON: at byte 5 expected ':', got '1'`},
		{"{\"a\":\"x\ny\"}", `the body is malformed JSON: at byte 7 expected a text without bare control characters, got '\n'`},
		{"{\"a\":\"\xff\"}", `the body has invalid UTF-8 at byte 6`},
		{"{\xff}", `the body has invalid UTF-8 at byte 1`},
		{`{"a":"\ud834"}`, `the body has half a surrogate pair at byte 6`},
		{`{"a":"\ud834\u0041"}`, `the body has half a surrogate pair at byte 6`},
		{`{"a":"\x"}`, `the body is malformed JSON: at byte 7 expected one of "\/bfnrtu after the backslash, got 'x'`},
		{`{"a":"\u12g4"}`, `the body is malformed JSON: at byte 10 expected four hexadecimal digits, got 'g'`},
		{`{"a":1,"b":{"a":2,"a":3}}`, `the member "a" is given twice in one object, the second time at byte 18`},
		{`{"a":1,"\u0061":2}`, `the member "a" is given twice in one object, the second time at byte 7`},
		{strings.Repeat("[", 33) + strings.Repeat("]", 33), `the body is nested deeper than 32 levels at byte 32`},
		{`[` + strings.Repeat("1,", maxValues) + `1]`, `the body has more than 400000 values`},
	} {
		_, err := ParseJSON([]byte(c.in), nil)
		if err == nil || err.Error() != "bad_request: "+c.want {
			t.Errorf("%.60s:\ngot  %v\nwant %s", c.in, err, c.want)
		}
	}
}

// FuzzParseJSON: whatever is accepted is JSON and means the same to encoding/json; whatever is refused
// is not JSON, or has what only we refuse.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e-3,"x\u00e9\n",null,true]}`, `"\ud834\udd1e"`, `{"a":1,"a":2}`, `[[[]]]`, "\"\xff\"", ` 0 `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := ParseJSON(bytes.Clone(data), nil)
		if err != nil {
			ours := strings.Contains(err.Error(), "twice") || strings.Contains(err.Error(), "surrogate") ||
				strings.Contains(err.Error(), "deeper") || !utf8.Valid(data)
			if json.Valid(data) && !ours {
				t.Fatalf("%q is JSON, refused: %v", data, err)
			}
			return
		}
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var theirs any
		if err := dec.Decode(&theirs); err != nil || !json.Valid(data) {
			t.Fatalf("%q is not JSON, accepted: %v", data, err)
		}
		want, _ := json.Marshal(theirs)
		if got, _ := json.Marshal(v.plain()); !bytes.Equal(got, want) {
			t.Fatalf("%q: got %s, want %s", data, got, want)
		}
	})
}
