package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"finsvc/ledger"
)

// canonical gives ids numbers.
type canonical struct{ numbers map[string]string }

// record makes the data of a record canonical. What is only true on the day of writing is not kept.
func (c *canonical) record(r *backupRecord) (kept bool, err error) {
	if r.Type == "Balance" || r.Type == "Holding" {
		return false, nil
	}
	text, err := json.Marshal(r.Data)
	if err != nil {
		return false, err
	}
	data := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&data); err != nil {
		return false, err
	}
	for _, name := range []string{"created_at", "updated_at", "balance", "cash_balance"} {
		delete(data, name)
	}
	if data["undated"] == true {
		delete(data, "date") // of an account without entries it is the day on which it was made
	}
	c.object(data)
	r.Data = data // the encoder sorts the members of maps
	return true, nil
}

// object numbers the ids of an object, in the order of its members.
func (c *canonical) object(object map[string]any) {
	_, refers := object["value_ref"]
	for _, name := range slices.Sorted(maps.Keys(object)) {
		isID := name == "id" || strings.HasSuffix(name, "_id") && name != "external_id" ||
			strings.HasSuffix(name, "_ids") || refers && name == "value"
		object[name] = c.value(object[name], isID)
	}
}

func (c *canonical) value(value any, isID bool) any {
	switch v := value.(type) {
	case map[string]any:
		c.object(v)
	case []any:
		for i := range v {
			v[i] = c.value(v[i], isID)
		}
	case string:
		if _, known := ledger.ParseID(v); known && isID {
			return c.number(v)
		}
	}
	return value
}

func (c *canonical) number(id string) string {
	if c.numbers[id] == "" {
		c.numbers[id] = fmt.Sprint("id-", len(c.numbers)+1)
	}
	return c.numbers[id]
}
