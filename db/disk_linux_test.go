package db

import (
	"strings"
	"testing"
)

// TestKindsOfFileSystems by the numbers of statfs(2): on those of the network nothing is kept.
func TestKindsOfFileSystems(t *testing.T) {
	t.Parallel()
	for magic, want := range map[uint32]string{0x6969: "nfs", 0xff534d42: "smb", 0xfe534d42: "smb", 0x01021997: "9p"} {
		kind := networkKind(magic)
		text := onNetwork("/data/finance.db", Disk{Kind: kind, Network: true}).Error()
		if kind != want || !strings.HasPrefix(text, "/data/finance.db lies on a network file system ("+want+")") || !strings.Contains(text, "--backup-dir") {
			t.Errorf("%x: got %q, %q", magic, kind, text)
		}
	}
	for magic, want := range map[uint32]string{0xef53: "ext4", 0x9123683e: "btrfs", 0x794c7630: "overlay", 0x01021994: "tmpfs", 0x4d44: "vfat", 0x1234: ""} {
		if got := localKind(magic); got != want || networkKind(magic) != "" {
			t.Errorf("%x: got %q, want %q, local", magic, got, want)
		}
	}
}
