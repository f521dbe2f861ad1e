package importer

import (
	"cmp"
	"fmt"
	"hash/maphash"

	"github.com/dustin/go-humanize"

	"finsvc/ledger"
)

// fileLimits are how many things of a kind one file may list, or name in its rows. They are kept in memory while it is
// published and are in every list of the household afterwards. Transactions are not among them: those are as many as fit
// into a file.
func fileLimits() map[string]int {
	const labels, others = 10_000, 100_000
	return map[string]int{
		entityAccount: labels, entityCategory: labels, entityTag: labels, entityRule: labels, entitySecurity: labels, entitySplit: labels,
		entityMerchant: 25_000, // a shop that was visited once is one
		entityTrade:    others, entityValuation: others, entityTransfer: others, entityRejected: others,
		entityPrice: 250_000, // ten years of a hundred securities
	}
}

// census counts what a file lists and names, and ends its reading where that is too much.
type census struct {
	limits map[string]int
	listed map[string]int
	named  map[string]map[uint64]bool // hashes of the names
	seed   maphash.Seed
	last   rowNames // of the row before
}

// take counts a row.
func (c *census) take(row *Row) error {
	if c.limits == nil {
		c.limits, c.listed, c.named, c.seed = fileLimits(), map[string]int{}, map[string]map[uint64]bool{}, maphash.MakeSeed()
	}
	if row.Entity() != "" && row.Planned() {
		c.listed[row.Entity()]++
		if limit := c.limits[row.Entity()]; limit > 0 && c.listed[row.Entity()] > limit {
			return tooMany(row.Line, "lists", row.Entity(), limit)
		}
	}
	if row.Entity() != "" && row.Entity() != entityTrade {
		return nil
	}
	if names := (rowNames{row.Account, row.AccountRef, row.Category, row.Merchant}); names != c.last {
		c.last = names
		err := cmp.Or(c.name(row.Line, entityAccount, names.ref+names.account), c.name(row.Line, entityCategory, names.category),
			c.name(row.Line, entityMerchant, names.merchant))
		if err != nil {
			return err
		}
	}
	if err := c.tags(row.Line, row.Tags); err != nil {
		return err
	}
	for i := range row.Lines {
		part := &row.Lines[i]
		err := cmp.Or(c.name(row.Line, entityCategory, part.Category), c.name(row.Line, entityMerchant, part.Merchant), c.tags(row.Line, part.Tags))
		if err != nil {
			return err
		}
	}
	if row.Trade() == nil {
		return nil
	}
	return c.name(row.Line, entitySecurity, row.Trade().Ticker+"|"+row.Trade().MIC+"|"+row.Trade().ISIN)
}

func (c *census) tags(line int, names []string) error {
	for _, name := range names {
		if err := c.name(line, entityTag, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *census) name(line int, entity, name string) error {
	if name == "" {
		return nil
	}
	if c.named[entity] == nil {
		c.named[entity] = map[uint64]bool{}
	}
	c.named[entity][maphash.String(c.seed, ledger.Fold(name))] = true
	if limit := c.limits[entity]; len(c.named[entity]) > limit {
		return tooMany(line, "names", entity, limit)
	}
	return nil
}

// tooMany ends the reading of a file. What the rest of it holds is not counted, which would take as long as to read it.
func tooMany(line int, does, entity string, limit int) error {
	return &FileError{Message: fmt.Sprintf("%s more than %s, the most that one file may have: line %d has the next. Split the file, or leave out what is no %s",
		does, countOf(entity, limit), line, entityWords(entity))}
}

func countOf(entity string, n int) string {
	words := entityWords(entity)
	if words[len(words)-1] == 'y' {
		words = words[:len(words)-1] + "ie"
	}
	return humanize.Comma(int64(n)) + " " + words + "s"
}

// entityWords is an entity as people call it.
func entityWords(entity string) string {
	switch entity {
	case entitySplit:
		return "stock split"
	case entityPrice:
		return "price"
	case entityRejected:
		return "rejected transfer"
	}
	return entity
}
