// Package audit proves the books, and finds what they lack: every sum that is kept beside entries is counted again
// from the rows that people entered; accounts without movement, days without prices and rates are listed. It changes
// nothing.
package audit

import (
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/fx"
	"finsvc/ledger/intake"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
	"finsvc/ledger/tenant"
)

// Service audits the books of all households.
type Service struct {
	*ledger.Store

	Rates     *fx.Service
	Positions *position.Service
	Accounts  *catalog.Accounts
	Intake    *intake.Service
	Tenants   *tenant.Service
	Reports   *report.Service
}

// New gives the service of the books' database.
func New(store *ledger.Store, rates *fx.Service, positions *position.Service, accounts *catalog.Accounts,
	intake *intake.Service, tenants *tenant.Service, reports *report.Service) *Service {
	return &Service{Store: store, Rates: rates, Positions: positions, Accounts: accounts, Intake: intake,
		Tenants: tenants, Reports: reports}
}
