package middleware

import (
	"strconv"
	"strings"
	"time"
)

// Kinds of metrics.
const (
	Counter   = "counter"
	Gauge     = "gauge"
	Histogram = "histogram"
)

// TypeExposition is the type of an [Exposition]'s text.
const TypeExposition = "text/plain; version=0.0.4; charset=utf-8"

// Exposition writes metrics in the text format that Prometheus reads. Families are begun with [Exposition.Family], and
// have their samples behind them. A family without samples is left out.
//
// It is a hundred lines: the usual client library would make the program a tenth larger.
type Exposition struct {
	text   []byte
	family string
	head   string // of the family, until its first sample
}

// Family begins the samples of a metric.
func (e *Exposition) Family(name, kind, help string) {
	e.family, e.head = name, "# HELP "+name+" "+help+"\n# TYPE "+name+" "+kind+"\n"
}

// Int writes a sample; labels are names and values by turns.
func (e *Exposition) Int(value int64, labels ...string) {
	e.sample("", strconv.FormatInt(value, 10), labels)
}

// Seconds writes a sample that is a time, in seconds.
func (e *Exposition) Seconds(value time.Duration, labels ...string) {
	e.sample("", inSeconds(value), labels)
}

// Text is what was written.
func (e *Exposition) Text() []byte { return e.text }

// buckets writes a histogram: how many there are up to each bound, and of all, which is the last count.
func (e *Exposition) buckets(bounds []time.Duration, counts []int64, total time.Duration, labels []string) {
	labels = labels[:len(labels):len(labels)]
	for i, bound := range bounds {
		e.sample("_bucket", strconv.FormatInt(counts[i], 10), append(labels, "le", inSeconds(bound)))
	}
	all := strconv.FormatInt(counts[len(bounds)], 10)
	e.sample("_bucket", all, append(labels, "le", "+Inf"))
	e.sample("_sum", inSeconds(total), labels)
	e.sample("_count", all, labels)
}

func (e *Exposition) sample(suffix, value string, labels []string) {
	e.text = append(e.text, e.head...)
	e.head = ""
	e.text = append(append(e.text, e.family...), suffix...)
	for i := 0; i+1 < len(labels); i += 2 {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		e.text = append(e.text, separator+labels[i]+`="`+strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`,
			`\"`).Replace(labels[i+1])+`"`...)
	}
	if len(labels) > 0 {
		e.text = append(e.text, '}')
	}
	e.text = append(append(append(e.text, ' '), value...), '\n')
}

// inSeconds is a time in seconds, written exactly.
func inSeconds(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "-", -d
	}
	fraction := strings.TrimRight(strconv.FormatInt(1e9+int64(d%time.Second), 10)[1:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + strconv.FormatInt(int64(d/time.Second), 10) + fraction
}
