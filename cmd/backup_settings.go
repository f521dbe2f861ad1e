package cmd

import (
	"fmt"
	"time"
)

// backupConfig is every setting of copies of the database.
type backupConfig struct {
	Dir   string // folder for copies; empty: beside the database
	Keep  bounded
	Every interval
}

// maxCopies is more than anybody keeps.
const maxCopies = 10_000

func newBackupConfig() backupConfig {
	return backupConfig{Keep: bounded{value: 14, least: 1, most: maxCopies}, Every: interval(24 * time.Hour)}
}

func (c *backupConfig) settings() []setting {
	return []setting{
		{flag: "backup-dir", value: (*text)(&c.Dir), what: "FOLDER", meaning: "where copies of the database are kept", usual: "the folder backups beside the database"},
		{flag: "backup-keep", value: &c.Keep, what: "N", meaning: "how many of its copies a server keeps"},
		{flag: "backup-every", value: &c.Every, what: "TIME", meaning: "how often a server copies the database, if there is something new; off is never"},
	}
}

// interval is how often something happens; 0 is never. It is a flag's value.
type interval time.Duration

// maxInterval is more than anybody waits.
const maxInterval = 366 * 24 * time.Hour

// Set takes off, 0, or a time from a minute to a year.
func (i *interval) Set(text string) error {
	if text == "off" || text == "0" {
		*i = 0
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Minute || d > maxInterval {
		return fmt.Errorf("must be off or a time from 1m to 8784h such as 24h, got %q", text)
	}
	*i = interval(d)
	return nil
}

// String is the time, without units of which there are none.
func (i *interval) String() string {
	if *i == 0 {
		return "off"
	}
	return wholeUnits(time.Duration(*i))
}

// Type stands for the value in the help.
func (i *interval) Type() string { return "TIME" }
