package web

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
	"finsvc/ledger/search"
)

// rowsPerPage is how many transactions a page shows.
const rowsPerPage = 50

// transactionsView is the list of transactions that a search finds.
type transactionsView struct {
	Search string
	Chips  []chip
	Days   []transactionDay
	Total  int64
	Sums   []sumView // by currency; none of very many
	Pages  pager
	Back   string // this very list

	Categories []option // to choose from for those that are ticked
}

// chip is a word of the search that was understood, or was not, and the search without it.
type chip struct{ Text, Means, Problem, Without string }

// transactionDay is what happened on a day, newest first.
type transactionDay struct {
	Day  ledger.Date
	Rows []entry.Transaction
	Sums []sumView // of the rows that are here; by currency
}

// sumView is what came in and what went out, in minor units, both positive.
type sumView struct {
	In, Out  int64
	Currency string
}

// Net is what is left of it; of more than can be held it is the most there is.
func (s sumView) Net() int64 {
	net, fits := money.SubMinor(s.In, s.Out)
	if !fits {
		return math.MaxInt64
	}
	return net
}

// listTransactions answers GET /transactions: what the search q finds, a page at a time.
func listTransactions(v *visit) error {
	view := transactionsView{Search: strings.TrimSpace(v.FormValue("q"))}
	found, err := v.site.Ledger.Searches.Read(v.Context(), v.who(), view.Search)
	if err != nil {
		return err
	}
	view.Chips = chipsOf(view.Search, found.Words)
	if found.Err("q") != nil {
		return v.render("transactions", "Transactions", view) // the chips say why nothing is listed
	}
	page := v.page(rowsPerPage)
	entries := v.site.Ledger.Entries
	var list []entry.Transaction
	var sums []entry.CurrencySum
	var total int64
	if view.Search == "" {
		list, total, err = entries.ListTransactions(v.Context(), v.who(), found.Filter, page)
	} else {
		list, total, sums, err = entries.ListSummed(v.Context(), v.who(), found.Filter, page, false)
	}
	if err != nil {
		return err
	}
	view.Days, view.Total, view.Back = byDay(list), total, ownPath(v.URL.RequestURI(), "/transactions")
	view.Pages = pagerOf(v.URL, page, total)
	for _, s := range sums {
		in, fits := s.In.Minor()
		out, both := s.Out.Minor()
		if fits && both {
			view.Sums = append(view.Sums, sumView{in, out, s.Currency})
		}
	}
	if v.session.Writes() {
		view.Categories, err = v.options(names.Category)
	}
	if err != nil {
		return err
	}
	return v.render("transactions", "Transactions", view)
}

// page is the page of a list that the URL asks for.
func (v *visit) page(size int) ledger.Page {
	return ledger.Page{Number: max(1, int(number(v.URL.Query().Get("page")))), Size: size}
}

// number reads a whole number of a URL; 0 of what is none.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return n
}

// chipsOf gives the words of a search, each with what the search is without it.
func chipsOf(text string, words []search.Word) (chips []chip) {
	for _, w := range words {
		without := strings.TrimSpace(text[:w.Start]) + " " + strings.TrimSpace(text[w.End:])
		chips = append(chips, chip{w.Text, w.Means, w.Problem, strings.TrimSpace(without)})
	}
	return chips
}

// wordsView is how a search could go on.
type wordsView struct {
	Text  string
	Words []search.Completion
}

// completeSearch answers GET /transactions/words: how the search q could go on. It is a page of its own where nothing shows
// the words below the field.
func completeSearch(v *visit) (err error) {
	view := wordsView{Text: v.FormValue("q")}
	view.Words, err = v.site.Ledger.Searches.Complete(v.Context(), v.who(), view.Text)
	if err != nil {
		return err
	}
	return v.render("words", "Words of a search", view)
}

// byDay groups a page of transactions by day, with what each day comes to.
func byDay(list []entry.Transaction) (days []transactionDay) {
	for _, t := range list {
		day := ledger.Date(t.Date)
		if len(days) == 0 || days[len(days)-1].Day != day {
			days = append(days, transactionDay{Day: day})
		}
		of := &days[len(days)-1]
		of.Rows = append(of.Rows, t)
		if t.Transfer == nil {
			of.Sums = addTo(of.Sums, t.Amount, t.Currency)
		}
	}
	return days
}

// addTo adds an amount to the sum of its currency. What cannot be held is left at the most there is.
func addTo(sums []sumView, minor int64, currency string) []sumView {
	at := len(sums)
	for i := range sums {
		if sums[i].Currency == currency {
			at = i
		}
	}
	if at == len(sums) {
		sums = append(sums, sumView{Currency: currency})
	}
	if minor > 0 {
		sums[at].In, _ = money.AddMinor(sums[at].In, minor)
	} else {
		sums[at].Out, _ = money.SubMinor(sums[at].Out, minor)
	}
	return sums
}

// pager leads to the pages around one.
type pager struct {
	First, Last, Total int64  // rows that are here, counted from 1
	Newer, Older       string // queries; blank where there are no such
}

func pagerOf(at *url.URL, page ledger.Page, total int64) pager {
	p := pager{First: page.Offset() + 1, Last: min(page.Offset()+int64(page.Size), total), Total: total}
	query := func(n int) string {
		q := at.Query()
		q.Del(paramDone)
		q.Set("page", strconv.Itoa(n))
		return "?" + q.Encode()
	}
	if page.Number > 1 {
		p.Newer = query(page.Number - 1)
	}
	if p.Last < total {
		p.Older = query(page.Number + 1)
	}
	return p
}
