package copies

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// Apart inspects in a process of its own, begun by a command that prints the report of the file named after it: what
// the check takes of memory, some 90 MB for a million transactions, goes with the process, while a server's would stay
// in pieces between what it has besides.
func Apart(command []string, data string) Inspection {
	return func(ctx context.Context, file string) (r Report, err error) {
		var said bytes.Buffer
		verify := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], file, "--json",
			"--data", data)...)
		verify.Env, verify.Stderr = []string{}, &said
		out, err := verify.Output()
		if json.Unmarshal(out, &r) == nil {
			return r, nil // a report, and in it whatever defects there are
		}
		return r, fmt.Errorf("%w: %w: %s", errUnchecked, err, strings.TrimSpace(said.String()))
	}
}
