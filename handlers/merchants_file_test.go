package handlers

import (
	"fmt"
	"strings"
	"testing"
)

const formType = "Content-Type: multipart/form-data; boundary=B"

// merchantForm is a form with a CSV file.
func merchantForm(fileName, content string) string {
	return "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + fileName + "\"\r\nContent-Type: text/csv\r\n\r\n" + content + "\r\n--B--\r\n"
}

func TestMerchantFile(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const file = "Name*;Color;Website\nTailor;#AABBCC;https://tailor.example/shop\nKIOSK;;\n\ntailor;#000000;\n\"Fish; Chips\";;fish.example\n"
	h.golden(t, "merchant_import", h.call(t, "POST", "/merchants", merchantForm("list.csv", file), formType))
	h.golden(t, "merchant_import_again", h.call(t, "POST", "/merchants", merchantForm("list.csv", file), formType))
	if p := h.call(t, "GET", "/merchants", ""); strings.Count(p.Text, `"name"`) != 4 {
		t.Errorf("got %s", p.Text)
	}
	// A part without a file name, and a form that holds one merchant as other forms do.
	bare := strings.Replace(merchantForm("x", "name\nBakery\n"), `; filename="x"`, "", 1)
	h.call(t, "POST", "/merchants", bare, formType).Is(t, 201, "")
	one := "--B\r\nContent-Disposition: form-data; name=\"merchant[name]\"\r\n\r\nCobbler\r\n--B--\r\n"
	if p := h.call(t, "POST", "/merchants", one, formType); p.StatusCode != 201 || !strings.Contains(p.Text, `"name":"Cobbler"`) {
		t.Errorf("got %d %s", p.StatusCode, p.Text)
	}
}

// TestMerchantFileIsRefused: nothing of a list is stored when anything of it is wrong.
func TestMerchantFileIsRefused(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	many := "name\n" + strings.Repeat("x\n", 10_001)
	for _, c := range []struct {
		name, content, code, field string
	}{
		{"a.csv", "name,color\nGood,#112233\nBad,red\n", "invalid_csv", "row 2, column color"},
		{"a.csv", "name,color\nGood,#112233\n ,#112233\n", "invalid_csv", "row 2, column name"},
		{"a.csv", "name,website_url\nGood,\nBad,ftp://bad.example\n", "invalid_csv", "row 2, column website_url"},
		{"a.csv", "name\nGood\n" + strings.Repeat("x", 256) + "\n", "invalid_csv", "row 2, column name"},
		{"a.csv", "name\nGood\nBad,more\n", "invalid_csv", "row 2"},
		{"a.csv", many, "invalid_csv", "file"},
		{"a.csv", "label\nGood\n", "missing_column", "file"},
		{"a.csv", "", "invalid_csv", "file"},
		{"a.pdf", "name\nGood\n", "invalid_file_type", "file"},
		{"a.csv", "name\n" + strings.Repeat("Good\n", merchantFileMax/5), "file_too_large", "file"},
	} {
		h.refuses(t, refusal{422, c.code, c.field}, "POST", "/merchants", merchantForm(c.name, c.content), formType)
	}
	h.refuses(t, refusal{422, "missing_file", "file"}, "POST", "/merchants", "--B\r\nContent-Disposition: form-data; name=\"list\"\r\n\r\nx\r\n--B--\r\n", formType)
	h.refuses(t, refusal{422, "missing_file", "file"}, "POST", "/merchants", `{"file":null}`)
	h.refuses(t, refusal{422, "validation_failed", "file"}, "POST", "/merchants", `{"file":[]}`)
	h.refuses(t, refusal{422, "content_too_large", ""}, "POST", "/merchants", merchantForm("a.csv", strings.Repeat("x", merchantBodyMax)), formType)
	h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/merchants", "--B\r\n", formType)
	h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/merchants", `{}`)

	// Of many mistakes the first are told.
	bad := h.call(t, "POST", "/merchants", merchantForm("a.csv", "name,color\n"+strings.Repeat("x,red\n", 30)), formType)
	if bad.StatusCode != 422 || !strings.Contains(bad.Text, "; and 10 more") || strings.Count(bad.Text, "must be a colour") != 60 {
		t.Errorf("got %d %s", bad.StatusCode, bad.Text)
	}
	if p := h.as(t, h.readKey, "POST", "/merchants", merchantForm("a.csv", "name\nx\n"), formType); p.StatusCode != 403 {
		t.Errorf("with a key that only reads: %d", p.StatusCode)
	}
}

// TestMerchantLooks: colour and address of a merchant are kept, changed and cleared, and bad ones refused.
func TestMerchantLooks(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.ids["Tailor"] = h.make(t, h.key, "merchants", `{"merchant":{"name":"Tailor","color":"#AABBCC","website_url":"https://tailor.example"}}`)
	shows := func(color, website string, millis int) {
		t.Helper()
		h.shows(t, h.call(t, "GET", "/merchants/{Tailor}", ""), 200, fmt.Sprintf(`{"id":"<Tailor>","name":"Tailor","type":"FamilyMerchant","color":%s,"website_url":%s,`+
			`"created_at":"2026-08-22T12:00:00.000Z","updated_at":"2026-08-22T12:00:00.%03dZ"}`, color, website, millis))
	}
	shows(`"#aabbcc"`, `"https://tailor.example"`, 0)
	h.call(t, "PATCH", "/merchants/{Tailor}", `{"merchant":{"color":"#AABBCC"}}`).Is(t, 200, "")
	shows(`"#aabbcc"`, `"https://tailor.example"`, 0)
	h.call(t, "PATCH", "/merchants/{Tailor}", `{"merchant":{"color":null,"website_url":"Tailor.example/a?b=c"}}`).Is(t, 200, "")
	shows("null", `"Tailor.example/a?b=c"`, 1)
	h.call(t, "PUT", "/merchants/{Tailor}", `{"merchant":{"website_url":""}}`).Is(t, 200, "")
	shows("null", "null", 2)
	for value, field := range map[string]string{`"color":"red"`: "color", `"color":7`: "color", `"website_url":"tailor"`: "website_url", `"website_url":"a b.example"`: "website_url",
		`"website_url":"ftp://a.example"`: "website_url", `"website_url":7`: "website_url", `"website_url":"https://"`: "website_url", `"website_url":"javascript:alert(1).x"`: "website_url"} {
		h.refuses(t, unprocessable(field), "PATCH", "/merchants/{Tailor}", `{"merchant":{`+value+`}}`)
	}
}
