package queries

import (
	"reflect"
	"strings"
	"testing"
)

// TestRowsBindWhatOneRowBinds: the arguments of a row are the fields of its parameters, in their order, which is that
// of the columns in the statement.
func TestRowsBindWhatOneRowBinds(t *testing.T) {
	t.Parallel()
	bindsFields[InsertTransactionParams](t, insertTransaction)
	bindsFields[InsertChangeParams](t, insertChange)
	bindsFields[InsertTransactionTagParams](t, insertTransactionTag)
	bindsFields[InsertSplitLineParams](t, insertSplitLine)
	bindsFields[InsertSplitLineTagParams](t, insertSplitLineTag)
	bindsFields[PutRuleNoteParams](t, putRuleNote)
}

func bindsFields[P any, R row[P]](t *testing.T, one string) {
	t.Helper()
	var filled, empty P
	fields := reflect.ValueOf(&filled).Elem()
	want := make([]any, fields.NumField())
	for i := range want {
		fields.Field(i).Set(sample(fields.Field(i).Type(), i+1))
		want[i] = plain(fields.Field(i))
	}
	if got := R(&filled).args(); !reflect.DeepEqual(got, want) {
		t.Errorf("%T: got  %v\nwant %v", filled, got, want)
	}
	for i, arg := range R(&empty).args() {
		if field := reflect.ValueOf(empty).Field(i); field.Kind() == reflect.Pointer && arg != nil {
			t.Errorf("%T: %s of nothing is %v", empty, reflect.TypeOf(empty).Field(i).Name, arg)
		}
	}
	_, values, _ := strings.Cut(manyRows(one, 2, len(want)), "VALUES")
	if columns, marks := strings.Count(one, "?"), strings.Count(values, "?"); columns != len(want) || marks != 2*columns {
		t.Errorf("%T: %d values of %d columns for two rows", filled, marks, columns)
	}
}

// TestManyRowsKeepsWhatFollows: what a statement says after its values holds for all rows.
func TestManyRowsKeepsWhatFollows(t *testing.T) {
	t.Parallel()
	const one = "INSERT INTO t (a, b) VALUES (?1, ?2) ON CONFLICT (a) DO NOTHING"
	if got, want := manyRows(one, 3, 2), "INSERT OR FAIL INTO t (a, b) VALUES (?,?),(?,?),(?,?) ON CONFLICT (a) DO NOTHING"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// sample is a value of a type that no other field has.
func sample(of reflect.Type, n int) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
		v.Elem().Set(sample(of.Elem(), n))
	case reflect.String:
		v.SetString(strings.Repeat("x", n))
	case reflect.Array:
		v.Index(0).SetUint(uint64(n))
	default:
		v.SetInt(int64(n))
	}
	return v
}

// plain is what the driver gets for a field.
func plain(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() == reflect.Array {
		return v.Bytes()
	}
	return v.Interface()
}
