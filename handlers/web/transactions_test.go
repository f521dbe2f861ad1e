package web_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger/ledgertest"
)

func TestMain(m *testing.M) { os.Exit(ledgertest.Main(m)) }

// TestTransactionsByHand: a transaction is typed in, changed, split, made whole and deleted, and each of these is taken
// back by the line that says that it was done.
func TestTransactionsByHand(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	food := h.Category(h.Who, "Food")
	rent := h.Category(h.Who, "Rent")
	h.Merchant(h.Who, "Corner <b>Shop</b>")
	h.Tag(h.Who, "trip")
	h.Tag(h.Who, "food stall")
	page := h.done(t, "/transactions", "account_id="+giro.String(), "date=2026-02-27", "way=out", "amount=1,234.50", "name=Market",
		"category_id="+food.String(), "merchant=Corner <b>Shop</b>", "tags=trip, food stall", "notes=")
	page.shows(t, "added 1 transaction", "Undo", "Fri Feb 27, 2026", "Market food stall trip Food Giro −€1,234.50")
	if strings.Contains(page.text, "<b>Shop") {
		t.Error("a merchant's name is taken for HTML")
	}
	id := regexp.MustCompile(`/transactions/([0-9a-f-]{36})`).FindStringSubmatch(page.text)[1]
	edited := h.done(t, "/transactions/"+id, "date=2026-02-28", "way=in", "amount=20", "name=Refund", "category_id=", "merchant=", "tags=", "notes=x")
	edited.shows(t, "Sat Feb 28, 2026", "Refund Giro +€20.00")
	back := h.undo(t, edited)
	back.shows(t, "Market food stall trip Food Giro −€1,234.50")

	split := h.done(t, "/transactions/"+id+"/split", "part_amount=1,000", "part_category="+rent.String(), "part_name=", "part_id=",
		"part_amount=234.50", "part_category="+food.String(), "part_name=Cheese", "part_id=", "part_amount=", "part_category=", "part_name=", "part_id=")
	split.shows(t, "It is split into 2 parts")
	h.get(t, "/transactions").shows(t, "Rent Giro −€1,000.00", "Cheese", "Food Giro −€234.50", "2 transactions")
	wrong := h.post(t, "/transactions/"+id+"/split", "part_amount=1,000", "part_category=", "part_name=", "part_id=")
	if wrong.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("parts that do not add up: %s", wrong.Status)
	}
	h.undo(t, split).shows(t, "changed 1 transaction")

	gone := h.done(t, "/transactions/"+id+"/delete")
	gone.shows(t, "There are no transactions yet")
	h.undo(t, gone).shows(t, "Market food stall trip Food Giro −€1,234.50")
}

// undo takes back what a page says was done.
func (h *house) undo(t *testing.T, page answer) answer {
	t.Helper()
	match := regexp.MustCompile(`action="(/changes/[0-9a-f-]{36}/undo)"><input type="hidden" name="back" value="([^"]*)"`).FindStringSubmatch(page.text)
	if match == nil {
		t.Fatalf("nothing can be taken back on %s", page.words())
	}
	return h.done(t, match[1], "back="+strings.ReplaceAll(match[2], "&amp;", "&"))
}

// TestWrongForms: what is wrong with a form is said beside it with what was typed, and nothing is changed.
func TestWrongForms(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	for name, tt := range map[string]struct {
		fields []string
		says   string
	}{
		"amount":            {[]string{"amount=12,3,4"}, "amount must be a number such as 1,234.56, got \"12,3,4\""},
		"too many decimals": {[]string{"amount=1.234.5"}, "amount must be a number"},
		"no amount":         {[]string{"amount="}, "amount is required"},
		"date":              {[]string{"date=2026-02-30"}, "date must be a calendar date"},
		"no name":           {[]string{"name="}, "name is required"},
		"account":           {[]string{"account_id=" + uuid.NewString()}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			form := map[string]string{"account_id": giro.String(), "date": "2026-02-27", "way": "out", "amount": "5", "name": "Typed", "merchant": "New one"}
			for _, f := range tt.fields {
				key, value, _ := strings.Cut(f, "=")
				form[key] = value
			}
			var fields []string
			for key, value := range form {
				fields = append(fields, key+"="+value)
			}
			a := h.post(t, "/transactions", fields...)
			if a.StatusCode != http.StatusUnprocessableEntity && (tt.says != "" || a.StatusCode != http.StatusNotFound) {
				t.Errorf("got %s", a.Status)
			}
			if !strings.Contains(a.words(), tt.says) {
				t.Errorf("does not say %q:\n%s", tt.says, a.words())
			}
		})
	}
	h.get(t, "/transactions").shows(t, "There are no transactions yet")
	if merchants, err := h.Labels.ListMerchants(t.Context(), h.Who); err != nil || len(merchants) > 1 {
		t.Errorf("merchants are made for forms that are wrong: %v, error %v", merchants, err)
	}
}

// TestChangeMany: what is ticked is changed together, all that a search finds when it is as many as was said, and both are
// taken back.
func TestChangeMany(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	food := h.Category(h.Who, "Food")
	h.Tag(h.Who, "ticked")
	var ids []string
	for _, name := range []string{"One", "Two", "Three"} {
		ids = append(ids, uuid.UUID(h.Create(ledgertest.Entry(giro, "2026-02-01", "4.80", name)).PublicID).String())
	}
	ticked := h.done(t, "/transactions/bulk", "id="+ids[0], "id="+ids[1], "category_id="+food.String(), "add_tags=ticked", "back=/transactions")
	ticked.shows(t, "changed 2 transactions", "One ticked Food", "Two ticked Food", "Three Giro")
	h.undo(t, ticked).shows(t, "One Giro", "Two Giro")
	all := h.done(t, "/transactions/bulk", "all=true", "q=@giro", "expected=3", "notes=seen", "back=/transactions?q=@giro")
	all.shows(t, "changed 3 transactions", "3 transactions, €0.00 in, €14.40 out")
	if a := h.post(t, "/transactions/bulk", "all=true", "q=@giro", "expected=2", "notes=other"); a.StatusCode != http.StatusConflict {
		t.Errorf("another number than was seen: %s", a.Status)
	}
	if a := h.post(t, "/transactions/bulk", "notes=other"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("nothing ticked: %s", a.Status)
	}
}

// TestSearchPage: words become chips that can be taken away; one that is not understood is said, and then nothing is
// listed.
func TestSearchPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	h.Create(ledgertest.Entry(giro, "2026-02-01", "4.80", "Bakery"))
	h.Create(ledgertest.Entry(giro, "2026-02-01", "640", "Rent"))
	h.get(t, "/transactions?q=%3E50+%40giro").shows(t, "amount", "Giro", "Rent", "1 transaction, €0.00 in, €640.00 out")
	page := h.get(t, "/transactions?q=%40nowhere")
	page.shows(t, "@nowhere")
	if strings.Contains(page.text, "Bakery") {
		t.Error("a word that is not understood is dropped")
	}
}

// TestHiddenAmounts: with amounts hidden no digit of one is anywhere in a page.
func TestHiddenAmounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	id := uuid.UUID(h.Create(ledgertest.Entry(giro, "2026-02-01", "7654.32", "Bakery")).PublicID).String()
	if page := h.get(t, "/transactions"); !strings.Contains(page.text, "7,654.32") {
		t.Fatal("the amount is not shown")
	}
	hidden := h.done(t, "/hide", "hide=true", "back=/transactions")
	hidden.shows(t, "Bakery", "•••")
	for _, path := range []string{"/", "/transactions", "/transactions/" + id, "/accounts", "/transactions?q=bakery"} {
		page := h.get(t, path)
		if strings.Contains(page.text, "654") {
			t.Errorf("%s shows the amount", path)
		}
	}
	// A form that did not show the amount leaves it as it is.
	h.done(t, "/transactions/"+id, "date=2026-02-01", "way=out", "amount=", "name=Baker", "notes=")
	h.done(t, "/hide", "hide=false", "back=/transactions").shows(t, "Baker Giro −€7,654.32")
}

// TestSort: all of a name get a category at once, and a rule for what comes; the next name follows.
func TestSort(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	giro := h.Account(h.Who, "Giro", "EUR")
	food := h.Category(h.Who, "Food")
	for _, name := range []string{"Bakery", "bakery", "Rent"} {
		h.Create(ledgertest.Entry(giro, "2026-02-01", "4.80", name))
	}
	page := h.get(t, "/sort")
	page.shows(t, "2 transactions without a category; 1 name after this one", "bakery −€9.60", "1 Food")
	next := h.done(t, "/sort", "name=bakery", "currency=EUR", "skip=0", "category_id="+food.String(), "rule=true")
	next.shows(t, "changed 2 transactions", "added 1 rule", "Rent −€4.80")
	h.Create(ledgertest.Entry(giro, "2026-02-02", "3", "bakery"))
	h.get(t, "/transactions?q=cat:food").shows(t, "3 transactions, €0.00 in, €12.60 out")
	h.get(t, "/sort?skip=1").shows(t, "Nothing else is without a category")
	if a := h.post(t, "/sort", "name=Rent", "currency=EUR", "skip=0", "category_id="); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("no category: %s", a.Status)
	}
	if a := h.post(t, "/sort", "name=bakery", "currency=EUR", "category_id="+food.String()); a.StatusCode != http.StatusConflict {
		t.Errorf("what was sorted already: %s", a.Status)
	}
}

// TestTypingHelp: a search goes on to names of the household, and a name that was booked before brings what it had.
func TestTypingHelp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	small(h, t)
	h.get(t, "/transactions/words?q=%3E50+cat%3Aho").shows(t, "cat:Home category")
	if words := h.get(t, "/transactions/words?q=%3E50+cat%3Aho").text; !strings.Contains(words, `data-text="&gt;50 cat:Home"`) {
		t.Error(words)
	}
	fresh := h.get(t, "/transactions/new?name=rent&amount=12&account=")
	for _, want := range []string{`value="Rent"`, `value="12"`, `<option value="Salary"></option>`} {
		if !strings.Contains(fresh.text, want) {
			t.Errorf("%s is not in the form of a name that was there before", want)
		}
	}
	if !regexp.MustCompile(`<option value="[0-9a-f-]{36}" selected>Home</option>`).MatchString(fresh.text) {
		t.Error("its category is not filled in")
	}
}
