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
	var row InsertTransactionParams
	fields := reflect.ValueOf(&row).Elem()
	want := make([]any, fields.NumField())
	for i := range want {
		fields.Field(i).Set(sample(fields.Field(i).Type(), i+1))
		want[i] = plain(fields.Field(i))
	}
	if got := row.args(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	empty := InsertTransactionParams{}
	for i, arg := range empty.args() {
		if field := reflect.ValueOf(empty).Field(i); field.Kind() == reflect.Pointer && arg != nil {
			t.Errorf("%s of nothing is %v", reflect.TypeOf(empty).Field(i).Name, arg)
		}
	}
	_, values, _ := strings.Cut(insertTransactions(2, len(want)), "VALUES")
	if columns, marks := strings.Count(insertTransaction, "?"), strings.Count(values, "?"); columns != len(want) || marks != 2*columns {
		t.Errorf("%d values of %d columns for two rows", marks, columns)
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
