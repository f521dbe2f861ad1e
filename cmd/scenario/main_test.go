package scenario_test

import (
	"context"
	"os"
	"testing"

	"finsvc/cmd/cmdtest"
)

func TestMain(m *testing.M) { os.Exit(cmdtest.Main(context.Background(), m)) }
