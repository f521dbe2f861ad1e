package scenario_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// hledger runs hledger on the journal.
func (p *proof) hledger(args ...string) []byte {
	p.Helper()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(p.Context(), "hledger", append([]string{"--file", p.journal}, args...)...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		text, _ := os.ReadFile(p.journal)
		p.Fatalf("hledger %v: %v: %s\n%s", args, err, &stderr, text[:min(len(text), 20_000)])
	}
	return stdout.Bytes()
}

var (
	accountLine = regexp.MustCompile(`(?m)^account (.+?)  ; id:(\S+)$`)
	rateLine    = regexp.MustCompile(`(?m)^P (\S+) ([A-Z]{3}) (\S+) ([A-Z]{3})$`)
)

// readJournal finds which account is which, and the exchange rates.
func (p *proof) readJournal() {
	p.Helper()
	text, err := os.ReadFile(p.journal)
	if err != nil {
		p.Fatal(err)
	}
	p.names, p.rates = map[string]string{}, map[string][]datedRate{}
	for _, m := range accountLine.FindAllSubmatch(text, -1) {
		p.names[string(m[2])] = string(m[1])
	}
	for _, m := range rateLine.FindAllSubmatch(text, -1) {
		pair := string(m[2]) + " " + string(m[4])
		p.rates[pair] = append(p.rates[pair], datedRate{p.day(string(m[1])), p.number(string(m[3]))})
	}
}

func (p *proof) day(text string) ledger.Date {
	p.Helper()
	day, err := ledger.ParseDate(text)
	if err != nil {
		p.Fatal(err)
	}
	return day
}

func (p *proof) number(text string) decimal.Decimal {
	p.Helper()
	n, err := decimal.NewFromString(text)
	if err != nil {
		p.Fatal(err)
	}
	return n
}

// readTable reads amounts such as "1.50 EUR, -3 AAPL", of accounts by months.
func (p *proof) readTable(text []byte) map[string]map[string]sums {
	p.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		p.Fatal(err)
	}
	for _, month := range rows[0][1:] {
		first := p.day(month + "-01").Time()
		p.months = append(p.months, ledger.NewDate(first.Year(), first.Month()+1, 0))
	}
	table := map[string]map[string]sums{}
	for _, row := range rows[1:] {
		table[row[0]] = map[string]sums{}
		for i, cell := range row[1:] {
			table[row[0]][rows[0][i+1]] = p.cell(cell)
		}
	}
	return table
}

func (p *proof) cell(text string) sums {
	p.Helper()
	out := sums{}
	for part := range strings.SplitSeq(text, ", ") {
		number, commodity, _ := strings.Cut(part, " ")
		if n := p.number(number); !n.IsZero() {
			out[strings.Trim(commodity, `"`)] = n
		}
	}
	return out
}

// readValues reads the same from JSON, which is not rounded for people.
func (p *proof) readValues(text []byte) map[string]map[string]sums {
	p.Helper()
	var report struct {
		Rows []struct {
			Name    string `json:"prrName"`
			Amounts [][]struct {
				Commodity string `json:"acommodity"`
				Quantity  struct {
					Mantissa json.Number `json:"decimalMantissa"`
					Places   int32       `json:"decimalPlaces"`
				} `json:"aquantity"`
			} `json:"prrAmounts"`
		} `json:"prRows"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		p.Fatalf("%v: %.500s", err, text)
	}
	table := map[string]map[string]sums{}
	for _, row := range report.Rows {
		table[row.Name] = map[string]sums{}
		for i, amounts := range row.Amounts {
			out := sums{}
			for _, a := range amounts {
				out[a.Commodity] = p.number(a.Quantity.Mantissa.String()).Shift(-a.Quantity.Places)
			}
			table[row.Name][month(p.months[i])] = out
		}
	}
	return table
}

func month(day ledger.Date) string { return day.String()[:7] }
