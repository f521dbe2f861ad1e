package disk

import (
	"path/filepath"
	"syscall"
	"unsafe"
)

// Of returns what a folder lies on.
func Of(folder string) (Info, error) {
	kernel := syscall.NewLazyDLL("kernel32.dll")
	name, err := syscall.UTF16PtrFromString(folder)
	if err != nil {
		return Info{}, err
	}
	var free, total, all uint64
	done, _, err := kernel.NewProc("GetDiskFreeSpaceExW").Call(uintptr(unsafe.Pointer(name)),
		uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)), uintptr(unsafe.Pointer(&all)))
	if done == 0 {
		return Info{}, err
	}
	root, err := syscall.UTF16PtrFromString(filepath.VolumeName(folder) + `\`)
	if err != nil {
		return Info{}, err
	}
	const remote = 4 // DRIVE_REMOTE
	kind, _, _ := kernel.NewProc("GetDriveTypeW").Call(uintptr(unsafe.Pointer(root)))
	return Info{Network: kind == remote, Free: int64(free), Total: int64(total)}, nil
}
