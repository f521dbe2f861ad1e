// Package sniff says by the first bytes of a file what it is, where it is none that its type of import reads: a
// picture, a workbook, an archive, a statement of another kind. It promises a sentence that says what to do instead.
// It never judges by a name, and knows no format further than its beginning.
package sniff

import (
	"bytes"
	"io"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
)

// headSize is how much of the beginning of a file tells what it is.
const headSize = 64 << 10

// sniffed is what the bytes of a file say that it is, and what its owner may do with it.
type sniffed struct {
	what string // continues "the file is"
	then string
	kind string // the type of import that reads it; blank when none does

	packed, json bool // as the backup of a household may be
}

// What to do with a file that no import reads.
const (
	asTable   = "export the transactions as CSV instead"
	saveTable = "open it and save the sheet as CSV (UTF-8)"
	unpack    = "unpack it first, and send the file that is in it"
	asBank    = "have the bank make CSV, or QIF for QifImport, of it"
	openUp    = "decrypt it first"
)

// Check refuses a file that a type of import does not read, naming what it is. What is no PDF, and no archive of a
// backup, the readers of these say themselves where nothing better is known.
func Check(kind string, file *source.File) error {
	content, err := file.Open()
	if err != nil {
		return err
	}
	head, err := io.ReadAll(io.LimitReader(content, headSize))
	if err != nil {
		return err
	}
	is := sniff(head)
	if is.what == "" || is.kind == kind || kind == record.ServiceImport && (is.packed || is.json) {
		return nil
	}
	return &text.FileError{Message: "is " + is.what + ", which " + kind + " does not read: " + is.then}
}

// magics are the first bytes of files that are no text.
func magics() []struct {
	bytes string
	is    sniffed
} {
	return []struct {
		bytes string
		is    sniffed
	}{
		{"\x89PNG\r\n\x1a\n", sniffed{what: "a picture (PNG)", then: asTable}},
		{"\xff\xd8\xff", sniffed{what: "a picture (JPEG)", then: asTable}},
		{"GIF8", sniffed{what: "a picture (GIF)", then: asTable}},
		{"II*\x00", sniffed{what: "a picture (TIFF)", then: asTable}},
		{"MM\x00*", sniffed{what: "a picture (TIFF)", then: asTable}},
		{"\x1f\x8b", sniffed{what: "a packed file (gzip)", then: unpack}},
		{"7z\xbc\xaf\x27\x1c", sniffed{what: "an archive (7z)", then: unpack}},
		{"Rar!\x1a\x07", sniffed{what: "an archive (RAR)", then: unpack}},
		{"\xfd7zXZ\x00", sniffed{what: "a packed file (xz)", then: unpack}},
		{"\x28\xb5\x2f\xfd", sniffed{what: "a packed file (zstd)", then: unpack}},
		{"SQLite format 3\x00", sniffed{what: "a database (SQLite)",
			then: "export the transactions from the program that it belongs to as CSV"}},
		{"Salted__", sniffed{what: "an encrypted file (OpenSSL)", then: openUp}},
		{"age-encryption.org/", sniffed{what: "an encrypted file (age)", then: openUp}},
		{"-----BEGIN PGP MESSAGE", sniffed{what: "an encrypted file (PGP)", then: openUp}},
		{"-----BEGIN AGE ENCRYPTED", sniffed{what: "an encrypted file (age)", then: openUp}},
		{"-----BEGIN PKCS7", sniffed{what: "an encrypted file (PKCS #7)", then: openUp}},
		{`{\rtf`, sniffed{what: "a text document (RTF)", then: asTable}},
		{"%PDF-", sniffed{what: "a PDF", then: "choose the type PdfImport, which reads statements with text in them",
			kind: record.PdfImport}},
	}
}

// sniff says what a file is that is no table of text, judging by its first bytes and never by its name; blank when it
// may be one.
func sniff(head []byte) sniffed {
	for _, magic := range magics() {
		if bytes.HasPrefix(head, []byte(magic.bytes)) {
			return magic.is
		}
	}
	has := func(part string) bool { return bytes.Contains(head, []byte(part)) }
	at := func(offset int, part string) bool {
		return len(head) >= offset+len(part) && string(head[offset:offset+len(part)]) == part
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return sniffZip(head)
	case bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return sniffed{what: "an empty archive (zip)", then: asTable, packed: true}
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) && has(wideText("EncryptedPackage")):
		return sniffed{what: "an Excel workbook with a password", then: "save it without a password as CSV (UTF-8)"}
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return sniffed{what: "an old Excel workbook (XLS)", then: saveTable}
	case bytes.HasPrefix(head, []byte("\x09\x08")) || bytes.HasPrefix(head, []byte("\x09\x04\x06\x00")):
		return sniffed{what: "an old Excel workbook (XLS)", then: saveTable}
	case at(4, "ftyp") && (at(8, "hei") || at(8, "hev") || at(8, "mif1") || at(8, "msf1") || at(8, "avif")):
		return sniffed{what: "a picture (HEIC)", then: asTable}
	case at(0, "RIFF") && at(8, "WEBP"):
		return sniffed{what: "a picture (WebP)", then: asTable}
	case at(0, "BM") && at(6, "\x00\x00\x00\x00"):
		return sniffed{what: "a picture (BMP)", then: asTable}
	case at(0, "BZh") && at(4, "1AY&SY"):
		return sniffed{what: "a packed file (bzip2)", then: unpack}
	case at(257, "ustar"):
		return sniffed{what: "an archive (tar)", then: unpack}
	}
	return sniffText(plainHead(head))
}

// wideText is a text of ASCII as it stands in files of Windows programs.
func wideText(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		b.WriteByte(0)
	}
	return b.String()
}

// sniffZip tells documents, which are zip archives of parts, from archives.
func sniffZip(head []byte) sniffed {
	has := func(part string) bool { return bytes.Contains(head, []byte(part)) }
	const encrypted = 1 // the lowest bit of the flags at byte 6
	switch {
	case has("application/vnd.oasis.opendocument.spreadsheet"):
		return sniffed{what: "a spreadsheet (ODS)", then: saveTable}
	case has("application/vnd.oasis.opendocument"):
		return sniffed{what: "a text document (OpenDocument)", then: asTable}
	case has("word/"):
		return sniffed{what: "a text document (DOCX)", then: asTable}
	case has("xl/") || has("[Content_Types].xml") || has("docProps/"):
		return sniffed{what: "an Excel workbook (XLSX)", then: saveTable}
	case has("Index/Document.iwa") || has("Index/Tables"):
		return sniffed{what: "a spreadsheet (Numbers)", then: saveTable}
	case len(head) > 6 && head[6]&encrypted != 0:
		return sniffed{what: "an archive with a password (zip)", then: unpack}
	case has("all.ndjson"):
		return sniffed{what: "a backup of a household (zip)", then: "choose the type ServiceImport",
			kind: record.ServiceImport}
	}
	return sniffed{what: "an archive (zip)", then: unpack, packed: true}
}
