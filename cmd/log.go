package cmd

import (
	"log/slog"

	"finsvc/cmd/term"
)

// newLogger writes to standard error, in the form and from the level that the settings say.
func newLogger(a *app) *slog.Logger {
	options := &slog.HandlerOptions{Level: a.config.LogLevel}
	if a.config.Log == logText || a.config.Log == logAuto && term.IsTerminal(a.Stderr) {
		return slog.New(slog.NewTextHandler(a.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(a.Stderr, options))
}
