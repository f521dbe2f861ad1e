package qif

import (
	"strings"

	"finsvc/ledger"
)

// qifAction is what an entry of an account with securities does.
type qifAction struct {
	kind     string // of the trade; blank where only cash moves
	way      int64  // 1 when cash comes in, -1 when it goes out, 0 when units move without cash
	title    string
	reinvest bool // what comes in is spent on more units at once
	short    bool // more may be sold than is held
	moves    bool // the cash comes from, or goes to, another account
}

// returnOfCapital is the title of an action that the books have no kind for.
const returnOfCapital = "Return of capital"

// qifActions are known by their folded names, without the X that has the cash come from another account.
func qifActions() map[string]qifAction {
	return map[string]qifAction{
		"buy":      {kind: "buy", way: -1, title: "Buy"},
		"cvrshrt":  {kind: "buy", way: -1, title: "Buy"},
		"sell":     {kind: "sell", way: 1, title: "Sell"},
		"shtsell":  {kind: "sell", way: 1, title: "Sell", short: true},
		"shrsin":   {kind: "buy", title: "Shares in"},
		"shrsout":  {kind: "sell", title: "Shares out"},
		"div":      {kind: "dividend", way: 1, title: "Dividend"},
		"cglong":   {kind: "dividend", way: 1, title: "Capital gain (long)"},
		"cgmid":    {kind: "dividend", way: 1, title: "Capital gain (mid)"},
		"cgshort":  {kind: "dividend", way: 1, title: "Capital gain (short)"},
		"intinc":   {kind: "interest", way: 1, title: "Interest"},
		"reinvdiv": {kind: "dividend", way: 1, title: "Dividend", reinvest: true},
		"reinvlg":  {kind: "dividend", way: 1, title: "Capital gain (long)", reinvest: true},
		"reinvmd":  {kind: "dividend", way: 1, title: "Capital gain (mid)", reinvest: true},
		"reinvsh":  {kind: "dividend", way: 1, title: "Capital gain (short)", reinvest: true},
		"reinvint": {kind: "interest", way: 1, title: "Interest", reinvest: true},
		"margint":  {kind: "fee", way: -1, title: "Margin interest"},
		"miscinc":  {way: 1, title: "Miscellaneous income"},
		"miscexp":  {way: -1, title: "Miscellaneous expense"},
		"rtrncap":  {way: 1, title: returnOfCapital},
		"cash":     {way: 1, title: "Cash"},
		"":         {way: 1, title: "Cash"},
		"xin":      {way: 1, title: "Cash transfer in"},
		"xout":     {way: -1, title: "Cash transfer out"},
		"contrib":  {way: 1, title: "Contribution"},
		"withdrw":  {way: -1, title: "Withdrawal"},
	}
}

// actionNamed understands the word of an action; false when it is not known.
func actionNamed(word string) (qifAction, bool) {
	actions, name := qifActions(), strings.ReplaceAll(ledger.Fold(word), " ", "")
	if action, ok := actions[name]; ok {
		return action, true
	}
	base, crossed := strings.CutSuffix(name, "x")
	action, ok := actions[base]
	switch base {
	case "", "xin", "xout", "cash", "shrsin", "shrsout":
		return qifAction{}, false
	case "contrib", "withdrw": // the movement is all that there is
		return action, ok && crossed
	}
	action.moves = true
	return action, ok && crossed && !action.reinvest
}
