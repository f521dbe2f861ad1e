package term

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// redrawn is how often a bar is drawn anew, at most.
const redrawn = 100 * time.Millisecond

// Progress shows how far long work is: on a terminal as a bar with rate and time left, else as a line whenever another
// tenth is done.
type Progress struct {
	terminal *Terminal
	unit     string // of what is counted, such as rows
	bar      *progressbar.ProgressBar
	tenths   int64
}

// NewProgress begins to show work that is counted in a unit, such as rows; it must be closed.
func (t *Terminal) NewProgress(unit string) *Progress {
	p := &Progress{terminal: t, unit: unit}
	if t.Animates() {
		p.bar = progressbar.NewOptions64(1, append(t.barOptions(), progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(unit), progressbar.OptionSetPredictTime(true))...)
	}
	return p
}

// Animates reports whether lines on standard error may change: a person sees them, and the terminal can go back.
func (t *Terminal) Animates() bool { return IsTerminal(t.Stderr) && !t.Dumb }

func (t *Terminal) barOptions() []progressbar.Option {
	options := []progressbar.Option{progressbar.OptionSetWriter(t.Stderr), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(redrawn), progressbar.OptionClearOnFinish()}
	if t.Plain {
		// | / - \
		options = append(options, progressbar.OptionSetTheme(progressbar.ThemeASCII), progressbar.OptionSpinnerType(9))
	}
	return options
}

// Show says that so many are done, of so many in all.
func (p *Progress) Show(done, total int64) error {
	switch {
	case p.bar != nil:
		p.bar.ChangeMax64(max(1, total))
		return p.bar.Set64(done)
	case total > 0 && done*10/total > p.tenths:
		p.tenths = done * 10 / total
		p.terminal.Say("%d of %d %s (%d %%)", done, total, p.unit, p.tenths*10)
	}
	return nil
}

// Close takes the bar away.
func (p *Progress) Close() {
	if p.bar != nil {
		_ = p.bar.Finish() // a terminal that cannot be written to shows nothing anyway
	}
}

// Counting has something written whose length nobody knows before. On a terminal it shows how much that is.
func (t *Terminal) Counting(w io.Writer, write func(io.Writer) error) error {
	if !t.Animates() {
		return write(w)
	}
	bar := progressbar.NewOptions64(-1, append(t.barOptions(), progressbar.OptionShowBytes(true))...)
	t.clear = func() { _ = bar.Clear() } // a terminal that cannot be written to shows nothing anyway
	defer func() {
		t.clear()
		t.clear = nil
	}()
	return write(counted{w, bar})
}

// counted is a writer with a bar that shows what was written.
type counted struct {
	io.Writer
	bar *progressbar.ProgressBar
}

// Write writes, and counts what was written.
func (c counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	_ = c.bar.Add(n) // a terminal that cannot be written to shows nothing anyway
	return n, err
}
