package db

import (
	"errors"
	"syscall"
)

// networkFileSystem names the network file system that a folder lies on; empty when it is local. The
// numbers are the f_type values of statfs(2).
func networkFileSystem(folder string) string {
	var stat syscall.Statfs_t
	if syscall.Statfs(folder, &stat) != nil {
		return ""
	}
	switch uint32(stat.Type) {
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

func isReadOnlyDisk(err error) bool { return errors.Is(err, syscall.EROFS) }
