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

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Rates     *fx.Service
	Positions *position.Service
	Catalog   *catalog.Service
	Intake    *intake.Service
	Tenants   *tenant.Service
	Reports   *report.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, rates *fx.Service, positions *position.Service, catalog *catalog.Service, intake *intake.Service, tenants *tenant.Service, reports *report.Service) *Service {
	return &Service{Store: store, Rates: rates, Positions: positions, Catalog: catalog, Intake: intake, Tenants: tenants, Reports: reports}
}
