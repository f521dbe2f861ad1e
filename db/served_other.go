//go:build !linux

package db

import (
	"errors"
	"os"
)

// Locks that closing the file elsewhere in the process leaves alone are known of Linux only.

func takeServed(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func isServed(*os.File) (bool, error) { return false, errors.ErrUnsupported }
