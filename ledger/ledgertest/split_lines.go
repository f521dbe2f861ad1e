package ledgertest

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"finsvc/queries"
)

// HistoryIs compares the lines before and after the last change.
func (b *Fixture) HistoryIs(id uuid.UUID, want string) {
	b.tb.Helper()
	var got string
	err := b.DB.Read(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
		amounts := func(side string) string {
			var list []int64
			for n := range 3 {
				minor, err := q.Number(ctx, fmt.Sprintf(`SELECT coalesce(json_extract(%s, '$.split_lines[%d].signed_amount_cents'), 1)
					FROM changes WHERE entity_id = ? ORDER BY id DESC LIMIT 1`, side, n), queries.PublicID(id))
				if err != nil || minor == 1 {
					break
				}
				list = append(list, minor)
			}
			return fmt.Sprint(list)
		}
		got = amounts("before") + " " + amounts("after")
		return nil
	})
	if err != nil || got != want {
		b.tb.Errorf("the history has %s, want %s (%v)", got, want, err)
	}
}
