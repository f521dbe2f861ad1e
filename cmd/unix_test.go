//go:build unix

package cmd_test

import (
	"os/exec"
	"syscall"
)

// becomeNobody makes the command run as a user that owns nothing.
func becomeNobody(c *exec.Cmd) {
	const nobody = 65534
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}
