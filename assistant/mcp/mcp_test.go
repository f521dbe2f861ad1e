package mcp_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"finsvc/assistant/mcp"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
)

// connect gives a client of a server of the household.
func connect(t *testing.T, b *ledgertest.Fixture, who ledger.Actor, offered, may bool) *sdk.ClientSession {
	t.Helper()
	return connectTo(t, mcp.New(mcp.Options{Ledger: b.Books, Version: "1", Write: offered}).Server(who, may))
}

func connectTo(t *testing.T, server *sdk.Server) *sdk.ClientSession {
	t.Helper()
	return connectAs(t, server, nil)
}

func connectAs(t *testing.T, server *sdk.Server, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and gives its text, and whether that is an error.
func call(t *testing.T, c *sdk.ClientSession, name, arguments string) (text string, failed bool) {
	t.Helper()
	found, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(name, err)
	}
	return found.Content[0].(*sdk.TextContent).Text, found.IsError
}

// shop is a household with an account, labels and two transactions.
func shop(t *testing.T) *ledgertest.Fixture {
	b := ledgertest.New(t)
	giro := b.Account(b.Who, "Giro", "EUR")
	b.Category(b.Who, "Food")
	b.Tag(b.Who, "Trip")
	for _, row := range [][2]string{{"Bakery", "4.80"}, {"Salary", "-2000"}} {
		b.Create(entry.TransactionInput{AccountID: ledger.Some(giro), Date: ledgertest.DayOf("2026-02-01"), Amount: ledgertest.AmountOf(row[1]), Name: ledger.Some(row[0])})
	}
	return b
}

func TestReading(t *testing.T) {
	t.Parallel()
	b := shop(t)
	c := connect(t, b, b.Who, true, false)
	listed, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, tool := range listed.Tools {
		tools = append(tools, tool.Name)
		if !tool.Annotations.ReadOnlyHint || tool.Description == "" {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
	}
	slices.Sort(tools)
	if got := strings.Join(tools, " "); got != "explain_figure get_accounts get_balance_sheet get_categories get_holdings get_income_statement get_merchants get_tags get_transactions" {
		t.Errorf("the tools are %s", got)
	}
	if text, failed := call(t, c, "get_accounts", "{}"); failed || !strings.Contains(text, `"name":"Giro","type":"depository"`) || !strings.Contains(text, "1995.20") {
		t.Errorf("accounts: %s", text)
	}
	if text, failed := call(t, c, "get_transactions", `{"search":"bakery"}`); failed || !strings.Contains(text, `"total_results":1`) || !strings.Contains(text, `"amount":"4.80","currency":"EUR","type":"expense"`) {
		t.Errorf("transactions: %s", text)
	}
	if text, failed := call(t, c, "get_transactions", `{"categories":["Foot"]}`); !failed || !strings.Contains(text, "nearest: Food") {
		t.Errorf("refused: %s", text)
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "add_transaction"}); err == nil {
		t.Error("it may write")
	}
	if text, _ := call(t, connect(t, b, b.Household("Other"), false, true), "get_accounts", "{}"); strings.Contains(text, "Giro") {
		t.Errorf("another household sees %s", text)
	}
}

func TestResourcesAndPrompts(t *testing.T) {
	t.Parallel()
	b := shop(t)
	c := connect(t, b, b.Who, false, false)
	for uri, want := range map[string]string{"finsvc://accounts": "Giro", "finsvc://categories": "Food"} {
		found, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(found.Contents) != 1 || !strings.Contains(found.Contents[0].Text, want) || found.CacheScope != "private" {
			t.Errorf("%s: %+v, %v", uri, found, err)
		}
	}
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "finsvc://secrets"}); err == nil {
		t.Error("there are secrets")
	}
	listed, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(listed.Prompts) != 4 {
		t.Fatal(listed, err)
	}
	asked, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "month", Arguments: map[string]string{"month": "2026-02"}})
	if err != nil || !strings.HasPrefix(asked.Messages[0].Content.(*sdk.TextContent).Text, "How was 2026-02? ") {
		t.Errorf("%+v, %v", asked, err)
	}
}

// TestWriting: what is changed is looked at first, is in the history, and is taken back.
func TestWriting(t *testing.T) {
	t.Parallel()
	b := shop(t)
	c := connect(t, b, b.Who, true, true)
	text, failed := call(t, c, "add_transaction", `{"account":"giro","name":"Rewe","expense":12.5,"date":"2026-02-03","category":"food","tags":["Trip"]}`)
	if failed || !strings.Contains(text, `"amount":"-12.50"`) || !strings.Contains(text, `"category":"Food"`) {
		t.Fatal(text)
	}
	if text, failed := call(t, c, "add_transaction", `{"account":"giro","name":"Pay","income":"3"}`); failed || !strings.Contains(text, `"date":"2026-03-01"`) {
		t.Error(text)
	}
	text, failed = call(t, c, "edit_transactions", `{"where":"bakery no:category","category":"Food","add_tags":["trip"]}`)
	if failed || !strings.Contains(text, `"dry_run":true,"matched":1`) || !strings.Contains(text, `"after":"Food"`) || !strings.Contains(text, `"changed":1`) {
		t.Fatal(text)
	}
	if text, failed := call(t, c, "edit_transactions", `{"where":"bakery","category":"Food","dry_run":false,"expected_count":2}`); !failed || !strings.Contains(text, "1 transactions are selected by now, and not 2") {
		t.Error(text)
	}
	text, failed = call(t, c, "edit_transactions", `{"where":"bakery","category":"Food","add_tags":["trip"],"dry_run":false,"expected_count":1}`)
	var said struct {
		Changed  int
		ChangeID uuid.UUID `json:"change_id"`
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil || failed || said.Changed != 1 {
		t.Fatal(text, err)
	}
	count := func() int64 {
		_, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{Narrowing: entry.Narrowing{HasCategory: new(true)}}, ledgertest.WholePage)
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	if n := count(); n != 2 {
		t.Errorf("%d have a category", n)
	}
	if text, failed := call(t, c, "undo_change", `{"change_id":"`+said.ChangeID.String()+`"}`); failed || count() != 1 {
		t.Error(text)
	}
	if text, failed := call(t, c, "undo_change", `{"change_id":"`+said.ChangeID.String()+`"}`); !failed || !strings.Contains(text, "taken back already") {
		t.Error(text)
	}
	for arguments, want := range map[string]string{
		`{"category":"Food"}`:                             "where or ids is required",
		`{"where":"cat:drinks","name":"x"}`:               "names no category",
		`{"where":" ","name":"x"}`:                        "must narrow",
		`{"where":"bakery"}`:                              "must have a field to change",
		`{"where":"bakery","account":"Giro","name":"x"}`:  `\"account\" is no argument`,
		`{"where":"bakery","category":"Drinks"}`:          `Category \"Drinks\" not found; nearest: Food`,
		`{"where":"bakery","expense":"1","income":"1"}`:   "income must not be given together with expense",
		`{"where":"bakery","expense":-3}`:                 "expense must be more than 0, got -3",
		`{"where":"bakery","colour":"red"}`:               `\"colour\" is no argument; the arguments are where, ids,`,
		`{"where":3,"category":["Food"]}`:                 `where must be a text, got 3; category must be a text, got [\"Food\"]`,
		`{"where":"bakery","expense":[]}`:                 `expense must be an amount as a text, such as \"12.50\", got []`,
		`{"where":"bakery","tags":"Trip"}`:                `tags must be a list of texts, got \"Trip\"`,
		`{"where":"bakery","dry_run":"no"}`:               "dry_run must be true or false",
		`[]`:                                              "arguments must be a JSON object, got []",
		`{"where":"bakery","name":"x","dry_run":false}`:   "expected_count is required with dry_run false",
		`{"ids":["bakery"],"name":"x"}`:                   "ids must be a list of ids (UUIDs)",
		`{"ids":["` + uuid.NewString() + `"],"name":"x"}`: "not found",
		`{"where":"bakery","date":"soon"}`:                "date must be a calendar date",
		`{"where":"bakery","add_tags":["fun"]}`:           `Tag \"fun\" not found`,
	} {
		if text, failed := call(t, c, "edit_transactions", arguments); !failed || !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %s", arguments, text, want)
		}
	}
}

// TestImporting: a file is shown first, and imported only as it was shown.
func TestImporting(t *testing.T) {
	t.Parallel()
	b := shop(t)
	noon := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) } // two goroutines ask
	l := books.New(b.DB, noon)
	im := importer.New(importer.Options{DB: b.DB, Ledger: l, Logger: slog.New(slog.DiscardHandler), Now: noon})
	var worker sync.WaitGroup
	worker.Go(func() { _ = im.Run(t.Context()) })
	t.Cleanup(worker.Wait)
	c := connectTo(t, mcp.New(mcp.Options{Ledger: l, Importer: im, Version: "1", Write: true}).Server(b.Who, true))
	const content = `"content":"Date,Payee,Amount\n2026-02-20,Kiosk,-3.20\n2026-02-21,Rewe,-41.00\n"`
	var shown struct {
		Plan  string
		Would int `json:"would_be_booked"`
	}
	text, failed := call(t, c, "import_transactions", `{`+content+`,"account":"giro"}`)
	if err := json.Unmarshal([]byte(text), &shown); err != nil || failed || shown.Would != 2 || !strings.Contains(text, `"out":"-44.20"`) {
		t.Fatal(text, err)
	}
	for arguments, want := range map[string]string{
		`{"account":"giro"}`:                 "content is required",
		`{"content":5}`:                      "content must be a text, got 5",
		`{` + content + `,"account":"gyro"}`: `Account \"gyro\" not found; nearest: Giro`,
		`{` + content + `,"account":"giro","settings":{"colour":"x"}}`:                    `settings has no member \"colour\"`,
		`{` + content + `,"account":"giro","dry_run":false}`:                              "plan is required",
		`{` + content + `,"account":"giro","dry_run":false,"plan":"` + shown.Plan + `x"}`: "something else by now",
		`{"content":"Date,Payee,Amount\nsoon,Kiosk,x\n","account":"giro"}`:                `"error":`,
	} {
		if text, _ := call(t, c, "import_transactions", arguments); !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %s", arguments, text, want)
		}
	}
	if found, _ := call(t, c, "get_transactions", "{}"); !strings.Contains(found, `"total_results":2`) {
		t.Errorf("what was only shown is booked: %s", found)
	}
	var done struct {
		ImportID uuid.UUID `json:"import_id"`
	}
	text, failed = call(t, c, "import_transactions", `{`+content+`,"account":"giro","dry_run":false,"plan":"`+shown.Plan+`"}`)
	if err := json.Unmarshal([]byte(text), &done); err != nil || failed || !strings.Contains(text, `"booked":2`) || !strings.Contains(text, `"status":"complete"`) {
		t.Fatal(text, err)
	}
	if text, failed := call(t, c, "get_import", `{"import_id":"`+done.ImportID.String()+`"}`); failed || !strings.Contains(text, `"booked":2`) {
		t.Error(text)
	}
	if text, failed := call(t, c, "import_transactions", `{`+content+`,"account":"giro"}`); failed || !strings.Contains(text, `"already_there":2`) {
		t.Errorf("once more: %s", text)
	}
}

// TestProgress: a program that wants to know is told how far an import is, beginning with nothing done.
func TestProgress(t *testing.T) {
	t.Parallel()
	b := shop(t)
	noon := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	l := books.New(b.DB, noon)
	im := importer.New(importer.Options{DB: b.DB, Ledger: l, Logger: slog.New(slog.DiscardHandler), Now: noon})
	told := make(chan sdk.ProgressNotificationParams, 100)
	c := connectAs(t, mcp.New(mcp.Options{Ledger: l, Importer: im, Version: "1", Write: true}).Server(b.Who, true), &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- *r.Params }})
	var shown struct{ Plan string }
	const file = `"content":"Date,Payee,Amount\n2026-02-20,Kiosk,-3.20\n2026-02-21,Rewe,-41.00\n","account":"giro"`
	text, _ := call(t, c, "import_transactions", `{`+file+`}`)
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		t.Fatal(text, err)
	}
	var worker sync.WaitGroup
	t.Cleanup(worker.Wait)
	answer := make(chan *sdk.CallToolResult, 1)
	worker.Go(func() {
		params := &sdk.CallToolParams{Name: "import_transactions", Arguments: json.RawMessage(`{` + file + `,"dry_run":false,"plan":"` + shown.Plan + `"}`)}
		params.SetProgressToken("token")
		found, err := c.CallTool(t.Context(), params)
		if err != nil {
			t.Error(err)
		}
		answer <- found
	})
	first := <-told // nobody works on it yet
	if first.ProgressToken != "token" || first.Progress != 0 || first.Message != "rows" {
		t.Errorf("%+v", first)
	}
	worker.Go(func() { _ = im.Run(t.Context()) })
	if found := <-answer; found == nil || !strings.Contains(found.Content[0].(*sdk.TextContent).Text, `"booked":2`) {
		t.Errorf("%+v", found)
	}
}
