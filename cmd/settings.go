package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"finsvc/cmd/exit"

	"github.com/spf13/pflag"
)

const envPrefix = "FINSVC_"

// setting is something that can be set: by its flag, else by its variable, else it is as newConfig has it. The help of
// the commands and what finsvc config prints are made of these.
type setting struct {
	flag    string      // without dashes; the variable is called after it
	value   pflag.Value // of the config
	what    string      // stands for the value, such as FILE
	meaning string      // for the help and finsvc config, begins in lower case
	usual   string      // what counts when nothing is set, where value does not say
	bare    string      // what the flag means without a value
	secret  bool        // has no flag, as others see the arguments of a process, and a setting with -file beside it
}

// variable is the environment's name for the setting.
func (s setting) variable() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(s.flag, "-", "_"))
}

// settings are all that there are, in the order in which finsvc config prints them. To add one, add a field to config, with
// what is usual in newConfig, and a row here, and name it in the command that takes the flag.
func (c *config) settings() []setting {
	rows := []setting{
		{flag: "data", value: (*text)(&c.Data), what: "FILE", meaning: "the database file"},
		{flag: "listen", value: (*text)(&c.Listen), what: "ADDRESS", meaning: "where the server listens; :7117 is every interface, unix:/run/finsvc.sock a socket that is a file"},
		{flag: "import-max", value: &c.ImportMax, what: "SIZE", meaning: "longest import"},
		{flag: "log", value: &c.Log, what: "FORMAT", meaning: "how the log is written: text, json, or auto, which is text on a terminal, else JSON"},
		{flag: "log-level", value: (*level)(&c.LogLevel), what: "LEVEL", meaning: "what is logged: debug, info, warn or error"},
		{flag: "currency", value: (*text)(&c.Currency), what: "CODE", meaning: "currency of a new household", usual: "that of the locale (LC_ALL, LC_MONETARY, LANG), else USD"},
		{flag: "prices-url", value: &c.PricesURL, what: "URL", meaning: "address that CSV with prices is read from, with {ticker}, {mic}, {from} and {to} in it", usual: "nowhere"},
		{flag: "rates-url", value: &c.RatesURL, what: "URL", meaning: "address that a file of exchange rates is read from, with the days {from} and {to} in it or without", usual: "nowhere"},
	}
	return slices.Concat(rows, c.Network.settings(), c.Backup.settings(), c.AI.settings())
}

// setting is the one of that name.
func (c *config) setting(flag string) setting {
	rows := c.settings()
	return rows[slices.IndexFunc(rows, func(s setting) bool { return s.flag == flag })]
}

// addFlags makes the flags of the settings that are named.
func (c *config) addFlags(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		c.setting(name).addTo(flags)
	}
}

// addTo makes the setting's flag.
func (s setting) addTo(flags *pflag.FlagSet) {
	note := "$" + s.variable()
	if s.usual != "" {
		note += "; default: " + s.usual
	}
	f := flags.VarPF(placeholder{s.value, s.what}, s.flag, "", fmt.Sprintf("%s (%s)", s.meaning, note))
	f.NoOptDefVal = s.bare
}

// placeholder is a flag's value for which a word of its own stands in the help.
type placeholder struct {
	pflag.Value
	word string
}

// Type is the word.
func (p placeholder) Type() string { return p.word }

// configOf takes from the environment what it has. A variable that means nothing is an error: a
// mistyped one must not silently leave a setting as it was.
func configOf(env environment) (config, error) {
	c := newConfig()
	known := map[string]setting{}
	for _, s := range c.settings() {
		known[s.variable()] = s
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if !strings.HasPrefix(name, envPrefix) || madeByKubernetes(name, env[name]) {
			continue
		}
		s, ok := known[name]
		if !ok {
			return c, unknownVariable(name, env[name], slices.Sorted(maps.Keys(known)))
		}
		if env[name] == "" {
			continue
		}
		if err := s.value.Set(env[name]); err != nil {
			return c, exit.Usagef("the environment variable %s %s", name, err)
		}
	}
	return c, nil
}

// madeByKubernetes says whether the variable is one that Kubernetes sets in every container when a
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

// otherNames are what people call settings, without the prefix: where other programs have variables of such names.
func otherNames() map[string]string {
	return map[string]string{
		"PORT": "LISTEN", "HOST": "LISTEN", "ADDR": "LISTEN", "ADDRESS": "LISTEN", "BIND": "LISTEN", "BIND_ADDRESS": "LISTEN", "LISTEN_ADDRESS": "LISTEN",
		"DB": "DATA", "DATABASE": "DATA", "DATABASE_URL": "DATA", "DB_PATH": "DATA", "FILE": "DATA", "PATH": "DATA", "DATA_DIR": "DATA", "DATA_FILE": "DATA",
		"BASE_URL": "BASE_PATH", "LOGLEVEL": "LOG_LEVEL", "LOG_FORMAT": "LOG", "BACKUPS": "BACKUP_DIR", "BACKUP": "BACKUP_DIR",
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
	return exit.Usagef("the environment variable %s means nothing; did you mean %s%s%s?", name, envPrefix, meant, example)
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
