package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/assistant/provider"
	"finsvc/cmd/exit"
	"finsvc/ledger"
)

// AI is every setting of the assistant.
type AI struct {
	Assistant OnOff       // whether anybody may chat
	URL       providerURL // of the provider; empty: none, and the built-in engine answers
	Key       string      // never a flag: others see the arguments of a process
	KeyFile   string
	Model     string
	Timeout   patience
	Context   bounded // tokens; 0: what is usual where the provider is
	Rounds    bounded
	LocalOnly OnOff
}

func DefaultAI() AI {
	return AI{Assistant: true, Timeout: patience(provider.DefaultTimeout),
		Context: bounded{least: assistant.DefaultContext, most: 4 << 20},
		Rounds:  bounded{Value: assistant.DefaultRounds, least: 1, most: 50}}
}

func (c *AI) settings() []Setting {
	return []Setting{
		{Flag: "assistant", Value: &c.Assistant, what: "on|off", Meaning: "whether people may chat"},
		{Flag: "ai-url", Value: &c.URL, what: "URL", Meaning: "provider of models that speaks the OpenAI protocol, such as http://localhost:11434/v1", usual: "none, the program answers itself"},
		{Flag: "ai-model", Value: (*text)(&c.Model), what: "MODEL",
			Meaning: "the model that answers; needed with a provider"},
		{Flag: "ai-key", Value: (*text)(&c.Key), Meaning: "the provider's key, if it wants one", Secret: true},
		{Flag: "ai-key-file", Value: (*text)(&c.KeyFile), what: "FILE",
			Meaning: "file with the provider's key, instead"},
		{Flag: "ai-timeout", Value: &c.Timeout, what: "TIME",
			Meaning: "how long the model may be silent, before its first word and within its answer, which may take ten times as long"},
		{Flag: "ai-context", Value: &c.Context, what: "TOKENS", Meaning: "length of a prompt",
			usual: "4096 where the address of the provider looks local, else 32768"},
		{Flag: "ai-rounds", Value: &c.Rounds, what: "N", Meaning: "how often the model may call tools for one answer"},
		{Flag: "assistant-local-only", Value: &c.LocalOnly, what: "on|off",
			Meaning: "refuse a provider whose address is not loopback or private, whatever its name", bare: "on"},
	}
}

// AddFlags makes the flags that set up the assistant.
func (c *AI) AddFlags(flags *pflag.FlagSet) {
	for _, s := range c.settings() {
		if !s.Secret {
			s.AddTo(flags)
		}
	}
}

// Words say who answers questions.
func (c *AI) Words() string {
	switch {
	case !bool(c.Assistant):
		return "off"
	case c.URL == "":
		return "built in"
	}
	return c.Model + " at " + HostOf(string(c.URL))
}

// HostOf is the host in an address, without what else may stand there.
func HostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host[strings.LastIndex(host, "@")+1:]
}

// PromptTokens is how many tokens a prompt may have.
func (c *AI) PromptTokens() int {
	usual := assistant.DefaultHostedContext // the built-in engine has no limit of its own
	if c.URL != "" && provider.LocalAddress(string(c.URL)) {
		usual = assistant.DefaultContext
	}
	return cmp.Or(c.Context.Value, usual)
}

// Provider reads and checks the settings of the provider; nil when none is set, or none is asked as the assistant is
// off. What others may read that should be secret is told by warn.
func (c *AI) Provider(warn func(format string, args ...any)) (*provider.Options, error) {
	if !bool(c.Assistant) {
		return nil, nil
	}
	return c.checkedProvider(warn)
}

// NewRemote makes the client of the provider that is set, also when the assistant is off; nil when none is.
func (c *AI) NewRemote(engine *engine.Engine, warn func(format string, args ...any)) (*provider.Client, error) {
	o, err := c.checkedProvider(warn)
	if err != nil || o == nil {
		return nil, err
	}
	o.Engine = engine
	return provider.New(*o)
}

func (c *AI) checkedProvider(warn func(format string, args ...any)) (*provider.Options, error) {
	switch {
	case c.URL == "" && c.Model == "":
		return nil, nil
	case c.URL == "":
		return nil, exit.Usagef("the model %s needs a provider: give --ai-url or $FINSVC_AI_URL too, such as --ai-url http://localhost:11434/v1", ledger.Quote(c.Model))
	case c.Model == "":
		return nil, exit.Usagef("a provider needs a model: give --ai-model or $FINSVC_AI_MODEL too, such as --ai-model qwen3:8b")
	}
	key, err := c.key(warn)
	if err != nil {
		return nil, err
	}
	o := provider.Options{URL: string(c.URL), Key: key, Model: c.Model, Timeout: time.Duration(c.Timeout),
		LocalOnly: bool(c.LocalOnly)}
	remote, err := provider.New(o) // which connects to nothing yet
	if err != nil {
		return nil, exit.Usagef("the settings of the assistant's provider are wrong: %s", err)
	}
	remote.Close()
	return &o, nil
}

// maxKey is more bytes than any provider's key has.
const maxKey = 4096

// key is the provider's key, from the variable or from the file.
func (c *AI) key(warn func(format string, args ...any)) (string, error) {
	switch {
	case c.KeyFile == "":
		return strings.TrimSpace(c.Key), nil
	case c.Key != "":
		return "", exit.Usagef("the provider's key is set twice: leave out $FINSVC_AI_KEY, or the file %s",
			ledger.Quote(c.KeyFile))
	}
	text, err := readKey(c.KeyFile, warn)
	if err != nil {
		return "", fmt.Errorf("read the key of the assistant's provider: %w", err)
	}
	key := strings.TrimSpace(text)
	if key == "" || len(key) > maxKey {
		return "", exit.Usagef("the file %s must have the provider's key in it and nothing else, has %d bytes",
			ledger.Quote(c.KeyFile), len(text))
	}
	return key, nil
}

func readKey(name string, warn func(format string, args ...any)) (text string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if OpenTo(info, 0o007) {
		warn("Warning: everybody on this machine may read the key in %s. Better: chmod 600 '%s'", ledger.Quote(name),
			name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	return string(data), err
}

// providerURL is the address of a provider, empty for none. It is a flag's value.
type providerURL string

// Set takes an address and completes it, see [provider.CompleteURL].
func (u *providerURL) Set(text string) error {
	address, err := provider.CompleteURL(text)
	if err == nil {
		*u = providerURL(address)
	}
	return err
}

// String is the address.
func (u *providerURL) String() string { return string(*u) }

// Type stands for the value in the help.
func (u *providerURL) Type() string { return "URL" }

// patience is how long something is waited for. It is a flag's value.
type patience time.Duration

// Set takes a time from a second to an hour.
func (p *patience) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d > time.Hour {
		return fmt.Errorf("must be a time from 1s to 1h such as 90s, got %q", text)
	}
	*p = patience(d)
	return nil
}

// String is the time, without units of which there are none.
func (p *patience) String() string {
	return wholeUnits(time.Duration(*p))
}

// Type stands for the value in the help.
func (p *patience) Type() string { return "TIME" }

// bounded is a whole number within bounds; 0 stands for none. It is a flag's value.
type bounded struct{ Value, least, most int }

// Set takes a number within the bounds.
func (b *bounded) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < b.least || n > b.most {
		return fmt.Errorf("must be a whole number from %d to %d, got %q", b.least, b.most, text)
	}
	b.Value = n
	return nil
}

// String is the number, empty when there is none.
func (b *bounded) String() string {
	if b.Value == 0 {
		return ""
	}
	return strconv.Itoa(b.Value)
}

// Type stands for the value in the help.
func (b *bounded) Type() string { return "N" }
