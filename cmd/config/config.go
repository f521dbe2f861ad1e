// Package config is what can be set: every setting with its flag, its variable, what it means and what is usual, and
// the kinds of values that settings have.
//
// The flags of the commands, finsvc config, the help about the environment and the check of variables are all made of
// one list, see [Config.Settings]. A variable of ours that means nothing is an error. Secrets have no flag. The
// package opens nothing and connects to nothing; of files it reads only those with a secret.
package config

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"finsvc/importer"
	"finsvc/importer/feed"
	"finsvc/ledger"
)

// Config is every setting, from the flags, else the environment, else as Default has it.
type Config struct {
	Data      string             // database file
	Listen    string             // address of the server
	Currency  string             // of the first household; empty: that of the locale
	Log       logFormat          // how the log is written
	LogLevel  slog.Level         // what is logged
	ImportMax byteSize           // longest import
	PricesURL feed.PriceTemplate // where prices are looked up
	RatesURL  feed.RateTemplate  // where exchange rates are looked up
	MCP       mcpMode            // what desktop assistants may do over HTTP
	Network   Network            // how the server is reached besides
	AI        AI                 // the assistant
	Backup    Backup             // copies of the database
}

func Default() Config {
	return Config{Data: "./finance.db", Listen: "127.0.0.1:7117", Log: LogAuto, MCP: MCPOff, ImportMax: importer.DefaultMax,
		Network: Network{Metrics: NoMetrics, Web: true}, AI: DefaultAI(), Backup: defaultBackup()}
}

// Environment is the environment's variables by name.
type Environment map[string]string

// NewEnvironment reads NAME=value; of a name that is there twice the last counts, as in a shell.
func NewEnvironment(environ []string) Environment {
	env := Environment{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	return env
}

// suggestion names the known word that is nearest, when one is near.
func suggestion(word string, known []string) string {
	best, least := "", 4
	for _, k := range known {
		if d := ledger.Distance(word, k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return "; known are " + strings.Join(known, ", ")
	}
	return "; did you mean " + best + "?"
}

// logFormat says how the log is written. It is a flag's value.
type logFormat string

const (
	LogAuto logFormat = "auto" // text on a terminal, else JSON
	LogText logFormat = "text"
	LogJSON logFormat = "json"
)

// Set takes one of the three words.
func (f *logFormat) Set(text string) error {
	switch logFormat(text) {
	case LogAuto, LogText, LogJSON:
		*f = logFormat(text)
		return nil
	}
	return fmt.Errorf("must be auto, text or json, got %q", text)
}

// String is the word.
func (f *logFormat) String() string { return string(*f) }

// Type stands for the value in the help.
func (f *logFormat) Type() string { return "FORMAT" }

// level is the least level that is logged. It is a flag's value.
type level slog.Level

// Set takes one of the four words.
func (l *level) Set(text string) error {
	switch strings.ToLower(text) {
	case "debug", "info", "warn", "error":
		return (*slog.Level)(l).UnmarshalText([]byte(text))
	}
	return fmt.Errorf("must be debug, info, warn or error, got %q", text)
}

// String is the word.
func (l *level) String() string { return strings.ToLower(slog.Level(*l).String()) }

// Type stands for the value in the help.
func (l *level) Type() string { return "LEVEL" }

// byteSize is a number of bytes. It is a flag's value.
type byteSize int64

// maxByteSize keeps what is added to a size within an int64.
const maxByteSize = 1 << 50

// Set takes a number of bytes, or one with KiB, MiB or GiB (K, M and G mean the same).
func (s *byteSize) Set(text string) error {
	digits := strings.TrimRight(text, "KMGiBkmgb ")
	unit, ok := units()[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !ok || n <= 0 || n > maxByteSize/unit {
		return fmt.Errorf("must be a size such as 64MiB, got %q", text)
	}
	*s = byteSize(n * unit)
	return nil
}

func units() map[string]int64 {
	const k, m, g = 1 << 10, 1 << 20, 1 << 30
	return map[string]int64{"": 1, "b": 1, "k": k, "kb": k, "kib": k, "m": m, "mb": m, "mib": m, "g": g, "gb": g,
		"gib": g}
}

// String is the size in the largest unit that gives a whole number.
func (s *byteSize) String() string {
	n := int64(*s)
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%dGiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dMiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%dKiB", n>>10)
	}
	return strconv.FormatInt(n, 10)
}

// Type stands for the value in the help.
func (s *byteSize) Type() string { return "SIZE" }
