package cmd

import (
	"io"
	"log/slog"
	"os"

	"github.com/mattn/go-isatty"
)

// newLogger writes to standard error, in the form and from the level that the settings say.
func (a *app) newLogger() *slog.Logger {
	options := &slog.HandlerOptions{Level: a.config.LogLevel}
	if a.logsText() {
		return slog.New(slog.NewTextHandler(a.stderr, options))
	}
	return slog.New(slog.NewJSONHandler(a.stderr, options))
}

func (a *app) logsText() bool {
	return a.config.Log == logText || a.config.Log == logAuto && isTerminal(a.stderr)
}

// isTerminal says whether a person sees what is written there.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
