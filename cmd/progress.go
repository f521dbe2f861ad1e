package cmd

import (
	"io"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far long work is: on a terminal as a bar with rate and time left, else as a line whenever another
// tenth is done. It has no colours.
type progress struct {
	app    *app
	unit   string // of what is counted, such as rows
	bar    *progressbar.ProgressBar
	tenths int64
}

// newProgress begins to show work; it must be closed.
func (a *app) newProgress(unit string) *progress {
	p := &progress{app: a, unit: unit}
	if a.animates() {
		p.bar = progressbar.NewOptions64(1, append(a.barOptions(), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(unit), progressbar.OptionSetPredictTime(true))...)
	}
	return p
}

func (a *app) barOptions() []progressbar.Option {
	options := []progressbar.Option{progressbar.OptionSetWriter(a.stderr), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(progressEvery), progressbar.OptionClearOnFinish()}
	if !a.env.utf8() {
		options = append(options, progressbar.OptionSetTheme(progressbar.ThemeASCII), progressbar.OptionSpinnerType(9)) // | / - \
	}
	return options
}

// show says that so many are done, of so many in all.
func (p *progress) show(done, total int64) error {
	switch {
	case p.bar != nil:
		p.bar.ChangeMax64(max(1, total))
		return p.bar.Set64(done)
	case total > 0 && done*10/total > p.tenths:
		p.tenths = done * 10 / total
		p.app.say("%d of %d %s (%d %%)", done, total, p.unit, p.tenths*10)
	}
	return nil
}

func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Finish() // a terminal that cannot be written to shows nothing anyway
	}
}

// counted is what is written to a file whose length nobody knows before. On a terminal it shows how much that is.
type counted struct {
	io.Writer
	bar *progressbar.ProgressBar
}

// count begins to show what is written; it must be ended by endCount.
func (a *app) count(w io.Writer) *counted {
	c := &counted{Writer: w}
	if a.animates() {
		c.bar = progressbar.NewOptions64(-1, append(a.barOptions(), progressbar.OptionShowBytes(true))...)
		a.clear = func() { _ = c.bar.Clear() } // a terminal that cannot be written to shows nothing anyway
	}
	return c
}

// Write writes, and counts what was written.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if c.bar != nil {
		_ = c.bar.Add(n) // a terminal that cannot be written to shows nothing anyway
	}
	return n, err
}

// endCount takes away what count shows.
func (a *app) endCount() {
	a.wipe()
	a.clear = nil
}

// wipe makes room for a line where something is shown that changes.
func (a *app) wipe() {
	if a.clear != nil {
		a.clear()
	}
}
