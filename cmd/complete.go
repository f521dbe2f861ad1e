package cmd

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/assistant"
	"finsvc/cmd/importing"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/history"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
	"finsvc/ledger/rule"
	"finsvc/ledger/tenant"
	"finsvc/ledger/trade"
	"finsvc/ledger/transfer"
)

// completionTime is how long a shell waits for words at most.
const completionTime = 2 * time.Second

// known is where words for a shell come from: a household of the file.
type known struct {
	app       *app
	file      *db.DB
	ledger    *books.Books
	who       ledger.Actor
	household string // as it was named; blank: the only one
	user      string // whose chats
}

// words are what may stand in a place: always the same, or read from the file with a description each.
type words struct {
	fixed []string
	read  reader
}

type reader func(ctx context.Context, k known) ([]cobra.Completion, error)

// addCompletion says for the arguments and flags of all commands what may stand there. Nothing is created, upgraded or
// written for that; where nothing can be found out, nothing is offered.
func addCompletion(a *app, c *cobra.Command, arguments map[string][]words) {
	for _, child := range c.Commands() {
		addCompletion(a, child, arguments)
	}
	if c.ValidArgsFunction == nil && !strings.Contains(c.Use, "FILE") {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	// else its commands alone are offered
	if c.ValidArgsFunction == nil && c.HasSubCommands() && strings.Contains(c.Use, "FILE") {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		}
	}
	if places, has := arguments[strings.TrimPrefix(c.CommandPath(), "finsvc ")]; has {
		c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) ([]cobra.Completion,
			cobra.ShellCompDirective) {
			if len(args) >= len(places) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return offer(a, c, places[len(args)])
		}
	}
	for name, of := range flagWords(c.Name()) {
		if c.LocalNonPersistentFlags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion,
				cobra.ShellCompDirective) {
				return offer(a, c, of)
			}) // the flag exists, and has no other
		}
	}
}

// argumentWords are those of the arguments of commands, place by place.
func argumentWords() map[string][]words {
	one := func(read reader) []words { return []words{{read: read}} }
	return map[string][]words{
		"account update": one(namesOf(names.Account)), "account delete": one(namesOf(names.Account)),
		"account merge": {{read: namesOf(names.Account)}, {read: namesOf(names.Account)}}, "explain balance": one(namesOf(names.Account)),
		"explain holding": {{read: namesOf(names.Account)}, {read: tickerWords}},
		"apikey revoke":   one(keyWords), "apikey rotate": one(keyWords),
		"user deactivate": one(userWords), "user restore": one(userWords),
		"import show": one(importWords), "import publish": one(importWords), "import revert": one(importWords),
		"import cancel": one(importWords), "import delete": one(importWords),
		"import rule": {{read: importWords}, fixed(), fixed("same", "new", "open")},
		"chat show":   one(chatWords), "chat delete": one(chatWords),
		"category update": one(namesOf(names.Category)), "category delete": one(namesOf(names.Category)),
		"category merge": {{read: namesOf(names.Category)}, {read: namesOf(names.Category)}},
		"tag update":     one(namesOf(names.Tag)), "tag delete": one(namesOf(names.Tag)), "tag merge": {{read: namesOf(names.Tag)}, {read: namesOf(names.Tag)}},
		"merchant update": one(namesOf(names.Merchant)), "merchant delete": one(namesOf(names.Merchant)),
		"merchant merge":   {{read: namesOf(names.Merchant)}, {read: namesOf(names.Merchant)}},
		"transfer confirm": one(transferWords), "transfer reject": one(transferWords), "transfer delete": one(transferWords),
		"transfer link":    {{read: transactionWords}, {read: transactionWords}},
		"valuation update": one(valuationWords), "valuation delete": one(valuationWords), "trade update": one(tradeWords), "trade delete": one(tradeWords),
		"valuation add": one(namesOf(names.Account)), "trade add": {fixed("buy", "sell", "dividend", "interest", "fee", "deposit", "withdrawal"), {read: tickerWords}},
		"rule run": one(ruleWords), "rule update": one(ruleWords), "rule delete": one(ruleWords), "history undo": one(operationWords),
		"transaction show": one(transactionWords), "transaction edit": one(transactionWords), "transaction split": one(transactionWords),
		"transaction unsplit": one(transactionWords), "transaction delete": one(transactionWords),
		"security split add": one(tickerWords), "security split delete": one(tickerWords),
	}
}

// flagWords are those of the flags that a command may have.
func flagWords(command string) map[string]words {
	types := record.Types()
	if command == "create" || command == "update" {
		types = ledger.AccountTypes()
	}
	return map[string]words{
		"household": {read: householdWords}, "user": {read: userWords}, "account": {read: namesOf(names.Account)},
		"chat": {read: chatWords}, "category": {read: namesOf(names.Category)}, "parent": {read: namesOf(names.Category)}, "merchant": {read: namesOf(names.Merchant)},
		"tag": {read: namesOf(names.Tag)}, "add-tag": {read: namesOf(names.Tag)}, "remove-tag": {read: namesOf(names.Tag)},
		"type": fixed(types...), "scope": fixed(tenant.ScopeRead, tenant.ScopeReadWrite),
		"role":   fixed(tenant.RoleAdmin, tenant.RoleMember),
		"status": fixed("active", "disabled"), "format": fixed("yaml", "json"), "assistant": fixed("on", "off"),
		"assistant-local-only": fixed("on", "off"),
		"log":                  fixed("auto", "text", "json"), "log-level": fixed("debug", "info", "warn", "error"),
	}
}

// fixed are words that are always the same.
func fixed(list ...string) words { return words{fixed: list} }

// offer gives a shell the words. It is silent about errors, as a shell has no place for them.
func offer(a *app, c *cobra.Command, of words) ([]cobra.Completion, cobra.ShellCompDirective) {
	found := of.fixed
	if of.read != nil {
		ctx, cancel := context.WithTimeout(c.Context(), completionTime)
		defer cancel()
		err := look(ctx, a, c, func(k known) (err error) {
			found, err = of.read(ctx, k)
			return err
		})
		if err != nil {
			found = nil
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// look opens the file to be looked at.
func look(ctx context.Context, a *app, c *cobra.Command, use func(known) error) error {
	file, err := db.View(ctx, a.config.Data, a.migrations...)
	if err != nil {
		return err
	}
	k := known{app: a, file: file, ledger: books.New(file, a.now)}
	if f := c.Flag("household"); f != nil {
		k.household = f.Value.String()
	}
	if f := c.Flag("user"); f != nil {
		k.user = f.Value.String()
	}
	if home, err := chooseAnyHousehold(ctx, k.ledger, k.household); err == nil {
		k.who = actor(home.ID)
	} // else the household is what is asked
	return errors.Join(use(k), file.Close())
}

// described makes words of a list.
func described[T any](list []T, err error, word func(T) (text, description string)) ([]cobra.Completion, error) {
	found := []cobra.Completion{}
	for _, x := range list {
		found = append(found, cobra.CompletionWithDesc(word(x)))
	}
	return found, err
}

func householdWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, err := k.ledger.Tenants.ListHouseholds(ctx)
	return described(list, err, func(h ledger.Household) (string, string) { return h.Name, h.Currency })
}

// namesOf are the names of a kind, told apart by their details.
func namesOf(kind names.Kind) reader {
	return func(ctx context.Context, k known) ([]cobra.Completion, error) {
		list, err := k.ledger.Names.List(ctx, k.who, kind)
		return described(list, err, func(n names.Name) (string, string) { return n.Name, n.Detail })
	}
}

// newestTransactions is how many transactions are offered.
const newestTransactions = 50

func transactionWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, _, err := k.ledger.Entries.ListTransactions(ctx, k.who, entry.TransactionFilter{}, ledger.Page{Number: 1, Size: newestTransactions})
	return described(list, err, func(t entry.Transaction) (string, string) {
		currency, _ := money.LookupCurrency(t.Currency) // what is stored was looked up
		return uuid.UUID(t.PublicID).String(), ledger.Date(t.Date).String() + ", " + t.Name + ", " + currency.Plain(t.Amount) + " " + t.Currency
	})
}

// newestBooked is how many trades, transfers and valuations are offered.
const newestBooked = 50

func transferWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, _, err := k.ledger.Transfers.ListTransfers(ctx, k.who, transfer.Filter{}, ledger.Page{Number: 1, Size: newestBooked})
	return described(list, err, func(t transfer.Transfer) (string, string) {
		return uuid.UUID(t.PublicID).String(), ledger.Date(t.Outflow.Date).String() + ", " + t.Outflow.Account.Name + " to " + t.Inflow.Account.Name
	})
}

func tradeWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, _, err := k.ledger.Trades.ListTrades(ctx, k.who, trade.Filter{}, ledger.Page{Number: 1, Size: newestBooked})
	return described(list, err, func(t trade.Trade) (string, string) {
		what := t.Kind
		if t.Security != nil {
			what += " " + t.Security.Ticker
		}
		return uuid.UUID(t.PublicID).String(), ledger.Date(t.Date).String() + ", " + t.Account.Name + ", " + what
	})
}

func valuationWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, _, err := k.ledger.Accounts.ListValuations(ctx, k.who, catalog.ValuationFilter{}, ledger.Page{Number: 1, Size: newestBooked})
	return described(list, err, func(v catalog.Valuation) (string, string) {
		return uuid.UUID(v.PublicID).String(), v.Day.String() + ", " + v.Account.Name
	})
}

func keyWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, err := k.ledger.Keys.ListAPIKeys(ctx, k.who)
	var valid []tenant.APIKey
	for _, key := range list {
		if key.RevokedAt.IsZero() {
			valid = append(valid, key)
		}
	}
	return described(valid, err, func(x tenant.APIKey) (string, string) {
		return x.Name,
			x.Prefix + " of " + x.UserEmail
	})
}

func userWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, err := k.ledger.Tenants.ListUsers(ctx, k.who)
	return described(list, err, func(u tenant.User) (string, string) { return u.Email, u.Role })
}

func tickerWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, _, err := k.ledger.Market.ListSecurities(ctx, k.who, market.SecurityFilter{}, everyRow())
	return described(list, err, func(s market.Security) (string, string) {
		return market.TickerOf(&s.Security),
			orDash(s.Name)
	})
}

func ruleWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, _, err := k.ledger.Rules.ListRules(ctx, k.who, rule.Filter{}, everyRow())
	return described(list, err, func(r rule.Rule) (string, string) {
		return uuid.UUID(r.PublicID).String(),
			orDash(r.Name)
	})
}

// newestOperations is how many entries of the history are offered.
const newestOperations = 50

func operationWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	list, _, err := k.ledger.History.List(ctx, k.who, ledger.Page{Number: 1, Size: newestOperations})
	list = slices.DeleteFunc(list, func(o history.Operation) bool { return o.Fixed != "" })
	return described(list, err, func(o history.Operation) (string, string) { return o.ID.String(), o.Summary() })
}

// newestImports is how many imports are offered.
const newestImports = 50

func importWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	im := importer.New(importer.Options{DB: k.file, Ledger: k.ledger, Logger: k.app.warnings(), Now: k.app.now})
	list, _, err := im.List(ctx, k.who, importer.Filter{}, ledger.Page{Number: 1, Size: newestImports})
	found := []cobra.Completion{}
	for _, imp := range list {
		found = append(found, cobra.CompletionWithDesc(uuid.UUID(imp.PublicID).String(),
			term.Dash(importing.OrBlank(imp.FileName))+", "+imp.Status))
	}
	return found, err
}

func chatWords(ctx context.Context, k known) ([]cobra.Completion, error) {
	chats := assistant.New(assistant.Options{DB: k.file, Ledger: k.ledger, Logger: k.app.warnings(), Now: k.app.now})
	who, err := choosePerson(ctx, k.ledger, k.household, k.user)
	if err != nil {
		return nil, err
	}
	list, _, err := chats.ListChats(ctx, who, everyRow())
	return described(list, err, func(c assistant.Chat) (string, string) {
		return uuid.UUID(c.PublicID).String(),
			c.Title
	})
}
