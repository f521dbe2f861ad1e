package reconcile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/export"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// AccountCurrencies are those of the household's accounts by id, which journals do not say.
func AccountCurrencies(ctx context.Context, s *export.Snapshot) (map[string]money.Currency, error) {
	accounts, err := s.Accounts(ctx)
	currencies := map[string]money.Currency{}
	for _, a := range accounts {
		currencies[uuid.UUID(a.PublicID).String()], _ = money.LookupCurrency(a.Currency) // what is stored was looked up
	}
	return currencies, err
}

// journal reads a plain-text journal: what all forms have in common.
type journal struct {
	*Books
	currencies map[string]money.Currency // of accounts by id: a journal does not say them
	ids        map[string]string         // of accounts by name
	day        ledger.Date
	touched    []*dayTotals // by the present entry
}

func newJournal(currencies map[string]money.Currency) *journal {
	return &journal{Books: newBooks(), currencies: currencies, ids: map[string]string{}}
}

// named notes which account a name means.
func (j *journal) named(name, id string) error {
	currency, known := j.currencies[id]
	if !known {
		return fmt.Errorf("the text has an account %s with the id %s, which the books have not", ledger.Quote(name), id)
	}
	j.ids[name] = id
	j.open(id, currency, decimal.New(1, 0))
	return nil
}

// begin begins an entry.
func (j *journal) begin(day string) (err error) {
	j.day, err = ledger.ParseDate(day)
	if day == (ledger.MinDate - 1).String() {
		j.day, err = ledger.MinDate-1, nil // of an opening balance before an entry on the first day that there is
	}
	j.touched = j.touched[:0]
	return err
}

// post books a posting; unconverted is how the form names the account of what has no rate, valuations that against
// which sums are stated. The other accounts are counterparts, which balances do not need.
func (j *journal) post(name, number, commodity, unconverted, valuations string) error {
	if name == valuations {
		for _, d := range j.touched {
			d.states = true
		}
		return nil
	}
	if id, own := j.ids[name]; own {
		a := j.accounts[id]
		j.touched = append(j.touched, a.on(j.day))
		if commodity != a.currency.Code {
			return fmt.Errorf("the text books %s into %s, an account in %s", ledger.Quote(commodity),
				ledger.Quote(name), a.currency.Code)
		}
		return a.book(j.day, number, commodity)
	}
	parent, child := name, ""
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		parent, child = name[:at], name[at+1:]
	}
	id, below := j.ids[parent]
	if !below {
		return nil
	}
	return j.postBelow(j.accounts[id], child == unconverted, number, commodity)
}

func (j *journal) postBelow(a *account, unconverted bool, number, commodity string) error {
	if unconverted {
		_, minor, err := readAmount(number, commodity)
		a.on(j.day).bare.add(commodity, minor)
		return err
	}
	units, err := decimal.NewFromString(number)
	a.trade(j.day, commodity, units)
	return err
}

// rateOrPrice notes a price of a commodity, which may be a currency.
func (j *journal) rateOrPrice(day, commodity, price, currency string) error {
	date, err := ledger.ParseDate(day)
	if err != nil {
		return err
	}
	if _, money := money.LookupCurrency(commodity); !money {
		return j.quote(commodity, date, price, currency)
	}
	rate, err := decimal.NewFromString(price)
	j.rates.add(fx.ExchangeRate{From: commodity, To: currency, Date: date, Rate: rate})
	return err
}

// eachLine gives the lines of a text without their ends. The error names the line that it is about.
func eachLine(r io.Reader, give func(line string) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		line, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line != "" {
			if wrong := give(strings.TrimRight(line, "\r\n")); wrong != nil {
				return fmt.Errorf("line %d: %w", number, wrong)
			}
		}
		if err != nil {
			return nil // the end of the text
		}
	}
}

// ReadHledger adds up a journal for hledger.
func ReadHledger(r io.Reader, currencies map[string]money.Currency) (*Books, error) {
	j := newJournal(currencies)
	return j.Books, eachLine(r, func(line string) error {
		switch {
		case strings.HasPrefix(line, "account "):
			if name, id, own := strings.Cut(line[len("account "):], "  ; id:"); own {
				return j.named(name, id)
			}
		case strings.HasPrefix(line, "P "):
			day, rest, _ := strings.Cut(line[len("P "):], " ")
			commodity, rest := cutCommodity(rest)
			price, currency, _ := strings.Cut(rest, " ")
			return j.rateOrPrice(day, commodity, price, currency)
		case strings.HasPrefix(line, "    ; "):
		case strings.HasPrefix(line, "    "):
			name, amount, _ := strings.Cut(line[4:], "  ")
			number, rest, _ := strings.Cut(amount, " ")
			commodity, _ := cutCommodity(rest)
			return j.post(name, number, commodity, "unconverted", "equity:valuations")
		case len(line) > 0 && '0' <= line[0] && line[0] <= '9':
			day, _, _ := strings.Cut(line, " ")
			return j.begin(day)
		}
		return nil
	})
}

// cutCommodity takes a commodity, perhaps in quotes, from the beginning of a text.
func cutCommodity(text string) (commodity, rest string) {
	if strings.HasPrefix(text, `"`) {
		commodity, rest, _ = strings.Cut(text[1:], `"`)
		return commodity, strings.TrimPrefix(rest, " ")
	}
	commodity, rest, _ = strings.Cut(text, " ")
	return commodity, rest
}

// ReadBeancount adds up a journal for Beancount.
func ReadBeancount(r io.Reader, currencies map[string]money.Currency) (*Books, error) {
	j, opened := newJournal(currencies), ""
	return j.Books, eachLine(r, func(line string) error {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, `  id: "`):
			return j.named(opened, strings.Trim(words[1], `"`))
		case strings.HasPrefix(line, "  ") && len(words) >= 3 && 'A' <= line[2] && line[2] <= 'Z':
			return j.post(words[0], words[1], words[2], "Unconverted", "Equity:Valuations")
		case len(words) < 3 || words[0] != strings.Trim(line[:min(len(line), len("2006-01-02"))], " "):
		case words[1] == "open":
			opened = words[2]
		case words[1] == "*":
			return j.begin(words[0])
		case words[1] == "price" && len(words) == 5:
			return j.rateOrPrice(words[0], words[2], words[3], words[4])
		}
		return nil
	})
}
