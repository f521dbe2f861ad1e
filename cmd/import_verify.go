package cmd

import (
	"encoding/json"

	"finsvc/importer"
	"finsvc/queries"
)

// verificationLines say whether a backup was found in the books as it was read; nothing for other imports.
func verificationLines(imp queries.Import) [][2]string {
	var report importer.BackupReport
	if imp.Report == nil || json.Unmarshal([]byte(*imp.Report), &report) != nil {
		return nil
	}
	lines := [][2]string{{"read back", report.Readback.Status}}
	for _, sentence := range report.Differences {
		lines = append(lines, [2]string{"difference", sentence})
	}
	return lines
}

// sayVerification tells people how a backup that was imported differs from what is in the books.
func (j *importJob) sayVerification(imp queries.Import) {
	for _, line := range verificationLines(imp) {
		j.Say("  %s: %s", line[0], line[1])
	}
}
