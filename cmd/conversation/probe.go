package conversation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"finsvc/assistant/model"
	"finsvc/assistant/provider"
	"finsvc/ledger"
)

// Probe is what was found out of a model.
type Probe struct {
	Assistant   string   `json:"assistant"`         // on or off
	URL         *string  `json:"url"`               // null: the built-in engine
	Host        *string  `json:"host"`              // where conversations go
	Local       bool     `json:"local"`             // as far as the address tells
	Model       string   `json:"model"`             // that is set up
	AnsweredAs  string   `json:"answered_as"`       // as the provider calls it
	Answers     bool     `json:"answers"`           //
	Streams     bool     `json:"streams"`           // the answer came in pieces
	Tools       string   `json:"tools"`             // called, not_called, refused, failed or unknown
	FirstText   *float64 `json:"first_text_s"`      // seconds
	Speed       *float64 `json:"tokens_per_second"` // null where the provider does not count
	InputTokens int64    `json:"input_tokens"`      // of the first question
	Context     int      `json:"context"`           // tokens of a prompt, as set up
	Failure     *string  `json:"error"`             // why it does not answer
}

// The questions of the test. The first has an answer that is long enough to measure how fast it comes.
const (
	longQuestion = "Count from one to forty in English words, separated by commas. Write nothing else."
	toolQuestion = "What is the test figure? Look it up with the tool."
)

// Ask asks both questions.
func (p *Probe) Ask(ctx context.Context, remote *provider.Client, now func() time.Time) error {
	if err := p.measure(ctx, remote, now); err != nil {
		return err
	}
	question := asking(toolQuestion)
	question.Tools = []model.Tool{{Name: "get_test_figure", Description: "Gives the test figure.",
		Parameters: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)}}
	reply, err := remote.Reply(ctx, question, func(string) error { return nil })
	switch {
	case err != nil:
		p.Tools = "failed"
		return err
	case len(reply.Calls) > 0:
		p.Tools = "called"
	case !remote.TakesTools(remote.Name()):
		p.Tools = "refused"
	default:
		p.Tools = "not_called"
	}
	return nil
}

// measure asks the first question, and notes how fast the answer comes.
func (p *Probe) measure(ctx context.Context, remote *provider.Client, now func() time.Time) error {
	begun, pieces := now(), 0
	var first time.Time
	reply, err := remote.Reply(ctx, asking(longQuestion), func(string) error {
		if pieces++; pieces == 1 {
			first = now()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if pieces == 0 {
		return errors.New("it has said nothing")
	}
	p.Answers, p.AnsweredAs, p.Streams, p.InputTokens = true, reply.Model, pieces > 1, reply.Usage.Input
	p.FirstText = new(rounded(first.Sub(begun).Seconds()))
	if took := now().Sub(first).Seconds(); took > 0 && p.Streams && reply.Usage.Output > 0 {
		p.Speed = new(rounded(float64(reply.Usage.Output) / took))
	}
	return nil
}

func asking(text string) model.Prompt {
	return model.Prompt{Turns: []model.Turn{{Role: model.RoleUser, Text: text}}}
}

// rounded is a measure to the hundredth.
func rounded(x float64) float64 { return float64(int64(x*100+0.5)) / 100 }

// Failure is why a model did not answer, with the provider's own words, as far as there are any: what was asked is
// nobody's secret.
func Failure(err error) string {
	text := err.Error()
	if e, ok := errors.AsType[*provider.Error](err); ok && e.Message != "" {
		text += ": " + ledger.Quote(e.Message)
	}
	if f, ok := errors.AsType[*model.Failure](err); ok {
		text += " (people are told: " + f.Kind.Text() + ")"
	}
	return text
}

// String is what people are told, a line each.
func (p *Probe) String() string {
	var b strings.Builder
	for _, line := range p.lines() {
		fmt.Fprintf(&b, "%-11s %s\n", line[0], line[1])
	}
	return b.String()
}

func (p *Probe) lines() [][2]string {
	lines := [][2]string{{"Assistant", p.Assistant}, {"Provider",
		"none: the program answers itself, and nothing leaves it"}, {"Model", p.Model}}
	if p.URL == nil {
		return lines
	}
	place := "elsewhere: questions and figures leave this network"
	if p.Local {
		place = "on this machine or in this network"
	}
	lines[1][1] = fmt.Sprintf("%s, %s", *p.URL, place)
	lines = append(lines, [2]string{"Context", fmt.Sprintf("%d tokens (--ai-context); the server must allow as many",
		p.Context)}, [2]string{"Answers", yesNo(p.Answers)})
	if !p.Answers {
		return lines
	}
	if p.AnsweredAs != p.Model {
		lines[2][1] += ", which answers as " + ledger.Quote(p.AnsweredAs)
	}
	tools := map[string]string{"called": "yes", "refused": "no: the figures are looked up for it and put in front of each question",
		"failed":     "no: it fails when it is offered some (llama.cpp must be started with --jinja)",
		"not_called": "it takes them, but did not call one when told to: a larger model may"}
	speed := "not known: the provider does not count tokens, or does not stream"
	if p.Speed != nil {
		speed = fmt.Sprintf("%.1f tokens a second", *p.Speed)
	}
	return append(lines, [2]string{"Streams", yesNo(p.Streams)}, [2]string{"Tools", tools[p.Tools]},
		[2]string{"First text", fmt.Sprintf("%.2f s after the question", *p.FirstText)}, [2]string{"Speed", speed})
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
