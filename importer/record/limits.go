package record

import (
	"cmp"
	"fmt"
	"hash/maphash"

	"github.com/dustin/go-humanize"

	"finsvc/importer/text"
	"finsvc/ledger"
)

// FileLimits are how many things of a kind one file may list, or name in its rows. They are kept in memory while it is
// published and are in every list of the household afterwards. Transactions are not among them: those are as many as
// fit into a file.
func FileLimits() map[string]int {
	const labels, others = 10_000, 100_000
	return map[string]int{
		EntityAccount: labels, EntityCategory: labels, EntityTag: labels, EntityRule: labels, EntitySecurity: labels,
		EntitySplit:    labels,
		EntityMerchant: 25_000, // a shop that was visited once is one
		EntityTrade:    others, EntityValuation: others, EntityTransfer: others, EntityRejected: others,
		EntityPrice: 250_000, // ten years of a hundred securities
	}
}

// Counter counts what a file lists and names, and ends its reading where that is too much.
type Counter struct {
	limits map[string]int
	listed map[string]int
	named  map[string]map[uint64]bool // hashes of the names
	seed   maphash.Seed
	last   RowNames // of the row before
}

// Count counts a row.
func (c *Counter) Count(row *Record) error {
	if c.limits == nil {
		c.limits, c.listed, c.named, c.seed = FileLimits(), map[string]int{}, map[string]map[uint64]bool{},
			maphash.MakeSeed()
	}
	if row.Entity() != "" && row.Planned() {
		c.listed[row.Entity()]++
		if limit := c.limits[row.Entity()]; limit > 0 && c.listed[row.Entity()] > limit {
			return TooMany(row.Line, "lists", row.Entity(), limit)
		}
	}
	if row.Entity() != "" && row.Entity() != EntityTrade {
		return nil
	}
	if names := (RowNames{row.Account, row.AccountRef, row.Category, row.Merchant}); names != c.last {
		c.last = names
		err := cmp.Or(c.name(row.Line, EntityAccount, names.Ref+names.Account),
			c.name(row.Line, EntityCategory, names.Category),
			c.name(row.Line, EntityMerchant, names.Merchant))
		if err != nil {
			return err
		}
	}
	if err := c.tags(row.Line, row.Tags); err != nil {
		return err
	}
	for i := range row.Lines {
		part := &row.Lines[i]
		err := cmp.Or(c.name(row.Line, EntityCategory, part.Category), c.name(row.Line, EntityMerchant, part.Merchant),
			c.tags(row.Line, part.Tags))
		if err != nil {
			return err
		}
	}
	if row.Trade() == nil {
		return nil
	}
	return c.name(row.Line, EntitySecurity, row.Trade().Ticker+"|"+row.Trade().MIC+"|"+row.Trade().ISIN)
}

func (c *Counter) tags(line int, names []string) error {
	for _, name := range names {
		if err := c.name(line, EntityTag, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Counter) name(line int, entity, name string) error {
	if name == "" {
		return nil
	}
	if c.named[entity] == nil {
		c.named[entity] = map[uint64]bool{}
	}
	c.named[entity][maphash.String(c.seed, ledger.Fold(name))] = true
	if limit := c.limits[entity]; len(c.named[entity]) > limit {
		return TooMany(line, "names", entity, limit)
	}
	return nil
}

// TooMany ends the reading of a file. What the rest of it holds is not counted, which would take as long as to read it.
func TooMany(line int, does, entity string, limit int) error {
	return &text.FileError{Message: fmt.Sprintf("%s more than %s, the most that one file may have: line %d has the next. Split the file, or leave out what is no %s",
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
	case EntitySplit:
		return "stock split"
	case EntityPrice:
		return "price"
	case EntityRejected:
		return "rejected transfer"
	}
	return entity
}
