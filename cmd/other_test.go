//go:build !unix

package cmd_test

import "os/exec"

// becomeNobody is needed where there are modes of files only.
func becomeNobody(*exec.Cmd) {}
