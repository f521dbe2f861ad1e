package disk

import "testing"

// TestKindsOfFileSystems by the numbers of statfs(2): on those of the network nothing is kept.
func TestKindsOfFileSystems(t *testing.T) {
	t.Parallel()
	for magic, want := range map[uint32]string{0x6969: "nfs", 0xff534d42: "smb", 0xfe534d42: "smb", 0x01021997: "9p"} {
		if kind := networkKind(magic); kind != want || localKind(magic) != "" {
			t.Errorf("%x: got %q, want %q, of the network", magic, kind, want)
		}
	}
	for magic, want := range map[uint32]string{0xef53: "ext4", 0x9123683e: "btrfs", 0x794c7630: "overlay", 0x01021994: "tmpfs", 0x4d44: "vfat", 0x1234: ""} {
		if got := localKind(magic); got != want || networkKind(magic) != "" {
			t.Errorf("%x: got %q, want %q, local", magic, got, want)
		}
	}
}
