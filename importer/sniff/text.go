package sniff

import (
	"bytes"
	"strings"
	"unicode"

	"finsvc/importer/record"
)

// plainHead is the text of a head in small letters without what stands before it: a byte order mark and white space.
// Of a text in UTF-16 the zeros are left out, which is enough to know it.
func plainHead(head []byte) string {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return strings.ToLower(strings.TrimLeftFunc(string(head), unicode.IsSpace))
}

// sniffText knows formats of text that are no tables.
func sniffText(text string) sniffed {
	begins := func(list ...string) bool {
		for _, part := range list {
			if strings.HasPrefix(text, part) {
				return true
			}
		}
		return false
	}
	has := func(part string) bool { return strings.Contains(text, part) }
	switch {
	case begins("%pdf-"):
		return sniffed{what: "a PDF", then: "choose the type PdfImport, which reads statements with text in them",
			kind: record.PdfImport}
	case begins("ofxheader", "<?ofx", "<ofx>") || begins("<?xml") && (has("<?ofx") || has("<ofx>")):
		return sniffed{what: "a file for finance programs (OFX or QFX)", then: asBank}
	case begins("<") && has("urn:iso:std:iso:20022:tech:xsd:camt.") || begins("<") && has("<bktocstmr"):
		return sniffed{what: "a statement in XML (CAMT, ISO 20022)", then: asBank}
	case begins("<") && has("urn:iso:std:iso:20022:tech:xsd:pain."):
		return sniffed{what: "an order of payments in XML (ISO 20022), not what was booked", then: asBank}
	case begins(":20:", "{1:f01", ":940:", ":942:") || begins("\x01") && has(":20:"), hasLines(text, ":20:", ":25:"):
		return sniffed{what: "a statement of the interbank kind (MT940)", then: asBank}
	case begins("<?xml", "<workbook") && has("urn:schemas-microsoft-com:office:spreadsheet"):
		return sniffed{what: "an Excel workbook in XML", then: saveTable}
	case begins("<!doctype html", "<html", "<table", "<head", "<meta", "<body", "<div", "<style", "<script") ||
		begins("<?xml", "<!--") && (has("<html") || has("<table")):
		return sniffed{what: "a web page (HTML), whatever its name says",
			then: "open it in a spreadsheet and save it as CSV (UTF-8), or export CSV from the bank; it may also be a page that asks for a password"}
	case begins("<?xml", "<document", "<gnc"):
		return sniffed{what: "a file in XML", then: asTable}
	case begins("!type:", "!account", "!option:", "!clear:"):
		return sniffed{what: "a file of the Quicken Interchange Format", then: "choose the type QifImport",
			kind: record.QifImport}
	case begins("mime-version:", "return-path:", "received:", "delivered-to:", "from:") && has("content-type:"):
		return sniffed{what: "a mail", then: "save what is attached to it, and send that"}
	case begins("{", "["):
		return sniffJSON(text)
	}
	return sniffed{}
}

// hasLines reports whether a text has lines among its first that begin so, each once at least.
func hasLines(text string, beginnings ...string) bool {
	lines := strings.FieldsFunc(text[:min(len(text), 1_000)], func(r rune) bool { return r == '\n' || r == '\r' })
	for _, part := range beginnings {
		found := false
		for _, line := range lines {
			found = found || strings.HasPrefix(line, part)
		}
		if !found {
			return false
		}
	}
	return true
}

// sniffJSON tells JSON from a table whose first cell begins with a bracket.
func sniffJSON(text string) sniffed {
	inner := strings.TrimLeftFunc(text[1:], unicode.IsSpace)
	list := text[0] == '['
	switch {
	case !list && strings.HasPrefix(inner, `"type":`), !list && strings.HasPrefix(inner, `"type" :`):
		return sniffed{what: "a backup in lines of JSON", then: "choose the type ServiceImport if it is one of a household", kind: record.ServiceImport}
	case !list && (strings.HasPrefix(inner, `"`) || strings.HasPrefix(inner, "}")),
		list && (strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "[")):
		return sniffed{what: "a file in JSON", then: asTable, json: true}
	}
	return sniffed{}
}
