package ledgertest

import (
	"fmt"

	"finsvc/ledger/market"
)

func (b *Fixture) ImportPrices(file string) string {
	b.tb.Helper()
	prices, err := market.ParsePrices([]byte(file))
	if err != nil {
		return Wrong(err)
	}
	done, err := b.Market.ImportPrices(b.Ctx(), b.Who, prices)
	if err != nil {
		return Wrong(err)
	}
	return fmt.Sprint(done.Added, " ", done.Replaced, " ", done.Unchanged, " ", done.LeftOut)
}
