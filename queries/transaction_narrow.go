package queries

// Narrowing is what else is asked of transactions. But for those without a category no index finds them by it: it is
// held against each of those that the rest of the filter selects. The zero value asks for nothing.
type Narrowing struct {
	NotAccountIDs, NotCategoryIDs, NotMerchantIDs, NotTagIDs []int64
	HasCategory, HasMerchant, HasTag                         *bool    // true: any, false: none
	Texts, NotTexts                                          []string // all of them, none of them; as Search
}

// Any reports whether it asks for anything.
func (n *Narrowing) Any() bool {
	return n.NotAccountIDs != nil || n.NotCategoryIDs != nil || n.NotMerchantIDs != nil || n.NotTagIDs != nil ||
		n.HasCategory != nil || n.HasMerchant != nil || n.HasTag != nil || n.Texts != nil || n.NotTexts != nil
}

// narrow adds the conditions. A part has what it was given itself, and of the whole what it was not.
func (b *keyQuery) narrow(f TransactionFilter) {
	if !f.Narrowing.Any() {
		return
	}
	category, merchant := b.see.categoryID(), b.see.merchantID()
	b.notIn("t.account_id", f.NotAccountIDs)
	b.notIn(category, f.NotCategoryIDs)
	b.notIn(merchant, f.NotMerchantIDs)
	b.isThere(category, f.HasCategory)
	b.isThere(merchant, f.HasMerchant)
	if f.NotTagIDs != nil {
		tags := asJSON(f.NotTagIDs)
		condition, args := b.hasTag(" AND %.tag_id IN (SELECT value FROM json_each(?))", tags)
		b.add("NOT "+condition, args...)
	}
	if f.HasTag != nil {
		condition, _ := b.hasTag("")
		if !*f.HasTag {
			condition = "NOT " + condition
		}
		b.add(condition)
	}
	for _, text := range f.Texts {
		b.hasText(f, b.see.texts(), merchant, longText(text))
	}
	for _, text := range f.NotTexts {
		condition, args := textIn(f, b.see.texts(), merchant, longText(text))
		b.add("NOT "+condition, args...)
	}
}

func (b *keyQuery) notIn(column string, ids []int64) {
	if ids != nil {
		b.add("coalesce("+column+" NOT IN (SELECT value FROM json_each(?)), TRUE)", asJSON(ids))
	}
}

func (b *keyQuery) isThere(column string, has *bool) {
	switch {
	case has == nil:
	case *has:
		b.add(column + " IS NOT NULL")
	default:
		b.add(column + " IS NULL")
	}
}
