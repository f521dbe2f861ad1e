package web

// access says who may ask for a route.
type access int

const (
	open   access = iota // anybody
	reads                // who is signed in
	writes               // who is signed in and may change the books
)

// route is one page, or one thing that a form does. Its pattern is that of [http.ServeMux].
type route struct {
	pattern string
	access  access
	handle  func(*visit) error
	lasts   bool // a file or a stream: no limit of time
	uploads bool // its body is a file, which its handler limits
}

// routes is the table of all pages, by subject.
func (s *Site) routes() []route {
	return append([]route{
		{pattern: "GET /{$}", access: reads, handle: showOverview},
		{pattern: "GET /explain", access: reads, handle: explain},

		{pattern: "GET /login", access: open, handle: showLogin},
		{pattern: "POST /login", access: open, handle: logIn},
		{pattern: "POST /logout", access: open, handle: logOut},
		{pattern: "GET /link/{token}", access: open, handle: showLink},
		{pattern: "POST /link/{token}", access: open, handle: followLink},
		{pattern: "GET /setup", access: open, handle: showSetUp},
		{pattern: "POST /setup", access: open, handle: setUp},
		{pattern: "GET /setup/restore", access: open, handle: showRestore},
		{pattern: "POST /setup/restore", access: open, handle: receiveBackup, uploads: true},
		{pattern: "GET /confirm", access: reads, handle: showConfirm},
		{pattern: "POST /confirm", access: reads, handle: confirm},
		{pattern: "GET /settings", access: reads, handle: showSettings},
		{pattern: "GET /settings/household", access: reads, handle: showHousehold},
		{pattern: "POST /settings/household", access: writes, handle: updateHousehold},
		{pattern: "GET /settings/people", access: reads, handle: showPeople},
		{pattern: "POST /settings/people", access: writes, handle: createPerson},
		{pattern: "POST /settings/people/{id}/link", access: writes, handle: linkPerson},
		{pattern: "GET /settings/export", access: reads, handle: showExport},
		{pattern: "GET /settings/export/{form}", access: reads, handle: exportBooks, lasts: true},
		{pattern: "GET /settings/backup", access: reads, handle: showBackups},
		{pattern: "POST /settings/backup", access: writes, handle: makeBackup},
		{pattern: "GET /settings/backup/{name}", access: reads, handle: sendBackup, lasts: true},
		{pattern: "POST /settings/backup/{name}/verify", access: reads, handle: verifyBackup},
		{pattern: "GET /settings/doctor", access: reads, handle: showDoctor},
		{pattern: "POST /settings/doctor", access: reads, handle: examine},
		{pattern: "GET /settings/keys", access: reads, handle: showKeys},
		{pattern: "POST /settings/keys", access: writes, handle: createKey},
		{pattern: "POST /settings/keys/{prefix}/revoke", access: writes, handle: revokeKey},
		{pattern: "GET /settings/you", access: reads, handle: showYou},
		{pattern: "POST /settings/you/preferences", access: reads, handle: setPreferences},
		{pattern: "POST /settings/you/password", access: reads, handle: setPassword},
		{pattern: "POST /settings/you/browsers/end", access: reads, handle: endBrowsers},
		{pattern: "POST /settings/you/browsers/{id}/end", access: reads, handle: endBrowser},
		{pattern: "POST /settings/you/deactivate", access: writes, handle: deactivateYou},

		{pattern: "GET /transactions", access: reads, handle: listTransactions},
		{pattern: "POST /transactions", access: writes, handle: createTransaction},
		{pattern: "POST /transactions/bulk", access: writes, handle: changeTransactions},
		{pattern: "GET /transactions/new", access: writes, handle: newTransaction},
		{pattern: "GET /transactions/words", access: reads, handle: completeSearch},
		{pattern: "GET /transactions/{id}", access: reads, handle: showTransaction},
		{pattern: "POST /transactions/{id}", access: writes, handle: updateTransaction},
		{pattern: "POST /transactions/{id}/delete", access: writes, handle: deleteTransaction},
		{pattern: "GET /transactions/{id}/split", access: writes, handle: showSplit},
		{pattern: "POST /transactions/{id}/split", access: writes, handle: splitTransaction},

		{pattern: "POST /transactions/{id}/link", access: writes, handle: linkTransfer},
		{pattern: "POST /transfers/{id}/confirm", access: writes, handle: decideTransfer(confirmTransfer)},
		{pattern: "POST /transfers/{id}/unlink", access: writes, handle: decideTransfer(unlinkTransfer)},
		{pattern: "POST /transfers/{id}/reject", access: writes, handle: decideTransfer(rejectTransfer)},
		{pattern: "POST /transfers/{id}/allow", access: writes, handle: decideTransfer(allowTransfer)},

		{pattern: "GET /sort", access: writes, handle: showSort},
		{pattern: "POST /sort", access: writes, handle: sortName},

		{pattern: "GET /accounts", access: reads, handle: listAccounts},
		{pattern: "POST /accounts", access: writes, handle: createAccount},
		{pattern: "GET /accounts/new", access: writes, handle: newAccount},
		{pattern: "GET /accounts/{id}", access: reads, handle: showAccount},
		{pattern: "POST /accounts/{id}", access: writes, handle: updateAccount},
		{pattern: "GET /accounts/{id}/edit", access: writes, handle: editAccount},
		{pattern: "POST /accounts/{id}/balance", access: writes, handle: setBalance},
		{pattern: "POST /accounts/{id}/status", access: writes, handle: setAccountStatus},
		{pattern: "GET /accounts/{id}/delete", access: writes, handle: showAccountDeletion},
		{pattern: "POST /accounts/{id}/delete", access: writes, handle: deleteAccount},
		{pattern: "GET /accounts/{id}/merge", access: writes, handle: showMerge},
		{pattern: "POST /accounts/{id}/merge", access: writes, handle: mergeAccount},
		{pattern: "GET /valuations/{id}", access: reads, handle: showValuation},
		{pattern: "POST /valuations/{id}", access: writes, handle: updateValuation},
		{pattern: "POST /valuations/{id}/delete", access: writes, handle: deleteValuation},

		{pattern: "GET /holdings", access: reads, handle: showHoldings},
		{pattern: "GET /securities/{id}", access: reads, handle: showSecurity},
		{pattern: "POST /securities/{id}", access: writes, handle: updateSecurity},
		{pattern: "POST /securities/{id}/delete", access: writes, handle: deleteSecurity},
		{pattern: "POST /securities/{id}/prices", access: writes, handle: putPrice},
		{pattern: "POST /securities/{id}/prices/{price}/delete", access: writes, handle: deletePrice},
		{pattern: "POST /securities/{id}/splits", access: writes, handle: createSplit},
		{pattern: "POST /securities/{id}/splits/{split}/delete", access: writes, handle: deleteSplit},

		{pattern: "GET /trades", access: reads, handle: listTrades},
		{pattern: "POST /trades", access: writes, handle: createTrade},
		{pattern: "GET /trades/new", access: writes, handle: newTrade},
		{pattern: "GET /trades/{id}", access: reads, handle: showTrade},
		{pattern: "POST /trades/{id}", access: writes, handle: updateTrade},
		{pattern: "POST /trades/{id}/delete", access: writes, handle: deleteTrade},

		{pattern: "GET /history", access: reads, handle: listHistory},
		{pattern: "GET /history/{id}", access: reads, handle: showOperation},
		{pattern: "GET /more", access: reads, handle: showMore},

		{pattern: "GET /imports", access: reads, handle: listImports},
		{pattern: "POST /imports", access: writes, handle: uploadImport, uploads: true},
		{pattern: "GET /imports/{id}", access: reads, handle: showImport},
		{pattern: "GET /imports/{id}/events", access: reads, handle: streamImport, lasts: true},
		{pattern: "POST /imports/{id}/settings", access: writes, handle: configureImport},
		{pattern: "POST /imports/{id}/rows", access: writes, handle: decideRows},
		{pattern: "POST /imports/{id}/rows/{number}", access: writes, handle: decideRow},
		{pattern: "POST /imports/{id}/publish", access: writes, handle: publishImport},
		{pattern: "POST /imports/{id}/cancel", access: writes, handle: cancelImport},
		{pattern: "POST /imports/{id}/revert", access: writes, handle: revertImport},
		{pattern: "POST /imports/{id}/delete", access: writes, handle: removeImport},

		{pattern: "GET /rules", access: reads, handle: showRules},
		{pattern: "POST /rules", access: writes, handle: createRule},
		{pattern: "GET /rules/{id}", access: reads, handle: showRule},
		{pattern: "POST /rules/{id}", access: writes, handle: updateRule},
		{pattern: "POST /rules/{id}/run", access: writes, handle: runRule},
		{pattern: "POST /rules/{id}/delete", access: writes, handle: deleteRule},

		{pattern: "GET /chats", access: reads, handle: showChats},
		{pattern: "POST /chats", access: writes, handle: createChat},
		{pattern: "POST /chats/enable", access: writes, handle: enableChats},
		{pattern: "GET /chats/{id}", access: reads, handle: showChat},
		{pattern: "POST /chats/{id}", access: writes, handle: inChat(askInChat)},
		{pattern: "POST /chats/{id}/retry", access: writes, handle: inChat(retryAnswer)},
		{pattern: "POST /chats/{id}/cancel", access: writes, handle: inChat(cancelAnswer)},
		{pattern: "POST /chats/{id}/rename", access: writes, handle: inChat(renameChat)},
		{pattern: "POST /chats/{id}/delete", access: writes, handle: deleteChat},
		{pattern: "GET /chats/{id}/messages/{message}/events", access: reads, handle: streamAnswer, lasts: true},

		{pattern: "POST /changes/{id}/undo", access: writes, handle: undoChange},
		{pattern: "POST /hide", access: reads, handle: hideAmounts},
	}, labelRoutes()...)
}
