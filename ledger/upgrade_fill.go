package ledger

import (
	"context"
	"hash/fnv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"finsvc/queries"
)

// schemaOfNormalText is the schema from which on keys of names, and what searches look through, are made of [NormalText].
const schemaOfNormalText = 20

// FillUpgrade computes what a file of an older schema lacks and SQL cannot compute, for [db.WithFill].
func FillUpgrade(ctx context.Context, q *queries.Queries, from int64) error {
	if from >= schemaOfNormalText {
		return nil
	}
	for _, table := range []string{"accounts", "categories", "tags", "merchants"} {
		if err := fillNameKeys(ctx, q, table); err != nil {
			return err
		}
	}
	if err := fillTickers(ctx, q); err != nil {
		return err
	}
	for after := int64(0); ; {
		last, err := fillTexts(ctx, q, after)
		if err != nil || last == 0 {
			return err
		}
		after = last
	}
}

// fillNameKeys makes the keys of a table's names anew. Where two names become one and only one may have it, the second
// keeps the key that it had until it gets another name: neither is lost, and the first is what the name means.
func fillNameKeys(ctx context.Context, q *queries.Queries, table string) error {
	type row struct {
		id  int64
		key string
	}
	var changed []row
	// Other names than those with letters beyond ASCII, whose bytes are more than their characters, have but one form.
	err := q.EachRow(ctx, func(scan func(...any) error) error {
		var r row
		var name, before string
		err := scan(&r.id, &name, &before)
		if r.key = Fold(name); r.key != before {
			changed = append(changed, r)
		}
		return err
	}, "SELECT id, name, name_key FROM "+table+" WHERE length(CAST(name AS BLOB)) <> length(name) ORDER BY id")
	if err != nil {
		return err
	}
	for _, r := range changed {
		// Unique indexes leave the row as it is when the name is taken.
		if _, err := q.Exec(ctx, "UPDATE OR IGNORE "+table+" SET name_key = ?1 WHERE id = ?2", r.key, r.id); err != nil {
			return err
		}
	}
	return nil
}

// fillTickers does so for tickers, which name securities in words where files have no others.
func fillTickers(ctx context.Context, q *queries.Queries) error {
	changed := map[int64]string{}
	err := q.EachRow(ctx, func(scan func(...any) error) error {
		var id int64
		var ticker string
		err := scan(&id, &ticker)
		if symbol, wrong := parseSymbol(ticker); wrong == nil && symbol != ticker {
			changed[id] = symbol
		}
		return err
	}, "SELECT id, ticker FROM securities WHERE length(CAST(ticker AS BLOB)) <> length(ticker)")
	if err != nil {
		return err
	}
	for id, symbol := range changed {
		if _, err := q.Exec(ctx, "UPDATE OR IGNORE securities SET ticker = ?1 WHERE id = ?2", symbol, id); err != nil {
			return err
		}
	}
	return nil
}

// filledAtOnce is how many transactions are looked at before those among them that need it are written.
const filledAtOnce = 10_000

// fillTexts makes transactions findable by the normal form of their texts, and recognisable by that of their names, after a
// key. It gives the key of the last one that it looked at; 0 at the end.
func fillTexts(ctx context.Context, q *queries.Queries, after int64) (last int64, err error) {
	type row struct {
		id                    int64
		name, notes, merchant string
		textKey               *int64
		indexed               bool
	}
	var changed []row
	// The texts as a search finds them: those of lines of a split transaction are the transaction's.
	err = q.EachRow(ctx, func(scan func(...any) error) error {
		var r row
		err := scan(&r.id, &r.name, &r.textKey, &r.notes, &r.merchant, &r.indexed)
		last = r.id
		if !norm.NFC.IsNormalString(r.name) || !norm.NFC.IsNormalString(r.notes) || !norm.NFC.IsNormalString(r.merchant) {
			changed = append(changed, r)
		}
		return err
	}, `SELECT t.id, t.name, t.text_key,
			concat_ws(char(10), t.notes, (SELECT group_concat(concat_ws(char(10), l.name, l.notes), char(10))
				FROM transaction_lines l WHERE l.transaction_id = t.id)),
			concat_ws(char(10), (SELECT o.name FROM merchants o WHERE o.id = t.merchant_id),
				(SELECT group_concat(m.name, char(10)) FROM transaction_lines l CROSS JOIN merchants m ON m.id = l.merchant_id WHERE l.transaction_id = t.id)),
			EXISTS (SELECT 1 FROM transactions_fts s WHERE s.rowid = t.id)
		FROM transactions t NOT INDEXED WHERE t.id > ?1 ORDER BY t.id LIMIT ?2`, after, filledAtOnce)
	if err != nil {
		return 0, err
	}
	for _, r := range changed {
		if r.indexed {
			if err := q.DeleteSearchText(ctx, r.id); err != nil {
				return 0, err
			}
			if err := q.InsertSearchText(ctx, r.id, r.name, r.notes, r.merchant); err != nil {
				return 0, err
			}
		}
		// The key is of the name at birth: where that was another, nobody knows it any more.
		if r.textKey != nil && *r.textKey == int64(textKeyBefore(r.name)) {
			if _, err := q.Exec(ctx, "UPDATE transactions SET text_key = ?1 WHERE id = ?2", TextKey(r.name), r.id); err != nil {
				return 0, err
			}
		}
	}
	return last, nil
}

// textKeyBefore is [TextKey] as it was before [schemaOfNormalText].
func textKeyBefore(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(name), " "))))) // never fails
	return h.Sum32()
}
