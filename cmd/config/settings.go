package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"finsvc/cmd/exit"
)

const envPrefix = "FINSVC_"

// Setting is something that can be set: by its flag, else by its variable, else it is as Default has it. The help of
// the commands and what finsvc config prints are made of these.
type Setting struct {
	Flag    string      // without dashes; the variable is called after it
	Value   pflag.Value // of the config
	what    string      // stands for the value, such as FILE
	Meaning string      // for the help and finsvc config, begins in lower case
	usual   string      // what counts when nothing is set, where value does not say
	bare    string      // what the flag means without a value
	Secret  bool        // has no flag, as others see the arguments of a process, and a setting with -file beside it
}

// Variable is the environment's name for the setting.
func (s Setting) Variable() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(s.Flag, "-", "_"))
}

// Settings are all that there are, in the order in which finsvc config prints them. To add one, add a field to config,
// with what is usual in Default, and a row here, and name it in the command that takes the flag.
func (c *Config) Settings() []Setting {
	rows := []Setting{
		{Flag: "data", Value: (*text)(&c.Data), what: "FILE", Meaning: "the database file"},
		{Flag: "listen", Value: (*text)(&c.Listen), what: "ADDRESS",
			Meaning: "where the server listens; :7117 is every interface, unix:/run/finsvc.sock a socket that is a file"},
		{Flag: "import-max", Value: &c.ImportMax, what: "SIZE", Meaning: "longest import"},
		{Flag: "log", Value: &c.Log, what: "FORMAT", Meaning: "how the log is written: text, json, or auto, which is text on a terminal, else JSON"},
		{Flag: "log-level", Value: (*level)(&c.LogLevel), what: "LEVEL",
			Meaning: "what is logged: debug, info, warn or error"},
		{Flag: "mcp", Value: &c.MCP, what: "off|read|write", bare: string(MCPRead),
			Meaning: "whether desktop assistants may ask at /mcp with a key, by the Model Context Protocol: read looks, write changes as well, with a key that may"},
		{Flag: "currency", Value: (*text)(&c.Currency), what: "CODE", Meaning: "currency of a new household",
			usual: "that of the locale (LC_ALL, LC_MONETARY, LANG), else USD"},
		{Flag: "prices-url", Value: &c.PricesURL, what: "URL",
			Meaning: "address that CSV with prices is read from, with {ticker}, {mic}, {from} and {to} in it",
			usual:   "nowhere"},
		{Flag: "rates-url", Value: &c.RatesURL, what: "URL",
			Meaning: "address that a file of exchange rates is read from, with the days {from} and {to} in it or without", usual: "nowhere"},
	}
	return slices.Concat(rows, c.Network.settings(), c.Backup.settings(), c.AI.settings())
}

// Setting is the one of that name.
func (c *Config) Setting(flag string) Setting {
	rows := c.Settings()
	return rows[slices.IndexFunc(rows, func(s Setting) bool { return s.Flag == flag })]
}

// AddFlags makes the flags of the settings that are named.
func (c *Config) AddFlags(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		c.Setting(name).AddTo(flags)
	}
}

// AddTo makes the setting's flag.
func (s Setting) AddTo(flags *pflag.FlagSet) {
	note := "$" + s.Variable()
	if s.usual != "" {
		note += "; default: " + s.usual
	}
	f := flags.VarPF(placeholder{s.Value, s.what}, s.Flag, "", fmt.Sprintf("%s (%s)", s.Meaning, note))
	f.NoOptDefVal = s.bare
}

// placeholder is a flag's value for which a word of its own stands in the help.
type placeholder struct {
	pflag.Value
	word string
}

// Type is the word.
func (p placeholder) Type() string { return p.word }

// FromEnvironment takes from the environment what it has. A variable that means nothing is an error: a
// mistyped one must not silently leave a setting as it was.
func FromEnvironment(env Environment) (Config, error) {
	c := Default()
	known := map[string]Setting{}
	for _, s := range c.Settings() {
		known[s.Variable()] = s
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if !strings.HasPrefix(name, envPrefix) || madeByKubernetes(name, env[name]) || setByCompletion(name) {
			continue
		}
		s, ok := known[name]
		if !ok {
			return c, unknownVariable(name, env[name], slices.Sorted(maps.Keys(known)))
		}
		if env[name] == "" {
			continue
		}
		if err := s.Value.Set(env[name]); err != nil {
			return c, exit.Usagef("the environment variable %s %s", name, err)
		}
	}
	return c, nil
}

// madeByKubernetes reports whether the variable is one that Kubernetes sets in every container when a
// service is named finsvc: FINSVC_PORT is an address then, such as tcp://10.0.0.1:7117.
func madeByKubernetes(name, value string) bool {
	rest, isPort := strings.CutPrefix(strings.TrimPrefix(name, envPrefix), "PORT")
	if !isPort {
		return rest == "SERVICE_HOST" || rest == "SERVICE_PORT" || strings.HasPrefix(rest, "SERVICE_PORT_")
	}
	number, of, _ := strings.Cut(strings.TrimPrefix(rest, "_"), "_")
	_, err := strconv.ParseUint(number, 10, 16)
	return rest == "" && strings.Contains(value, "://") || err == nil && of != ""
}

// setByCompletion reports whether the variable is one that the scripts for shells set, which are made by cobra.
func setByCompletion(name string) bool {
	return name == envPrefix+"ACTIVE_HELP" || name == envPrefix+"COMPLETION_DESCRIPTIONS"
}

// otherNames are what people call settings, without the prefix: where other programs have variables of such names.
func otherNames() map[string]string {
	return map[string]string{
		"PORT": "LISTEN", "HOST": "LISTEN", "ADDR": "LISTEN", "ADDRESS": "LISTEN", "BIND": "LISTEN",
		"BIND_ADDRESS": "LISTEN", "LISTEN_ADDRESS": "LISTEN",
		"DB": "DATA", "DATABASE": "DATA", "DATABASE_URL": "DATA", "DB_PATH": "DATA", "FILE": "DATA", "PATH": "DATA",
		"DATA_DIR": "DATA", "DATA_FILE": "DATA",
		"BASE_URL": "BASE_PATH", "LOGLEVEL": "LOG_LEVEL", "LOG_FORMAT": "LOG", "BACKUPS": "BACKUP_DIR",
		"BACKUP": "BACKUP_DIR",
	}
}

// unknownVariable says what may have been meant.
func unknownVariable(name, value string, known []string) error {
	meant, ok := otherNames()[strings.TrimPrefix(name, envPrefix)]
	if !ok {
		return exit.Usagef("the environment variable %s means nothing%s", name, suggestion(name, known))
	}
	example := ""
	if port, err := strconv.ParseUint(value, 10, 16); err == nil && meant == "LISTEN" {
		example = fmt.Sprintf(", such as %sLISTEN=127.0.0.1:%d, or :%[2]d for every interface", envPrefix, port)
	}
	return exit.Usagef("the environment variable %s means nothing; did you mean %s%s%s?", name, envPrefix, meant,
		example)
}

// text is a setting that is taken as it is. It is a flag's value.
type text string

// Set takes any text.
func (t *text) Set(s string) error { *t = text(s); return nil }

// String is the text.
func (t *text) String() string { return string(*t) }

// Type stands for the value in the help.
func (t *text) Type() string { return "TEXT" }

// wholeUnits is a time without units of which there are none, such as 24h or 1m30s.
func wholeUnits(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}
