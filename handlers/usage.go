package handlers

import "time"

// showUsage answers GET /api/v1/usage: the key, and how much of its rate is used. The figures are those
// of this request's own headers, and they add up: limit = current_count + remaining.
func (s *household) showUsage(a *answer, r *request) error {
	j, key, state := a.json, r.session, r.rate
	j.open("")
	j.open("api_key")
	j.text("name", key.KeyName)
	j.list("scopes")
	j.text("", key.Scope)
	j.endList()
	j.timeOrNull("last_used_at", key.LastUsedAt)
	j.time("created_at", key.KeyCreatedAt)
	j.close()
	j.open("rate_limit")
	j.text("tier", key.Tier)
	j.int("limit", int64(state.limit))
	j.int("current_count", int64(state.used))
	j.int("remaining", int64(state.remaining))
	j.int("reset_in_seconds", int64(state.reset))
	j.time("reset_at", state.at.Add(time.Duration(state.reset)*time.Second))
	j.close()
	j.close()
	return nil
}
