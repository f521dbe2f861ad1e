package disk_test

import (
	"path/filepath"
	"testing"

	"finsvc/db/disk"
)

func TestOf(t *testing.T) {
	t.Parallel()
	volume, err := disk.Of(t.TempDir())
	if err != nil || volume.Network || volume.ReadOnly || volume.Total > 0 && (volume.Free <= 0 || volume.Free > volume.Total) {
		t.Errorf("got %+v, %v", volume, err)
	}
	if volume, err := disk.Of(filepath.Join(t.TempDir(), "none")); volume.Total != 0 || err == nil && volume.Kind != "" {
		t.Errorf("of a folder that is not there: %+v, %v", volume, err)
	}
}
