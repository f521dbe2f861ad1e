package embed

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io"
)

// Topic is a page of the handbook, the text for people who use the program; the folder is handbook.
type Topic struct {
	Name  string // by which it is asked for
	Title string // its first line
}

// HandbookTopics are the pages, in the order in which they are best read. None is called as a command is.
func HandbookTopics() []Topic {
	return []Topic{
		{"getting-started", "Getting started"},
		{"importing", "Importing"},
		{"duplicates", "Duplicates"},
		{"rules", "Rules"},
		{"bookkeeping", "Bookkeeping"},
		{"assistant", "Assistant"},
		{"exporting", "Exporting"},
		{"backups", "Backups"},
		{"server", "Server"},
		{"api", "API"},
		{"recipes", "Recipes"},
		{"troubleshooting", "Troubleshooting"},
		{"glossary", "Glossary"},
	}
}

// handbook is made of handbook/*.md by TestHandbookIsPacked of the handlers.
//
//go:embed handbook.zip
var handbook []byte

// Handbook reads a file of the packed handbook: NAME.txt is a page for terminals, NAME.html the same for browsers,
// index.html the list of all pages, and search.json what is searched. It fails with [io/fs.ErrNotExist] where there is
// none of that name.
//
// In a text for terminals a line that begins with a tab stands as it is, and every other line is a paragraph that is
// to be wrapped, with its indentation in front.
func Handbook(name string) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(handbook), int64(len(handbook)))
	if err != nil {
		return nil, err
	}
	file, err := archive.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// HandbookSearch searches the handbook in a browser: JavaScript.
//
//go:embed handbook.js
var HandbookSearch []byte
