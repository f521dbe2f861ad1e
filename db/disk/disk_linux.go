package disk

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Of returns what a folder lies on. The numbers are the f_type values of statfs(2).
func Of(folder string) (Info, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return Info{}, err
	}
	const readOnly = 1 // ST_RDONLY
	d := Info{ReadOnly: stat.Flags&readOnly != 0 || stopped(folder), Free: int64(stat.Bavail) * int64(stat.Bsize),
		Total: int64(stat.Blocks) * int64(stat.Bsize)}
	d.Kind = networkKind(uint32(stat.Type))
	if d.Kind != "" {
		d.Network = true
		return d, nil
	}
	d.Kind = localKind(uint32(stat.Type))
	return d, nil
}

// stopped reports whether the system has ended all writes to a disk after an error. Newer kernels say so among the
// options of the mount, see proc_pid_mountinfo(5), and no longer among the flags.
func stopped(folder string) bool {
	var stat syscall.Stat_t
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil || syscall.Stat(folder, &stat) != nil {
		return false
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[2] == device(uint64(stat.Dev)) {
			options := strings.Split(fields[len(fields)-1], ",")
			return slices.Contains(options, "emergency_ro") || slices.Contains(options, "abort") // by an error, by root
		}
	}
	return false
}

// device is the number of a device as it is written, major and minor.
func device(n uint64) string {
	return fmt.Sprintf("%d:%d", n>>8&0xfff|n>>32&0xfffff000, n&0xff|n>>12&0xffffff00)
}

func networkKind(magic uint32) string {
	switch magic {
	case 0x6969:
		return "nfs"
	case 0x517b, 0xff534d42, 0xfe534d42:
		return "smb"
	case 0x01021997:
		return "9p"
	case 0x00c36400:
		return "ceph"
	case 0x5346414f:
		return "afs"
	}
	return ""
}

func localKind(magic uint32) string {
	switch magic {
	case 0xef53:
		return "ext4" // or one of those before it
	case 0x9123683e:
		return "btrfs"
	case 0x58465342:
		return "xfs"
	case 0x2fc12fc1:
		return "zfs"
	case 0xf2f52010:
		return "f2fs"
	case 0xca451a4e:
		return "bcachefs"
	case 0x01021994, 0x858458f6:
		return "tmpfs"
	case 0x794c7630:
		return "overlay"
	case 0x65735546:
		return "fuse"
	case 0x4d44:
		return "vfat"
	case 0x2011bab0:
		return "exfat"
	case 0x5346544e, 0x7366746e:
		return "ntfs"
	}
	return ""
}
