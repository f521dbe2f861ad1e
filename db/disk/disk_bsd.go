//go:build darwin || freebsd

package disk

import "syscall"

// Of returns what a folder lies on. The flags are those of statfs(2).
func Of(folder string) (Info, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return Info{}, err
	}
	const readOnly, local = 0x1, 0x1000 // MNT_RDONLY, MNT_LOCAL
	var kind []byte
	for _, c := range stat.Fstypename {
		if c == 0 {
			break
		}
		kind = append(kind, byte(c))
	}
	return Info{Kind: string(kind), Network: stat.Flags&local == 0, ReadOnly: stat.Flags&readOnly != 0,
		Free: int64(stat.Bavail) * int64(stat.Bsize), Total: int64(stat.Blocks) * int64(stat.Bsize)}, nil
}
