package config

import (
	"fmt"

	"finsvc/ledger"
)

// OnOff is a flag that says on or off.
type OnOff bool

// Set reads the word.
func (o *OnOff) Set(text string) error {
	if text != "on" && text != "off" {
		return fmt.Errorf("must be on or off, got %s", ledger.Quote(text))
	}
	*o = text == "on"
	return nil
}

// String is the word.
func (o OnOff) String() string {
	if o {
		return "on"
	}
	return "off"
}

// Type is what the help calls the value.
func (o OnOff) Type() string { return "on|off" }
