package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// inspectWhole looks at all of a copy.
func (a *app) inspectWhole(ctx context.Context, file string) (copyReport, error) {
	return a.inspect(ctx, file, everything)
}

// inspectApart does so in a process of its own, the program itself: what the check takes of memory, some 90 MB for a million
// transactions, goes with it, while a server's would stay in pieces between what it has besides.
func (a *app) inspectApart(ctx context.Context, file string) (r copyReport, err error) {
	self, err := os.Executable()
	if err != nil { // the program does not know its own file
		return a.inspectWhole(ctx, file)
	}
	var said bytes.Buffer
	verify := exec.CommandContext(ctx, self, "backup", "verify", file, "--json", "--data", a.config.Data)
	verify.Env, verify.Stderr = []string{}, &said
	out, err := verify.Output()
	if json.Unmarshal(out, &r) == nil {
		return r, nil // a report, and in it whatever defects there are
	}
	return r, fmt.Errorf("%w: %w: %s", errUnchecked, err, strings.TrimSpace(said.String()))
}
