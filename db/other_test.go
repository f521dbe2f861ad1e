//go:build !unix

package db_test

import (
	"errors"
	"os/exec"
)

// becomeNobody is needed where there are modes of files only.
func becomeNobody(*exec.Cmd) {}

// limitFiles is for systems that can limit a process.
func limitFiles(int64) error { return errors.ErrUnsupported }
