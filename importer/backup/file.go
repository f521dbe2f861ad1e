package backup

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/dustin/go-humanize"

	"finsvc/importer/source"
	"finsvc/importer/text"
)

// What a backup may be at most: how many files there may be in an archive, and how many times longer than a file may
// be what comes out of it.
const (
	maxZipFiles = 1_000
	maxUnpacked = 8
)

// openBackup is the content of a backup: lines of JSON, or a zip archive that holds all.ndjson or one other file of
// that kind. Files are at most so many bytes long.
func openBackup(file *source.File, most int64) (*source.File, error) {
	packed, err := file.Open()
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(packed, text.SampleSize)
	start, _ := r.Peek(4)
	if string(start) == "PK\x03\x04" || string(start) == "PK\x05\x06" {
		return openArchive(r, maxUnpacked*most)
	}
	return file, nil
}

func openArchive(r io.Reader, most int64) (*source.File, error) {
	packed, err := io.ReadAll(r) // an import is no longer than may be kept
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, &text.FileError{Message: "is a damaged zip archive"}
	}
	entry, err := backupEntry(archive)
	if err != nil {
		return nil, err
	}
	return source.New(0, func() (io.Reader, error) {
		opened, err := entry.Open()
		if err != nil {
			return nil, &text.FileError{Message: "is a zip archive whose " + entry.Name + " cannot be unpacked"}
		}
		return &unpacking{src: opened, name: entry.Name, most: most}, nil
	}), nil
}

// backupEntry is the file of an archive that is the backup.
func backupEntry(archive *zip.Reader) (*zip.File, error) {
	if len(archive.File) > maxZipFiles {
		return nil, &text.FileError{Message: "is a zip archive of more than " + humanize.Comma(maxZipFiles) + " files"}
	}
	var found []*zip.File
	for _, entry := range archive.File {
		name := strings.ToLower(path.Base(strings.ReplaceAll(entry.Name, `\`, "/")))
		if name == "all.ndjson" {
			return entry, nil
		}
		if strings.HasSuffix(name, ".ndjson") && !strings.HasPrefix(name, ".") {
			found = append(found, entry)
		}
	}
	if len(found) != 1 {
		return nil, &text.FileError{Message: "is a zip archive without all.ndjson, or one other file whose name ends in .ndjson"}
	}
	return found[0], nil
}

// unpacking reads a file of an archive as long as it is not too large: what the archive says of that may be wrong.
type unpacking struct {
	src        io.Reader
	name       string
	read, most int64
}

// Read gives the following bytes of the file.
func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.src.Read(p)
	u.read += int64(n)
	switch {
	case u.read > u.most:
		return 0, &text.FileError{Message: "is a zip archive whose " + u.name + " is longer than " +
			humanize.IBytes(uint64(u.most))}
	case err != nil && !errors.Is(err, io.EOF):
		return 0, &text.FileError{Message: "is a zip archive whose " + u.name + " cannot be unpacked"}
	}
	return n, err
}
