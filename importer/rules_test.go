package importer_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/rule"
	"finsvc/ledger/transfer"
)

const ruleHeader = "name,resource_type*,active,effective_date,conditions*,actions*\n"

// quotedCell is a text as a cell, written by the rules.
func quotedCell(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

const (
	likeBread = `[{"condition_type":"transaction_name","operator":"like","value":"bread"}]`
	setFood   = `[{"action_type":"set_transaction_category","value":"Food"}]`
)

// rules are all rules of the household, a line each, ids as the names they stand for.
func (k *fixture) rules() string {
	k.tb.Helper()
	list, _, err := k.ledger.Rules.ListRules(k.tb.Context(), k.who, rule.Filter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	var out []string
	for _, r := range list {
		name, from := "-", "-"
		if r.Name != nil {
			name = *r.Name
		}
		if r.EffectiveDate != nil {
			from = ledger.Date(*r.EffectiveDate).String()
		}
		out = append(out, fmt.Sprintf("%s %d %s %s %s", name, r.Active, from, r.Rule.Conditions, r.Rule.Actions))
	}
	return k.named(strings.Join(out, "\n"))
}

// named puts names in the place of ids.
func (k *fixture) named(text string) string {
	k.tb.Helper()
	for _, table := range []string{"accounts", "categories", "merchants", "tags"} {
		for _, row := range k.pairs("SELECT name, lower(hex(public_id)) FROM " + table) {
			id, err := uuid.Parse(row[1])
			if err != nil {
				k.tb.Fatal(err)
			}
			text = strings.ReplaceAll(text, id.String(), row[0])
		}
	}
	return text
}

func TestRuleImport(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	compound := `[{"condition_type":"compound","operator":"or","sub_conditions":[{"condition_type":"transaction_tag","operator":"=","value":"trip"},` +
		`{"condition_type":"transaction_account","operator":"=","value":"checking"}]},{"condition_type":"transaction_amount","operator":">","value":12.5}]`
	actions := `[{"action_type":"set_transaction_merchant","value":"Kiosk"},{"action_type":"set_transaction_tags","value":"fun"},{"action_type":"set_as_transfer_or_payment","value":"Checking"}]`
	file := ruleHeader +
		"Bread,transaction,yes,2026-01-31," + quotedCell(likeBread) + "," + quotedCell(setFood) + "\n" +
		",Transaction,no,2026-01-31T10:00:00Z," + quotedCell(compound) + "," + quotedCell(actions) + "\n"
	out := k.preflight(file, importer.Request{Type: recordpkg.RuleImport})
	if got, want := creates(out.Creates), "category Food; rule Bread; tag trip; merchant Kiosk; tag fun; rule"; got != want || out.Obstacle != "" {
		t.Errorf("preflight: %s, %q", got, out.Obstacle)
	}
	if got := k.rules(); got != "" {
		t.Errorf("the preflight made %s", got)
	}
	if got := k.published(recordpkg.RuleImport, file, false); got != "complete 2 2 0 imported imported" {
		t.Error(got)
	}
	want := `Bread 1 2026-01-31 ` + likeBread + ` ` + setFood + "\n" +
		`- 0 2026-01-31 [{"condition_type":"compound","operator":"or","sub_conditions":[{"condition_type":"transaction_tag","operator":"=","value":"trip"},` +
		`{"condition_type":"transaction_account","operator":"=","value":"Checking"}]},{"condition_type":"transaction_amount","operator":"\u003e","value":"12.5"}] ` + actions
	if diff := cmp.Diff(want, k.rules()); diff != "" {
		t.Error(diff)
	}
	if got := k.published(recordpkg.RuleImport, file, false); got != "complete 2 2 0 imported imported" {
		t.Error(got)
	}
	if got := strings.Count(k.rules(), "\n") + 1; got != 3 {
		t.Errorf("%d rules; the named one should be replaced, the nameless one be new", got)
	}
}

// TestRulesAreReverted: rules that were made go, those that were replaced are as before, those that were changed
// since stay.
func TestRulesAreReverted(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	const row = "%s,transaction,%s,," + "\"[]\"" + ",%s\n"
	old := k.send(ruleHeader+fmt.Sprintf(row, "Old", "yes", quotedCell(setFood)),
		importer.Request{Type: recordpkg.RuleImport, Publish: true})
	k.work()
	before := k.rules()
	fun := quotedCell(strings.ReplaceAll(setFood, "Food", "Fun"))
	imp := k.send(ruleHeader+fmt.Sprintf(row, "Old", "no", fun)+fmt.Sprintf(row, "Old", "yes", fun)+fmt.Sprintf(row,
		"New", "yes", fun), importer.Request{Type: recordpkg.RuleImport, Publish: true})
	k.work()
	if got := k.rules(); got != "Old 1 - [] "+strings.ReplaceAll(setFood, "Food",
		"Fun")+"\nNew 1 - [] "+strings.ReplaceAll(setFood, "Food", "Fun") {
		t.Errorf("published: %s", got)
	}
	if now := k.mustRevert(imp, false); now.Error != nil || k.rules() != before ||
		strings.Contains(k.categories(), "Fun") {
		t.Errorf("reverted: %v, %s\n%s", now.Error, k.rules(), k.categories())
	}
	list, _, err := k.ledger.Rules.ListRules(t.Context(), k.who, rule.Filter{}, ledger.Page{Number: 1, Size: 9})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if _, err := k.ledger.Rules.UpdateRule(t.Context(), k.who, uuid.UUID(list[0].PublicID),
		rule.Input{Active: ledger.Some(false)}); err != nil {
		t.Fatal(err)
	}
	now := k.mustRevert(old, false)
	if now.Error == nil || !strings.Contains(*now.Error, `rule "Old"`) ||
		!strings.Contains(*now.Error, `category "Food"`) || k.rules() == "" {
		t.Errorf("a rule that was changed is gone: %v %s", now.Error, k.rules())
	}
}

func TestBadRuleRows(t *testing.T) {
	t.Parallel()
	deep := `[{"condition_type":"compound","operator":"and","sub_conditions":[{"condition_type":"compound","operator":"and","sub_conditions":[]}]}]`
	for row, want := range map[string]string{
		"A,account,yes,,[]," + quotedCell(setFood):                                                                `1 resource_type* "account" must be transaction, got "account"`,
		"A,,yes,,[]," + quotedCell(setFood):                                                                       `1 resource_type* "" is required and must not be blank`,
		"A,transaction,yes,soon,[]," + quotedCell(setFood):                                                        `1 effective_date "soon" must be a date written as %Y-%m-%d, got "soon"`,
		"A,transaction,yes,2026-02-30,[]," + quotedCell(setFood):                                                  `1 effective_date "2026-02-30" must be a day that exists, got "2026-02-30"`,
		"A,transaction,yes,,," + quotedCell(setFood):                                                              `1 conditions* "" is required and must not be blank`,
		"A,transaction,yes,,{}," + quotedCell(setFood):                                                            `1 conditions* "{}" must be a JSON list such as [{...}], got "{}"`,
		"A,transaction,yes,,[1]," + quotedCell(setFood):                                                           `1 conditions* "[1]" must be a JSON list of objects: `,
		"A,transaction,yes,,[],[]":                                                                                `1 actions* "[]" must have at least one action`,
		"A,transaction,yes,,[],":                                                                                  `1 actions* "" is required and must not be blank`,
		"A,transaction,yes,,[]," + quotedCell(`[{"action_type":"autocategorise"}]`):                               `[0].action_type must be set_transaction_name`,
		"A,transaction,yes,,[]," + quotedCell(`[{"action_type":"set_transaction_name","value":["x"]}]`):           `value must be text, a number or null, got "[\"x\"]"`,
		"A,transaction,yes,,[]," + quotedCell(`[{"action_type":"set_transaction_name","value":""}]`):              `[0].value is required and must not be blank`,
		"A,transaction,yes,,[]," + quotedCell(`[{"action_type":"set_as_transfer_or_payment","value":"Nowhere"}]`): `[0].value must be the name or the id of an account of the household, got "Nowhere"`,
		"A,transaction,yes,," + quotedCell(deep) + "," + quotedCell(setFood):                                      `[0].sub_conditions[0].condition_type must not be compound`,
	} {
		k := newFixture(t)
		out := k.preflight(ruleHeader+row+"\n", importer.Request{Type: recordpkg.RuleImport})
		if got := issues(out.Issues); !strings.Contains(got, want) || len(out.Issues) != 1 {
			t.Errorf("%s:\n%s\nwant %s", row, got, want)
		}
	}
}

// TestRulesOfOtherPrograms: of what another program's rules can do and these cannot, the rest is imported; what is
// left out is named, and hinders nothing.
func TestRulesOfOtherPrograms(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	exclude := `[{"action_type":"exclude_transaction"},` + setFood[1:]
	details := `[{"condition_type":"compound","operator":"or","sub_conditions":[{"condition_type":"transaction_details","operator":"like","value":"x"}]}]`
	file := ruleHeader +
		"Half,transaction,yes,," + quotedCell(likeBread) + "," + quotedCell(exclude) + "\n" +
		"None,transaction,yes,,[]," + quotedCell(`[{"action_type":"auto_categorize"}]`) + "\n" +
		"Wider,transaction,yes,," + quotedCell(details) + "," + quotedCell(setFood) + "\n"
	imp := k.send(file, importer.Request{Type: recordpkg.RuleImport, Publish: true})
	k.work()
	_, rows, err := k.Results(t.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 9})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Half 1 - " + likeBread + " " + setFood; k.rules() != want {
		t.Errorf("the rules are %s, want %s", k.rules(), want)
	}
	if got := strings.Join(rows[0].Remarks, "|"); got != "action exclude_transaction is left out: every transaction counts" {
		t.Errorf("row 1 says %s", got)
	}
	for i, want := range map[int]string{
		1: "no action of the rule can be taken here: action auto_categorize is left out: rules ask no assistant",
		2: "the condition transaction_details cannot be asked here: no bank's own details are kept, and without it the rule would be for more transactions",
	} {
		if rows[i].Skipped != want || len(rows[i].Issues) != 0 {
			t.Errorf("row %d is left out because %q, want %q; %v", i+1, rows[i].Skipped, want, rows[i].Issues)
		}
	}
}

// TestOldRuleFiles: lists in quotes that were not doubled, or escaped too often.
func TestOldRuleFiles(t *testing.T) {
	t.Parallel()
	escaped := strings.ReplaceAll(likeBread, `"`, `\"`)
	twice := strings.ReplaceAll(strings.ReplaceAll(escaped, `\`, `\\`), `"`, `\"`)
	for name, row := range map[string]string{
		"not doubled":         `Bread,transaction,true,,"` + likeBread + `","` + setFood + `"`,
		"not doubled, a name": `"Bread",transaction,true,"","` + likeBread + `","` + setFood + `"`,
		"escaped":             "Bread,transaction,true,," + quotedCell(escaped) + "," + quotedCell(setFood),
		"escaped twice":       "Bread,transaction,true,," + quotedCell(twice) + "," + quotedCell(setFood),
		"a JSON text":         "Bread,transaction,true,," + quotedCell(`"`+escaped+`"`) + "," + quotedCell(setFood),
		"doubled twice": "Bread,transaction,true,," + quotedCell(strings.ReplaceAll(likeBread, `"`, `""`)) + "," +
			quotedCell(setFood),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			if got := k.published(recordpkg.RuleImport, ruleHeader+row+"\n", false); got != "complete 1 1 0 imported" {
				t.Error(got)
			}
			if got, want := k.rules(), "Bread 1 - "+likeBread+" "+setFood; got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

// TestImportByRules: rules change what a file brings, but not what it says itself, nor how its rows are known.
func TestImportByRules(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	plain := newFixture(t)
	plain.upload(threeRows, importer.Request{Publish: true})
	plain.work()
	tag := strings.ReplaceAll(setFood, "set_transaction_category", "set_transaction_tags")
	rename := `[{"action_type":"set_transaction_name","value":"Loaf"},{"action_type":"set_transaction_merchant","value":"Baker"}]`
	rules := ruleHeader + "Name,transaction,1,," + quotedCell(likeBread) + "," + quotedCell(rename) + "\n" +
		"Category,transaction,1,,[]," + quotedCell(strings.ReplaceAll(setFood, "Food", "Other")) + "\n" +
		"Tag,transaction,1,,[]," + quotedCell(tag) + "\n"
	if got := k.published(recordpkg.RuleImport, rules, false); got != "complete 3 3 0 imported imported imported" {
		t.Fatal(got)
	}
	imp := k.upload(threeRows, importer.Request{Publish: true})
	k.work()
	list, _ := k.transactions()
	var got []string
	for _, tx := range list {
		text := fmt.Sprintf("%s %s %s", tx.Name, tx.Category.Name, tx.Tags[0].Name)
		for _, r := range tx.AppliedRules {
			text += fmt.Sprintf(" %s:%s", r.Field, *r.Name)
		}
		got = append(got, text)
	}
	want := []string{"Salary Other Food category:Category tags:Tag", "Loaf Food fun merchant:Name name:Name",
		"Loaf Food fun merchant:Name name:Name"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	const known = "SELECT CAST(source_hash AS TEXT), CAST(occurrence AS TEXT) FROM transactions ORDER BY import_row"
	if diff := cmp.Diff(plain.pairs(known), k.pairs(known)); diff != "" {
		t.Errorf("rules have changed how rows are known: %s", diff)
	}
	for text, want := range map[string]int64{"loaf": 2, "baker": 2, "bread": 0} {
		_, found, err := k.ledger.Entries.ListTransactions(t.Context(), k.who, entry.TransactionFilter{Search: text},
			ledger.Page{Number: 1, Size: 9})
		if err != nil || found != want {
			t.Errorf("%s is found %d times, %v", text, found, err)
		}
	}
	if _, err := k.ledger.Entries.RunRules(t.Context(), k.who, ledger.Opt[uuid.UUID]{}, false); err != nil {
		t.Fatal(err)
	}
	if now := k.mustRevert(imp, false); now.Status != importer.StatusPending {
		t.Errorf("what only rules have touched is in the way of a revert: %s", now.Status)
	}
}

// TestTransfersOfImportsByRules: the other side is found when the rows can be seen.
func TestTransfersOfImportsByRules(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	rule := ruleHeader + "Move,transaction,1,," + quotedCell(strings.ReplaceAll(likeBread, "bread", "move")) + "," +
		quotedCell(`[{"action_type":"set_as_transfer_or_payment","value":"Savings"}]`) + "\n"
	savings, err := k.ledger.Accounts.CreateAccount(t.Context(), k.who,
		catalog.AccountInput{Name: ledger.Some("Savings"), AccountType: ledger.Some("depository")})
	if err != nil {
		t.Fatal(err)
	}
	if got := k.published(recordpkg.RuleImport, rule, false); got != "complete 1 1 0 imported" {
		t.Fatal(got)
	}
	k.send("date,amount,name\n2026-02-01,+100,In\n", importer.Request{AccountID: ledger.Some(uuid.UUID(savings.PublicID)), Publish: true})
	k.work()
	imp := k.upload("date,amount,name\n2026-02-02,-100,Move\n2026-02-02,-7,Move without other side\n",
		importer.Request{Publish: true})
	k.work()
	list, _, err := k.ledger.Transfers.ListTransfers(t.Context(), k.who, transfer.Filter{},
		ledger.Page{Number: 1, Size: 9})
	if err != nil || len(list) != 1 || list[0].Status != transfer.TransferConfirmed || list[0].Outflow.Name != "Move" {
		t.Errorf("transfers %+v, %v", list, err)
	}
	transactions, _ := k.transactions()
	applied := 0
	for _, tx := range transactions {
		applied += len(tx.AppliedRules)
	}
	if applied != 1 {
		t.Errorf("%d transactions are said to be a rule's", applied)
	}
	if now := k.mustRevert(imp, false); now.Status != importer.StatusPending {
		t.Errorf("a transfer that a rule has made is in the way of a revert: %s", now.Status)
	}
}

func FuzzRules(f *testing.F) {
	f.Add("Bread,transaction,true,,\"" + likeBread + `","` + setFood + `"`)
	f.Add("Bread,transaction,true,2026-01-31," + quotedCell(strings.ReplaceAll(likeBread, `"`, `\"`)) + "," +
		quotedCell(setFood))
	f.Add(`a,transaction,1,,"[","]","[","]","[]"`)
	f.Add(`,,,,"[]","[]"`)
	f.Fuzz(func(t *testing.T, line string) {
		rows, err := table.NewRows(source.Text(ruleHeader+line), recordpkg.Settings{},
			recordpkg.Defaults{Type: recordpkg.RuleImport})
		if err != nil {
			return
		}
		for row, err := rows.Next(); err == nil; row, err = rows.Next() {
			if !row.Planned() {
				continue
			}
			body, ok := row.Body.(*recordpkg.Rule)
			in := body.Input
			if !ok || len(in.Check()) > 0 || len(in.Actions.Value) == 0 {
				t.Fatalf("%q is in order, but is %+v", line, row.Body)
			}
			if _, err := json.Marshal(in.Conditions.Value); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// pairs are the rows of a query of two texts.
func (k *fixture) pairs(query string) (rows [][2]string) {
	k.tb.Helper()
	file, err := sql.Open("sqlite", "file:"+k.db.Path()+"?mode=ro")
	if err != nil {
		k.tb.Fatal(err)
	}
	defer file.Close()
	found, err := file.QueryContext(k.tb.Context(), query)
	if err != nil {
		k.tb.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var row [2]string
		if err := found.Scan(&row[0], &row[1]); err != nil {
			k.tb.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := found.Err(); err != nil {
		k.tb.Fatal(err)
	}
	return rows
}

// TestLongRuleLines: a line that could be cut in very many places is given up soon.
func TestLongRuleLines(t *testing.T) {
	t.Parallel()
	line := `a,transaction,1,,"[x"y` + strings.Repeat(`\\\"]","[`, 60_000) + `]"`
	rows, err := table.NewRows(source.Text(ruleHeader+line), recordpkg.Settings{},
		recordpkg.Defaults{Type: recordpkg.RuleImport})
	if err != nil {
		t.Fatal(err)
	}
	if row, err := rows.Next(); err == nil && row.Planned() {
		t.Errorf("planned %+v", row.Body)
	}
}
