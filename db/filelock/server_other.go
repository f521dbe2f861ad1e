//go:build !linux

package filelock

import (
	"errors"
	"os"
)

// Locks that closing the file elsewhere in the process leaves alone are known of Linux only.

// TakeServer gives [errors.ErrUnsupported].
func TakeServer(*os.File) (bool, error) { return false, errors.ErrUnsupported }

// HasServer gives [errors.ErrUnsupported].
func HasServer(*os.File) (bool, error) { return false, errors.ErrUnsupported }
