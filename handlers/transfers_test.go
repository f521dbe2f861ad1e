package handlers

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

// moveMoney furnishes a house with 250.00 EUR that leave Checking on August 3rd and arrive in Visa on the 4th,
// and with 40.00 EUR that leave Checking and arrive in Savings on the 5th.
func (h *fixture) moveMoney(t *testing.T) {
	t.Helper()
	h.ids["Visa"] = h.make(t, h.key, "accounts", `{"account":{"name":"Visa","account_type":"credit_card","currency":"EUR"}}`)
	h.add(t, "Payment", `"account_id":"{Checking}","date":"2026-08-03","amount":250`)
	h.add(t, "Thanks", `"account_id":"{Visa}","date":"2026-08-04","amount":-250`)
	h.add(t, "Away", `"account_id":"{Checking}","date":"2026-08-05","amount":40`)
	h.add(t, "Arrived", `"account_id":"{Savings}","date":"2026-08-05","amount":-40`)
	for name, side := range map[string]string{"card": "Payment", "saving": "Away"} {
		_, rest, _ := strings.Cut(h.call(t, "GET", "/transactions/{"+side+"}", "").Text, `"transfer":{"id":"`)
		h.ids[name], _, _ = strings.Cut(rest, `"`)
	}
}

// TestTransferBodies holds whole bodies against files that were worked out by hand.
//
// Decision, Transactions: a match has a reason, and can be rejected for good.
func TestTransferBodies(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.moveMoney(t)
	h.golden(t, "transfer_list", h.as(t, h.readKey, "GET", "/transfers", ""))
	h.golden(t, "transfer_side", h.call(t, "GET", "/transactions/{Arrived}", ""))
	h.clock.move(time.Hour)
	h.golden(t, "transfer_update", h.call(t, "PATCH", "/transfers/{card}", `{"transfer":{"notes":"July\nand | August","surplus":1}}`))
	h.golden(t, "transfer_confirm", h.call(t, "POST", "/transfers/{card}/confirm", ""))
	h.golden(t, "transfer_confirm", h.call(t, "PATCH", "/transfers/{card}", `{"transfer":{"status":"confirmed"}}`))
	h.golden(t, "transfer_confirm", h.call(t, "GET", "/transfers/"+strings.ToUpper(h.ids["card"]), ""))
	rejected := h.call(t, "POST", "/transfers/{saving}/reject", "{}")
	h.ids["no"] = idOf(t, rejected)
	h.golden(t, "transfer_reject", rejected)
	h.golden(t, "transfer_reject", h.call(t, "GET", "/rejected_transfers/{no}", ""))
	h.golden(t, "transfer_rejected_list", h.call(t, "GET", "/rejected_transfers", ""))
	h.call(t, "GET", "/transfers/{saving}", "").Is(t, 404, `{"error":"not_found","message":"Transfer not found","details":null}`)
	h.call(t, "DELETE", "/rejected_transfers/{no}", "").Is(t, 200, `{"message":"Rejected transfer deleted successfully"}`)
	h.call(t, "GET", "/rejected_transfers/{no}", "").Is(t, 404, `{"error":"not_found","message":"Rejected transfer not found","details":null}`)
	h.call(t, "DELETE", "/transfers/{card}", "").Is(t, 200, `{"message":"Transfer deleted successfully"}`)
	h.add(t, "Fewer", `"account_id":"{Visa}","date":"2026-08-20","amount":-248.50`)
	h.golden(t, "transfer_create", h.call(t, "POST", "/transfers", `{"transfer":{"inflow_transaction_id":"{Fewer}","outflow_transaction_id":"{Payment}","notes":"by hand"}}`))
}

func TestTransferFilters(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.moveMoney(t)
	h.call(t, "POST", "/transfers/{card}/confirm", "")
	for query, want := range map[string]string{
		"": "saving card", "status=pending": "saving", "status=confirmed": "card", "account_id={Visa}": "card", "account_ids={Checking},{Savings}": "saving card",
		"account_ids[]={Savings}&account_ids[]={Visa}&account_id={Visa}": "card", "account_id={Dinars}": "", "account_id={their Checking}": "",
		"start_date=2026-08-04": "saving card", "start_date=2026-08-05": "saving", "end_date=2026-08-03": "card", "end_date=2026-08-02": "",
		"start_date=2026-08-04&end_date=2026-08-04": "card", "start_date=2026-08-06": "", "per_page=1&page=2": "card", "status=": "saving card",
	} {
		p := h.call(t, "GET", "/transfers?"+h.fill(query), "")
		var got []string
		for part := range strings.SplitSeq(p.Text, `{"id":"`) {
			for _, name := range []string{"saving", "card"} {
				if strings.HasPrefix(part, h.ids[name]) {
					got = append(got, name)
				}
			}
		}
		if p.StatusCode != 200 || strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

func TestBadTransfers(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.moveMoney(t)
	h.add(t, "Alone", `"account_id":"{Savings}","date":"2026-08-10","amount":-20`)
	good := members{"inflow_transaction_id": `"{Alone}"`, "outflow_transaction_id": `"{Payment}"`}
	strange := append(badIDs(), "", "null", `""`, `"00000000-0000-7000-8000-000000000000"`, `"{Checking}"`)
	for _, field := range []string{"inflow_transaction_id", "outflow_transaction_id"} {
		for _, text := range strange {
			h.refuses(t, unprocessable(field), "POST", "/transfers", `{"transfer":{`+good.with(field, text)+`}}`)
		}
	}
	h.refuses(t, unprocessable("inflow_transaction_id"), "POST", "/transfers", `{"transfer":{`+good.with("inflow_transaction_id", `"{Away}"`)+`}}`)
	h.refuses(t, unprocessable("outflow_transaction_id"), "POST", "/transfers", `{"transfer":{`+good.with("outflow_transaction_id", `"{Arrived}"`)+`}}`)
	for _, text := range []string{quoted(strings.Repeat("ä", 10_001)), `"a\u0000b"`, "7", "true", "[]", "{}"} {
		h.refuses(t, unprocessable("notes"), "POST", "/transfers", `{"transfer":{`+good.with("notes", text)+`}}`)
		h.refuses(t, unprocessable("notes"), "PATCH", "/transfers/{card}", `{"transfer":{`+members{}.with("notes", text)+`}}`)
		h.refuses(t, unprocessable("notes"), "PATCH", "/transfers/{card}", `{"transfer":{"status":"rejected",`+members{}.with("notes", text)+`}}`)
	}
	for _, text := range []string{`"perhaps"`, "7", "true", "[]", "{}", `"Confirmed"`} {
		h.refuses(t, unprocessable("status"), "PATCH", "/transfers/{card}", `{"transfer":{`+members{}.with("status", text)+`}}`)
	}
	h.call(t, "POST", "/transfers/{card}/confirm", "")
	h.refuses(t, unprocessable("status"), "PATCH", "/transfers/{card}", `{"transfer":{"status":"pending"}}`)
	h.refuses(t, unprocessable("outflow_transaction_id"), "POST", "/transfers", `{"transfer":{`+good.with("", "")+`}}`)
	for _, body := range []string{"", "{}", "[]", `{"transfer":7}`, `{"transfer":null}`} {
		h.refuses(t, refusal{400, "bad_request", ""}, "POST", "/transfers", body)
		h.refuses(t, refusal{400, "bad_request", ""}, "PATCH", "/transfers/{card}", body)
	}
	for name, bad := range map[string][]string{
		"status": {"rejected", "x", "pending,confirmed"}, "account_id": {"x", "7"}, "account_ids": {"x"}, "start_date": {"2026-02-30", "x"}, "end_date": {"2026-02-30", "x"},
	} {
		for _, text := range bad {
			h.refuses(t, unprocessable(name), "GET", "/transfers?"+name+"="+url.QueryEscape(text), "")
		}
	}
}

func TestRejectedTransferFilters(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.moveMoney(t)
	for _, name := range []string{"saving", "card"} {
		h.clock.move(time.Second)
		h.ids[name] = idOf(t, h.call(t, "POST", "/transfers/{"+name+"}/reject", ""))
	}
	for query, want := range map[string]string{
		"": "card saving", "status=rejected": "card saving", "status=pending": "", "account_id={Visa}": "card", "account_ids={Checking},{Savings}": "card saving",
		"account_ids[]={Savings}": "saving", "account_id={Dinars}": "", "account_id={their Checking}": "", "start_date=2026-08-05": "saving", "end_date=2026-08-03": "card",
		"end_date=2026-08-02": "", "per_page=1&page=2": "saving", "account_id={Visa}&start_date=2026-08-05": "",
	} {
		p := h.call(t, "GET", "/rejected_transfers?"+h.fill(query), "")
		var got []string
		for part := range strings.SplitSeq(p.Text, `{"id":"`) {
			for _, name := range []string{"saving", "card"} {
				if strings.HasPrefix(part, h.ids[name]) {
					got = append(got, name)
				}
			}
		}
		if p.StatusCode != 200 || strings.Join(got, " ") != want {
			t.Errorf("%s: got %d %s, want %s", query, p.StatusCode, got, want)
		}
	}
	h.refuses(t, unprocessable("status"), "GET", "/rejected_transfers?status=gone", "")
	h.refuses(t, unprocessable("account_id"), "GET", "/rejected_transfers?account_id=7", "")
}

func TestTransfersOfNeighbours(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	h.moveMoney(t)
	h.call(t, "POST", "/transfers/{saving}/reject", "")
	_, rest, _ := strings.Cut(h.call(t, "GET", "/rejected_transfers", "").Text, `{"id":"`)
	h.ids["no"], _, _ = strings.Cut(rest, `"`)
	before := h.print(t)
	for _, c := range [][2]string{{"GET", "/transfers/{card}"}, {"PATCH", "/transfers/{card}"}, {"DELETE", "/transfers/{card}"}, {"POST", "/transfers/{card}/confirm"},
		{"POST", "/transfers/{card}/reject"}, {"GET", "/rejected_transfers/{no}"}, {"DELETE", "/rejected_transfers/{no}"}} {
		if p := h.as(t, h.neighbour, c[0], c[1], `{"transfer":{"status":"rejected"}}`); p.StatusCode != 404 {
			t.Errorf("%s %s: got %d", c[0], c[1], p.StatusCode)
		}
		if p := h.call(t, c[0], strings.NewReplacer("{card}", "7", "{no}", "{Checking}").Replace(c[1]), `{"transfer":{}}`); p.StatusCode != 404 {
			t.Errorf("%s %s with another id: got %d", c[0], c[1], p.StatusCode)
		}
		if c[0] != "GET" {
			h.as(t, h.readKey, c[0], c[1], `{"transfer":{}}`).Is(t, 403, "")
		}
	}
	for _, path := range []string{"/transfers", "/rejected_transfers"} {
		h.as(t, h.neighbour, "GET", path+"?page=3", "").Is(t, 200, `{"`+path[1:]+`":[],"pagination":{"page":3,"per_page":25,"total_count":0,"total_pages":1}}`)
	}
	if h.print(t) != before {
		t.Error("something was written")
	}
}
