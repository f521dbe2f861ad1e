package ledger

import (
	"context"
	"slices"
)

// SearchText is what a transaction is found by.
type SearchText struct{ Name, Notes, Merchant string }

// searchTexts are those of transactions, by key, that are still to be written; nil of one that is not to be found any more.
type searchTexts struct {
	keys []int64 // in the order in which they came first
	by   map[int64]*SearchText
}

// PutSearchText makes the transaction with that key findable by a text, and by nothing that it was found by before.
func (tx *Tx) PutSearchText(ctx context.Context, key int64, text SearchText) error {
	if tx.texts != nil {
		tx.texts.put(key, &text)
		return nil
	}
	if err := tx.DeleteSearchText(ctx, key); err != nil {
		return err
	}
	return tx.InsertSearchText(ctx, key, text.Name, text.Notes, text.Merchant)
}

// DropSearchTexts makes the transactions with those keys no longer findable.
func (tx *Tx) DropSearchTexts(ctx context.Context, keys []int64) error {
	if tx.texts == nil {
		return tx.DeleteSearchTextsOf(ctx, JSONArray(keys))
	}
	for _, key := range keys {
		tx.texts.put(key, nil)
	}
	return nil
}

// GatherSearchTexts gives the same transaction, which keeps texts until write is called, at the end of a change of many: what
// the index has gathered becomes a part of it whenever a statement writes another table, so that thousands of rows with a
// text each would take ten times as long, and have others wait while the parts are merged. Within such a transaction another
// one's write does nothing.
func (tx *Tx) GatherSearchTexts() (gathering *Tx, write func(context.Context) error) {
	if tx.texts != nil {
		return tx, func(context.Context) error { return nil }
	}
	other := *tx
	other.texts = &searchTexts{by: map[int64]*SearchText{}}
	return &other, func(ctx context.Context) error { return other.texts.write(ctx, tx) }
}

func (s *searchTexts) put(key int64, text *SearchText) {
	if _, known := s.by[key]; !known {
		s.keys = append(s.keys, key)
	}
	s.by[key] = text
}

func (s *searchTexts) write(ctx context.Context, tx *Tx) error {
	for part := range slices.Chunk(s.keys, 1000) {
		if err := tx.DeleteSearchTextsOf(ctx, JSONArray(part)); err != nil {
			return err
		}
	}
	for _, key := range s.keys {
		if text := s.by[key]; text != nil {
			if err := tx.InsertSearchText(ctx, key, text.Name, text.Notes, text.Merchant); err != nil {
				return err
			}
		}
	}
	s.keys, s.by = nil, map[int64]*SearchText{}
	return nil
}
