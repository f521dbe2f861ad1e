package export

import (
	"encoding/json"

	"finsvc/ledger"
)

// The records of a backup: one line of JSON each, {"type": ..., "data": {...}}. Amounts of transactions and trades
// have the sign of the application that the form is from: positive leaves the account. Balances and valuations
// are in the written sign (see [catalog.Account]). Figures are texts, so that no reader makes binary fractions of them.
type (
	backupRecord struct {
		Type    string `json:"type"`
		Version int    `json:"version,omitempty"` // of rules
		Data    any    `json:"data"`
	}
	backupTimes struct {
		CreatedAt string `json:"created_at"`
		UpdatedAt string `json:"updated_at"`
	}
	backupAccountDetails struct {
		Subtype *string `json:"subtype"`
	}
	backupAccount struct {
		ID                string               `json:"id"`
		Name              string               `json:"name"`
		AccountableType   string               `json:"accountable_type"`
		Subtype           *string              `json:"subtype"`
		Currency          string               `json:"currency"`
		Balance           string               `json:"balance"`
		CashBalance       string               `json:"cash_balance"`
		Classification    string               `json:"classification"`
		Status            string               `json:"status"`
		InstitutionName   *string              `json:"institution_name"`
		InstitutionDomain *string              `json:"institution_domain"`
		Notes             *string              `json:"notes"`
		SkipOpening       bool                 `json:"skip_opening_balance_import"`
		Accountable       backupAccountDetails `json:"accountable"`
		backupTimes
	}
	backupBalance struct {
		AccountID   string `json:"account_id"`
		Date        string `json:"date"`
		Balance     string `json:"balance"`
		CashBalance string `json:"cash_balance"`
		Currency    string `json:"currency"`
	}
	backupCategory struct {
		ID             string  `json:"id"`
		Name           string  `json:"name"`
		ParentID       *string `json:"parent_id"`
		Classification string  `json:"classification"`
		Color          string  `json:"color"`
		Icon           string  `json:"lucide_icon"`
		backupTimes
	}
	backupTag struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Color string `json:"color"`
		backupTimes
	}
	backupMerchant struct {
		ID         string  `json:"id"`
		Name       string  `json:"name"`
		Color      *string `json:"color"`
		WebsiteURL *string `json:"website_url"`
		backupTimes
	}
	backupSecurity struct {
		ID      string  `json:"id"`
		Ticker  string  `json:"ticker"`
		MIC     *string `json:"exchange_operating_mic"`
		Name    *string `json:"name"`
		Kind    string  `json:"kind"`
		Offline bool    `json:"offline"`
		backupTimes
	}
	// backupTicker names a security for readers that do not know its id.
	backupTicker struct {
		SecurityID   *string `json:"security_id"`
		Ticker       *string `json:"ticker"`
		SecurityName *string `json:"security_name"`
		MIC          *string `json:"exchange_operating_mic"`
	}
	backupSplit struct {
		ID string `json:"id"`
		backupTicker
		Date        string `json:"date"`
		Numerator   int64  `json:"numerator"`
		Denominator int64  `json:"denominator"`
		backupTimes
	}
	backupPrice struct {
		backupTicker
		Date     string `json:"date"`
		Price    string `json:"price"`
		Currency string `json:"currency"`
		Source   string `json:"source"`
	}
	backupTransaction struct {
		ID         string       `json:"id"`
		AccountID  string       `json:"account_id"`
		Date       string       `json:"date"`
		Amount     string       `json:"amount"`
		Currency   string       `json:"currency"`
		Name       string       `json:"name"`
		Notes      *string      `json:"notes"`
		CategoryID *string      `json:"category_id"`
		MerchantID *string      `json:"merchant_id"`
		TagIDs     []string     `json:"tag_ids"`
		Kind       string       `json:"kind"`
		ExternalID *string      `json:"external_id"`
		Source     *string      `json:"source"`
		Lines      []backupLine `json:"split_lines,omitempty"`
		backupTimes
	}
	backupLine struct {
		Amount     string   `json:"amount"`
		Name       *string  `json:"name"`
		Notes      *string  `json:"notes"`
		CategoryID *string  `json:"category_id"`
		MerchantID *string  `json:"merchant_id"`
		TagIDs     []string `json:"tag_ids"`
	}
	backupTransfer struct {
		ID        string  `json:"id"`
		InflowID  string  `json:"inflow_transaction_id"`
		OutflowID string  `json:"outflow_transaction_id"`
		Status    string  `json:"status"`
		Notes     *string `json:"notes"`
		Reason    string  `json:"reason"`
		backupTimes
	}
	backupRejection struct {
		ID        string `json:"id"`
		InflowID  string `json:"inflow_transaction_id"`
		OutflowID string `json:"outflow_transaction_id"`
		CreatedAt string `json:"created_at"`
	}
	backupTrade struct {
		ID        string `json:"id"`
		AccountID string `json:"account_id"`
		backupTicker
		Date       string  `json:"date"`
		Type       string  `json:"trade_type"`
		Quantity   string  `json:"qty"`
		Price      string  `json:"price"`
		Amount     string  `json:"amount"`
		Fee        string  `json:"fee"`
		Currency   string  `json:"currency"`
		Name       string  `json:"name"`
		Notes      *string `json:"notes"`
		Label      *string `json:"investment_activity_label"`
		CategoryID *string `json:"category_id"`
		AllowShort bool    `json:"allow_short"`
		backupTimes
	}
	backupHolding struct {
		AccountID string `json:"account_id"`
		backupTicker
		Date     string `json:"date"`
		Quantity string `json:"qty"`
		Price    string `json:"price"`
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	}
	backupValuation struct {
		ID        string  `json:"id"`
		AccountID string  `json:"account_id"`
		Date      string  `json:"date"`
		Undated   bool    `json:"undated"`
		Amount    string  `json:"amount"`
		Currency  string  `json:"currency"`
		Kind      string  `json:"kind"`
		Name      string  `json:"name"`
		Notes     *string `json:"notes"`
		backupTimes
	}
	backupRule struct {
		ID            string          `json:"id"`
		Name          *string         `json:"name"`
		ResourceType  string          `json:"resource_type"`
		Active        bool            `json:"active"`
		EffectiveDate *string         `json:"effective_date"`
		Conditions    json.RawMessage `json:"conditions"`
		Actions       json.RawMessage `json:"actions"`
		backupTimes
	}
)

// The types of records that are no part of the form's original: they are ignored by who does not know them.
const (
	recordSecurity      = "Security"
	recordSecuritySplit = "SecuritySplit"
	recordSecurityPrice = "SecurityPrice"
)

// AccountableName is how backups call a type of account: credit_card is CreditCard.
func AccountableName(accountType string) string {
	name, up := []byte{}, true
	for i := range len(accountType) {
		c := accountType[i]
		switch {
		case c == '_':
			up = true
			continue
		case up:
			c -= 'a' - 'A'
		}
		name, up = append(name, c), false
	}
	return string(name)
}

// AccountTypeNamed finds the type of account that backups call by a name; false when there is none.
func AccountTypeNamed(accountable string) (ledger.AccountType, bool) {
	for _, kind := range ledger.AllAccountTypes {
		if AccountableName(kind.Name) == accountable {
			return kind, true
		}
	}
	return ledger.AccountType{}, false
}
