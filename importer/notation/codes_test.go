package notation

import "testing"

// The check digits of real numbers were worked out by hand from ISO 6166.
func TestIsISIN(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"US0378331005": true, "IE00B4L5Y983": true, "DE0008404005": true, "AU0000XVGZA3": true, "GB0002634946": true,
		"US0378331006": false, "IE00B4L5Y93": false, "us0378331005": false, "0S0378331005": false, "US03783310Q5": false, "": false, "US037833100é": false,
	} {
		if got := IsISIN(cell); got != want {
			t.Errorf("%q: %v", cell, got)
		}
	}
}
