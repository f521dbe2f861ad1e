// Package qif reads files in the Quicken Interchange Format as records. The order of dates and the decimal mark are
// proved by the whole file, which is read before its first record.
package qif

import (
	"finsvc/importer/record"
	"finsvc/importer/source"
)

// Format is the format of files in the Quicken Interchange Format: sections of records, one field to a line.
type Format struct{}

func (Format) Settings(s record.Settings) record.Settings { return s }

func (Format) Open(file *source.File, s record.Settings, d record.Defaults) (record.Reader, error) {
	rows, err := openQIF(file, s, d)
	if err != nil {
		return nil, err
	}
	return rows, nil
}
