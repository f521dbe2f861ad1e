// Package report is what the books come to: balance sheet, net worth over time, income and spending, their parts by
// category, account, merchant or tag, and the explanation of each figure as entries that add up to it. It reads sums
// that are kept beside entries where it can, and every figure that it gives can be counted again from the entries
// alone. What has no exchange rate is left out by name, never taken as it is. It writes nothing but sums of months.
package report

import (
	"finsvc/ledger"
)

// Service gives reports.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
