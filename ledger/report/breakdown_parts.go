package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/transfer"
)

// parts finds the parts that a group of bookings counts in.
type parts struct {
	by     string
	refs   *ledger.Refs
	sets   *tagSets
	byName map[int64]*BreakdownPart
	found  []*BreakdownPart
}

// of gives them, until it is asked again; they are one but for several tags.
func (p *parts) of(group int64) []*BreakdownPart {
	p.found = p.found[:0]
	if p.by != ByTag {
		p.found = append(p.found, p.one(group))
		return p.found
	}
	for _, tag := range p.sets.tags(group) {
		p.found = append(p.found, p.one(tag))
	}
	return p.found
}

func (p *parts) one(key int64) *BreakdownPart {
	part := p.byName[key]
	if part == nil {
		part = p.labelled(key)
		p.byName[key] = part
	}
	return part
}

func (p *parts) labelled(key int64) *BreakdownPart {
	switch p.by {
	case ByCategory:
		return &BreakdownPart{Category: p.refs.Categories.ByKey[key]}
	case ByMerchant:
		return &BreakdownPart{Merchant: p.refs.Merchants.ByKey[key]}
	case ByTag:
		return &BreakdownPart{Tag: p.refs.Tags.ByKey[key]}
	case ByAccount:
		return &BreakdownPart{Account: p.refs.Accounts.ByKey[key]}
	case ByMonth:
		return &BreakdownPart{Month: ledger.Some(ledger.NewDate(int(key/100), time.Month(key%100), 1))}
	}
	return &BreakdownPart{}
}

// sorted are the parts in their order; there are none where nothing is told apart.
func (p *parts) sorted() (list []BreakdownPart) {
	if p.by == ByNothing {
		return nil
	}
	places := make([]partPlace, 0, len(p.byName))
	for _, part := range p.byName {
		places = append(places, part.place())
	}
	slices.SortFunc(places, partPlace.compare)
	for _, place := range places {
		list = append(list, *place.part)
	}
	return list
}

// partPlace is what a part is put in order by: its month, or its label's name, folded once.
type partPlace struct {
	part    *BreakdownPart
	month   ledger.Date
	missing bool // a label
	name    string
	id      uuid.UUID
}

func (p *BreakdownPart) place() partPlace {
	place := partPlace{part: p, month: p.Month.Value}
	switch {
	case p.Category != nil:
		place.name, place.id = ledger.Fold(p.Category.Name), p.Category.ID
	case p.Merchant != nil:
		place.name, place.id = ledger.Fold(p.Merchant.Name), p.Merchant.ID
	case p.Account != nil:
		place.name, place.id = ledger.Fold(p.Account.Name), p.Account.ID
	case p.Tag != nil:
		place.name, place.id = p.Tag.SortKey, p.Tag.ID
	default:
		place.missing = true
	}
	return place
}

func (a partPlace) compare(b partPlace) int {
	return cmp.Or(cmp.Compare(a.month, b.month), transfer.CompareBools(a.missing, b.missing),
		cmp.Compare(a.name, b.name), slices.Compare(a.id[:], b.id[:]))
}
