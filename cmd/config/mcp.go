package config

import (
	"fmt"

	"finsvc/ledger"
)

// mcpMode is what desktop assistants may do over HTTP. It is a flag's value.
type mcpMode string

// The modes.
const (
	MCPOff   mcpMode = "off"
	MCPRead  mcpMode = "read"
	MCPWrite mcpMode = "write"
)

// Set takes a mode.
func (m *mcpMode) Set(text string) error {
	switch mcpMode(text) {
	case MCPOff, MCPRead, MCPWrite:
		*m = mcpMode(text)
		return nil
	}
	return fmt.Errorf("must be off, read or write, got %s", ledger.Quote(text))
}

// String is the mode.
func (m *mcpMode) String() string { return string(*m) }

// Type is what the help calls the value.
func (m *mcpMode) Type() string { return "off|read|write" }
