package config

import "testing"

func TestWhoAnswers(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]AI{
		"off":                   {URL: "http://localhost:11434/v1", Model: "m"},
		"built in":              {Assistant: true},
		"m at 10.0.0.2:11434":   {Assistant: true, URL: "http://10.0.0.2:11434/v1", Model: "m"},
		"m at provider.example": {Assistant: true, URL: "https://user:secret@provider.example/v1?key=secret", Model: "m"},
	} {
		if got := c.Words(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := HostOf("https://u:p@{mic}.prices.example/{ticker}.csv"); got != "{mic}.prices.example" {
		t.Errorf("got %q", got)
	}
}
