package scenario_test

import (
	"fmt"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/db/dbtest"
)

func TestBeancountAgreesOnTheDemoHousehold(t *testing.T) {
	t.Parallel()
	d := cmdtest.NewCommandLine(t).Demo()
	s := cmdtest.NewCommandLine(t)
	s.File = d.File
	s.BeanCheck("Demo")
	d.End()
}

func TestBeancountAgreesOnGeneratedHouseholds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := cmdtest.NewCommandLine(t)
			s.File = dbtest.Path(t)
			cmdtest.NewHousehold(t, s.File, seed)
			s.BeanCheck("Generated")
		})
	}
}
