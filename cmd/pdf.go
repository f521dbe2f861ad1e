package cmd

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/importer"
)

// pdfTextCommand is the name of the command that a process which reads a PDF is started with.
const pdfTextCommand = "pdf-text"

// statusOutOfMemory is how a reader of a PDF ends that takes too much memory. Nobody sees it but its parent.
const statusOutOfMemory = 3

// newPDFText is the process that reads a PDF for another one, see [importer.PDFText].
func newPDFText(a *app) *cobra.Command {
	return &cobra.Command{
		Use: pdfTextCommand, Short: "Print the words of a PDF, for the program itself", Args: cobra.NoArgs, Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			importer.LimitPDFReader(func() { os.Exit(statusOutOfMemory) })
			return importer.PDFText(a.Stdin, a.Stdout)
		},
	}
}

// pdfReader is the command line of that process.
func pdfReader() []string { return ownCommand(pdfTextCommand) }

// ownCommand is the command line of another process of this program; nil where the program does not know its own file. Nothing else
// in the module may ask for that file: what must be run is given to it. In a test it is the test's, which runs its tests all over again
// unless its TestMain knows the command, see TestMain.
func ownCommand(words ...string) []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return append([]string{self}, words...)
}

// typeOf is the type of import that the name of a file speaks for; blank where it says nothing.
func typeOf(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".pdf":
		return importer.PdfImport
	case ".qif":
		return "QifImport"
	case ".ndjson", ".zip":
		return "ServiceImport"
	}
	return ""
}
