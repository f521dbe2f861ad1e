package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// kind says of a JSON value what it should have been; nil when it is.
type kind func(v any) error

// shape is the members that an object must have; others do no harm.
type shape map[string]kind

func anything(any) error { return nil }

func text(v any) error {
	if _, ok := v.(string); !ok {
		return fmt.Errorf("is %v, not text", v)
	}
	return nil
}

func boolean(v any) error {
	if _, ok := v.(bool); !ok {
		return fmt.Errorf("is %v, not true or false", v)
	}
	return nil
}

// matching is a text in a form.
func matching(form string) kind {
	pattern := regexp.MustCompile("^(?:" + form + ")$")
	return func(v any) error {
		if s, ok := v.(string); !ok || !pattern.MatchString(s) {
			return fmt.Errorf("is %v, not like %s", v, form)
		}
		return nil
	}
}

// oneOf is one of some words.
func oneOf(words ...string) kind { return matching(strings.Join(words, "|")) }

// uuid is an id in its 36 characters, lower case.
func uuid(v any) error {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	s, _ := v.(string)
	seen := strings.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789abcdef", r) {
			return 'x'
		}
		return r
	}, s)
	if seen != form {
		return fmt.Errorf("is %v, not an id", v)
	}
	return nil
}

func color(v any) error { return matching("#[0-9a-f]{6}")(v) }

// date is a calendar date as YYYY-MM-DD.
func date(v any) error {
	s, _ := v.(string)
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return fmt.Errorf("is %v, not a date", v)
	}
	return nil
}

// instant is a moment in UTC, with Z.
func instant(v any) error {
	s, _ := v.(string)
	if _, err := time.Parse(time.RFC3339, s); err != nil || !strings.HasSuffix(s, "Z") {
		return fmt.Errorf("is %v, not an instant with Z", v)
	}
	return nil
}

// integer is a JSON number without a fraction.
func integer(v any) error {
	n, _ := v.(json.Number)
	if _, err := strconv.ParseInt(n.String(), 10, 64); err != nil {
		return fmt.Errorf("is %v, not a whole number", v)
	}
	return nil
}

// count is a whole number from 0.
func count(v any) error {
	if n, _ := v.(json.Number); strings.HasPrefix(n.String(), "-") {
		return fmt.Errorf("is %v, which is negative", v)
	}
	return integer(v)
}

// decimal is a JSON number in plain notation.
func decimal(v any) error {
	n, ok := v.(json.Number)
	if !ok || strings.ContainsAny(n.String(), "eE") {
		return fmt.Errorf("is %v, not a number in plain notation", v)
	}
	return nil
}

// money is an amount for people that a program can still read: one decimal separator, a minus in front, no parentheses.
func money(v any) error {
	s, _ := v.(string)
	if digits := strings.TrimLeft(s, "-"); s == "" || strings.ContainsAny(digits, "()-−") || len(s)-len(digits) > 1 {
		return fmt.Errorf("is %v, not an amount", v)
	}
	_, err := cents(s)
	return err
}

func nullable(k kind) kind {
	return func(v any) error {
		if v == nil {
			return nil
		}
		return k(v)
	}
}

func listOf(k kind) kind {
	return func(v any) error {
		items, ok := v.([]any)
		if !ok {
			return fmt.Errorf("is %v, not a list", v)
		}
		for i, item := range items {
			if err := k(item); err != nil {
				return fmt.Errorf("[%d] %w", i, err)
			}
		}
		return nil
	}
}

// holding is an object that has all members of a shape.
func holding(s shape) kind {
	return func(v any) error {
		members, ok := v.(object)
		if !ok {
			return fmt.Errorf("is %v, not an object", v)
		}
		for name, k := range s {
			member, ok := members[name]
			if !ok {
				return fmt.Errorf("lacks %s", name)
			}
			if err := k(member); err != nil {
				return fmt.Errorf(".%s %w", name, err)
			}
		}
		return nil
	}
}

// cents reads an amount with two decimals as clients do: everything but digits, separators and minus goes, and of the separators the last one
// is that of the decimals.
func cents(formatted string) (int64, error) {
	kept := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '-' || r == '.' || r == ',' {
			return r
		}
		return -1
	}, formatted)
	at := len(kept) - 3
	if at < 1 || kept[at] != '.' && kept[at] != ',' || strings.Count(kept, kept[at:at+1]) != 1 {
		return 0, errors.New("has not one decimal separator with two digits behind it: " + formatted)
	}
	return strconv.ParseInt(strings.NewReplacer(".", "", ",", "").Replace(kept), 10, 64)
}

// wellFormed reports whether the members of a body have, at any depth, the form that their names promise.
func wellFormed(v any) error {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if err := wellFormed(item); err != nil {
				return err
			}
		}
	case object:
		for name, member := range v {
			if err := errors.Join(promised(name)(member), wellFormed(member)); err != nil {
				return fmt.Errorf("%s %w", name, err)
			}
		}
	}
	return nil
}

// promised is the kind that a member's name promises.
func promised(name string) kind {
	switch {
	case strings.HasSuffix(name, "_at"):
		return nullable(instant)
	case name == "date", strings.HasSuffix(name, "_date"):
		return nullable(date)
	case strings.HasSuffix(name, "_cents"):
		return nullable(integer)
	case name == "pagination":
		return holding(shape{"page": integer, "per_page": integer, "total_count": count, "total_pages": positive})
	case name == "id", strings.HasSuffix(name, "_id"):
		return nullable(anything)
	}
	return anything
}

// positive is a whole number from 1.
func positive(v any) error {
	if n, _ := v.(json.Number); n == "0" {
		return errors.New("is 0, not at least 1")
	}
	return count(v)
}
