package web

import "finsvc/ledger/catalog"

// accountsView is the list of accounts.
type accountsView struct{ Accounts []catalog.Account }

// listAccounts answers GET /accounts.
func listAccounts(v *visit) error {
	list, err := v.site.rails.listed(v)
	if err != nil {
		return err
	}
	return v.render("accounts", "Accounts", accountsView{list})
}
