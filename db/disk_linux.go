package db

import "syscall"

// DiskOf says what a folder lies on. The numbers are the f_type values of statfs(2).
func DiskOf(folder string) (Disk, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return Disk{}, err
	}
	const readOnly = 1 // ST_RDONLY
	d := Disk{ReadOnly: stat.Flags&readOnly != 0, Free: int64(stat.Bavail) * int64(stat.Bsize), Total: int64(stat.Blocks) * int64(stat.Bsize)}
	if d.Kind = networkKind(uint32(stat.Type)); d.Kind != "" {
		d.Network = true
		return d, nil
	}
	d.Kind = localKind(uint32(stat.Type))
	return d, nil
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
