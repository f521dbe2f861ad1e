package config

import (
	"fmt"
	"time"
)

// Backup is every setting of copies of the database.
type Backup struct {
	Dir   string // folder for copies; empty: beside the database
	Keep  bounded
	Every interval
}

// maxCopies is more than anybody keeps.
const maxCopies = 10_000

func defaultBackup() Backup {
	return Backup{Keep: bounded{Value: 14, least: 1, most: maxCopies}, Every: interval(24 * time.Hour)}
}

func (c *Backup) settings() []Setting {
	return []Setting{
		{Flag: "backup-dir", Value: (*text)(&c.Dir), what: "FOLDER", Meaning: "where copies of the database are kept",
			usual: "the folder backups beside the database"},
		{Flag: "backup-keep", Value: &c.Keep, what: "N", Meaning: "how many of its copies a server keeps"},
		{Flag: "backup-every", Value: &c.Every, what: "TIME",
			Meaning: "how often a server copies the database, if there is something new; off is never"},
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
