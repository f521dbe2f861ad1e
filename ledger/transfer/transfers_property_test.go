package transfer_test

import (
	"fmt"
	"hash/fnv"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// matchBook is a household with a few accounts, in which equal amounts often come and go.
type matchBook struct {
	*ledgertest.Fixture
	accounts []catalog.Account
	rows     []entry.Transaction
	rejected []transfer.RejectedTransfer
}

func newMatchBook(tb testing.TB) *matchBook {
	m := &matchBook{Fixture: ledgertest.New(tb)}
	for _, name := range []string{"A", "B", "C"} {
		m.accounts = append(m.accounts, m.OpenWith(name, "depository", "EUR", "0"))
	}
	return m
}

// draw makes up a transaction. Few names are drawn, so that many are alike in all.
func (m *matchBook) draw(r *rapid.T, days int) entry.TransactionInput {
	day := ledger.NewDate(2026, 1, 1).AddDays(rapid.IntRange(0, days).Draw(r, "day"))
	in := ledgertest.Entry(uuid.UUID(rapid.SampledFrom(m.accounts).Draw(r, "account").PublicID), day.String(),
		rapid.SampledFrom([]string{"1", "-1", "2", "-2", "0"}).Draw(r, "amount"), fmt.Sprint("name ", rapid.IntRange(1, 12).Draw(r, "name")))
	in.Currency = ledger.Some(rapid.SampledFrom([]string{"EUR", "EUR", "EUR", "USD"}).Draw(r, "currency"))
	return in
}

// forget removes all that is there, for the next books.
func (m *matchBook) forget(r *rapid.T) {
	for _, row := range m.rows {
		m.Remove(row)
	}
	m.rows, m.rejected = nil, nil
	if left := m.Moved(); left != "" {
		r.Fatalf("%s are left", left)
	}
}

// TestTransfersFollowFromTheTransactions: after any sequence of creations, by ones and by dozens, changes and deletions,
// and of rejections and confirmations of people, the automatic transfers are those that a search through all pairs finds;
// so the order of writing never matters.
func TestTransfersFollowFromTheTransactions(t *testing.T) {
	t.Parallel()
	m := newMatchBook(t)
	rapid.Check(t, func(r *rapid.T) {
		days := rapid.SampledFrom([]int{0, 5, 12, 60}).Draw(r, "days")
		some := func(r *rapid.T, do func(at int)) {
			if len(m.rows) > 0 {
				do(rapid.IntRange(0, len(m.rows)-1).Draw(r, "row"))
			}
		}
		one := func(r *rapid.T, do func(transfer.Transfer)) {
			if list := m.pending(); len(list) > 0 {
				do(list[rapid.IntRange(0, len(list)-1).Draw(r, "transfer")])
			}
		}
		r.Repeat(map[string]func(*rapid.T){
			"create": func(r *rapid.T) { m.rows = append(m.rows, m.Create(m.draw(r, days))) },
			"create dozens": func(r *rapid.T) {
				if len(m.rows) > 60 {
					return
				}
				list := make([]entry.TransactionInput, rapid.IntRange(1, 60).Draw(r, "rows"))
				for i := range list {
					list[i] = m.draw(r, days)
				}
				made, err := m.Entries.CreateTransactions(m.Ctx(), m.Who, list)
				if err != nil {
					r.Fatal(err)
				}
				m.rows = append(m.rows, made...)
			},
			"change": func(r *rapid.T) {
				some(r, func(at int) { m.rows[at] = m.Update(uuid.UUID(m.rows[at].PublicID), m.draw(r, days)) })
			},
			"delete": func(r *rapid.T) {
				some(r, func(at int) {
					m.Remove(m.rows[at])
					m.rows = slices.Delete(m.rows, at, at+1)
				})
			},
			"reject": func(r *rapid.T) {
				one(r, func(t transfer.Transfer) { m.rejected = append(m.rejected, m.Reject(t)) })
			},
			"take back": func(r *rapid.T) {
				if len(m.rejected) > 0 {
					last := m.rejected[len(m.rejected)-1]
					m.rejected = m.rejected[:len(m.rejected)-1]
					if err := m.Transfers.DeleteRejectedTransfer(m.Ctx(), m.Who, uuid.UUID(last.PublicID)); err != nil && !ledger.IsKind(err, ledger.NotFound) {
						r.Fatal(err)
					}
				}
			},
			"confirm": func(r *rapid.T) {
				one(r, func(t transfer.Transfer) {
					if _, err := m.Transfers.UpdateTransfer(m.Ctx(), m.Who, uuid.UUID(t.PublicID), transfer.Input{Status: ledger.Some("confirmed")}); err != nil {
						r.Fatal(err)
					}
				})
			},
			"": func(r *rapid.T) {
				if got, want := m.matched(), m.search(); got != want {
					r.Fatalf("got %q, want %q", got, want)
				}
			},
		})
		m.forget(r)
	})
}

// TestBatchesOfOneAmountOverManyDays: where a batch falls among many of its amount, what is matched anew around it fits to
// what is not.
func TestBatchesOfOneAmountOverManyDays(t *testing.T) {
	t.Parallel()
	m := newMatchBook(t)
	rapid.Check(t, func(r *rapid.T) {
		for range 2 {
			from, days := rapid.IntRange(0, 100).Draw(r, "from"), rapid.IntRange(0, 150).Draw(r, "days")
			list := make([]entry.TransactionInput, rapid.IntRange(21, 70).Draw(r, "rows"))
			for i := range list {
				list[i] = m.draw(r, 0)
				list[i].Date = ledger.Some(ledger.NewDate(2026, 1, 1).AddDays(from + rapid.IntRange(0, days).Draw(r, "day")))
				list[i].Amount, list[i].Currency = ledgertest.AmountOf(rapid.SampledFrom([]string{"1", "-1"}).Draw(r, "amount")), ledger.Opt[string]{}
			}
			made, err := m.Entries.CreateTransactions(m.Ctx(), m.Who, list)
			if err != nil {
				r.Fatal(err)
			}
			m.rows = append(m.rows, made...)
			if got, want := m.matched(), m.search(); got != want {
				r.Fatalf("got %q, want %q", got, want)
			}
		}
		m.forget(r)
	})
}

// TestTransfersDoNotDependOnOrder writes the same transactions, no two alike, in two orders, one by one, in batches of
// any size and with others between that go again.
func TestTransfersDoNotDependOnOrder(t *testing.T) {
	t.Parallel()
	m := newMatchBook(t)
	rapid.Check(t, func(r *rapid.T) {
		days := rapid.SampledFrom([]int{0, 5, 12, 60}).Draw(r, "days")
		inputs := make([]entry.TransactionInput, rapid.IntRange(2, 40).Draw(r, "rows"))
		for i := range inputs {
			inputs[i] = m.draw(r, days)
			inputs[i].Name = ledger.Some(fmt.Sprint(i, " ", inputs[i].Name.Value))
		}
		var want string
		for range 2 {
			var others []entry.Transaction
			list := rapid.Permutation(inputs).Draw(r, "order")
			for len(list) > 0 {
				n := rapid.IntRange(1, len(list)).Draw(r, "batch")
				made, err := m.Entries.CreateTransactions(m.Ctx(), m.Who, list[:n])
				if err != nil {
					r.Fatal(err)
				}
				m.rows, list = append(m.rows, made...), list[n:]
				others = append(others, m.Create(m.draw(r, days)))
			}
			for _, other := range others {
				m.Remove(other)
			}
			got := m.Moved()
			if m.forget(r); want != "" && got != want {
				r.Fatalf("got %q, before %q", got, want)
			}
			want = got
		}
	})
}

func (m *matchBook) pending() []transfer.Transfer {
	return slices.DeleteFunc(m.ListedTransfers(), func(t transfer.Transfer) bool { return t.Status != transfer.TransferPending })
}

// matched shows the automatic transfers by the numbers of their sides among the rows.
func (m *matchBook) matched() string {
	at := map[queries.PublicID]int{}
	for i, row := range m.rows {
		at[row.PublicID] = i
	}
	var out []string
	for _, t := range m.pending() {
		out = append(out, fmt.Sprint(at[t.Outflow.PublicID], ">", at[t.Inflow.PublicID]))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// search finds them by a search through all pairs: nearest days first, then what arrives after it left, then the
// outflow's day and account, the inflow's account, and the names whose numbers are closest.
func (m *matchBook) search() string {
	type pair struct{ out, in int }
	rank := func(p pair) []*big.Int {
		out, in := m.rows[p.out], m.rows[p.in]
		days, early := in.Date-out.Date, int64(0)
		if days < 0 {
			days, early = -days, 1
		}
		apart := new(big.Int).Sub(placeOf(out), placeOf(in))
		return []*big.Int{big.NewInt(days), big.NewInt(early), big.NewInt(out.Date), big.NewInt(out.AccountID), big.NewInt(in.AccountID), apart.Abs(apart), placeOf(out), placeOf(in)}
	}
	used, rejected := map[int]bool{}, map[[2]queries.PublicID]bool{}
	for _, r := range m.rejected {
		rejected[[2]queries.PublicID{r.Outflow.PublicID, r.Inflow.PublicID}] = true
	}
	for _, t := range m.ListedTransfers() {
		for i, row := range m.rows {
			if t.Status == transfer.TransferConfirmed && (row.PublicID == t.Inflow.PublicID || row.PublicID == t.Outflow.PublicID) {
				used[i] = true
			}
		}
	}
	var pairs []pair
	ranks := map[pair][]*big.Int{}
	for i, out := range m.rows {
		for j, in := range m.rows {
			if out.Amount < 0 && in.Amount == -out.Amount && in.Currency == out.Currency && in.AccountID != out.AccountID && max(in.Date-out.Date, out.Date-in.Date) <= 4 &&
				!rejected[[2]queries.PublicID{out.PublicID, in.PublicID}] {
				pairs = append(pairs, pair{i, j})
				ranks[pair{i, j}] = rank(pair{i, j})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return slices.CompareFunc(ranks[a], ranks[b], (*big.Int).Cmp) })
	var out []string
	for _, p := range pairs {
		if !used[p.out] && !used[p.in] {
			used[p.out], used[p.in] = true, true
			out = append(out, fmt.Sprint(p.out, ">", p.in))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// placeOf is the number of a transaction's name, and after it one of its key.
func placeOf(t entry.Transaction) *big.Int {
	h := fnv.New64a()
	h.Write([]byte(t.Name))
	place := new(big.Int).SetUint64(mixed(h.Sum64()))
	return place.Add(place.Lsh(place, 64), new(big.Int).SetUint64(mixed(uint64(t.ID))))
}

// mixed is the last step of SplitMix64.
func mixed(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// TestForeignTransfersDoNotDependOnOrder writes the same transactions in two orders, one by one and in one batch.
func TestForeignTransfersDoNotDependOnOrder(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	accounts := []catalog.Account{b.OpenWith("A", "depository", "EUR", "0"), b.OpenWith("B", "depository", "USD", "0"), b.OpenWith("C", "depository", "USD", "0")}
	b.Rate("EUR", "USD", "2026-01-01", "1.11")
	rapid.Check(t, func(r *rapid.T) {
		var inputs []entry.TransactionInput
		for n := range rapid.IntRange(2, 6).Draw(r, "rows") {
			inputs = append(inputs, ledgertest.Entry(uuid.UUID(rapid.SampledFrom(accounts).Draw(r, "account").PublicID), fmt.Sprintf("2026-01-%02d", rapid.IntRange(1, 8).Draw(r, "day")),
				rapid.SampledFrom([]string{"100", "-100", "101", "-101", "90", "-90"}).Draw(r, "amount"), fmt.Sprint(n)))
		}
		var rows []entry.Transaction
		for _, in := range inputs {
			rows = append(rows, b.Create(in))
		}
		oneByOne := b.Moved()
		for _, row := range rows {
			b.Remove(row)
		}
		batch, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, rapid.Permutation(inputs).Draw(r, "order"))
		if err != nil {
			r.Fatal(err)
		}
		if got := b.Moved(); got != oneByOne {
			r.Fatalf("got %q, one by one %q", got, oneByOne)
		}
		for _, row := range batch {
			b.Remove(row)
		}
	})
}
