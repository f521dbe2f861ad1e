package handlers

import (
	"time"

	"finsvc/handlers/wire"
)

// showUsage answers GET /api/v1/usage: the key, and how much of its rate is used. The figures are those
// of this request's own headers, and they add up: limit = current_count + remaining.
func (s *household) showUsage(a *wire.Answer, r *wire.Request) error {
	j, key, state := a.Json, r.Session, r.Rate
	j.Open("")
	j.Open("api_key")
	j.Text("name", key.KeyName)
	j.List("scopes")
	j.Text("", key.Scope)
	j.EndList()
	j.TimeOrNull("last_used_at", key.LastUsedAt)
	j.Time("created_at", key.KeyCreatedAt)
	j.Close()
	j.Open("rate_limit")
	j.Text("tier", key.Tier)
	j.Int("limit", int64(state.Limit))
	j.Int("current_count", int64(state.Used))
	j.Int("remaining", int64(state.Remaining))
	j.Int("reset_in_seconds", int64(state.Reset))
	j.Time("reset_at", state.At.Add(time.Duration(state.Reset)*time.Second))
	j.Close()
	j.Close()
	return nil
}
