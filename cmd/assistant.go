package cmd

import (
	"log/slog"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/assistant/provider"
	"finsvc/db"
	"finsvc/ledger"
)

// newAssistant makes the assistant as it is set up; call what it returns when nobody asks it any more.
func newAssistant(a *app, database *db.DB, books *ledger.Ledger, log *slog.Logger) (*assistant.Assistant, func(), error) {
	remote, err := a.config.AI.provider(a.Say)
	if err != nil {
		return nil, nil, err
	}
	return assistantOf(a, remote, database, books, log)
}

// assistantOf is newAssistant for whoever has asked for the provider before.
func assistantOf(a *app, options *provider.Options, database *db.DB, books *ledger.Ledger, log *slog.Logger) (*assistant.Assistant, func(), error) {
	builtin := engine.New(books)
	o := assistant.Options{DB: database, Ledger: books, Logger: log, Now: a.now, Model: builtin,
		Context: a.config.AI.context(), Rounds: a.config.AI.Rounds.value, Off: !bool(a.config.AI.Assistant)}
	if options == nil {
		return assistant.New(o), func() {}, nil
	}
	options.Engine = builtin
	remote, err := provider.New(*options)
	if err != nil {
		return nil, nil, err
	}
	o.Model = remote
	log.Info("questions go to a provider", "host", remote.Host(), "model", remote.Name(), "context", o.Context, "local_only", bool(a.config.AI.LocalOnly))
	return assistant.New(o), remote.Close, nil
}
