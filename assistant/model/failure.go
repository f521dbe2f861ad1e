package model

import "time"

// FailureKind says why a model did not answer, as far as it makes a difference to people.
type FailureKind int

// The four kinds that the contract has texts for (resources, Chat).
const (
	FailureOther FailureKind = iota
	FailureRateLimited
	FailureUnavailable
	FailureMisconfigured
)

// Text is what a chat's error says.
func (k FailureKind) Text() string {
	switch k {
	case FailureRateLimited:
		return "The AI provider is rate limited right now. Please try again in a few minutes."
	case FailureUnavailable:
		return "The AI provider is temporarily unavailable right now. Please try again in a few minutes."
	case FailureMisconfigured:
		return "The AI provider is not configured correctly. Please contact your administrator."
	default:
		return "Failed to generate a response. Please try again."
	}
}

// Failure is why a model did not answer. The kind follows from what happened, a status or an error of the transport,
// never from words in it.
type Failure struct {
	Kind       FailureKind
	Err        error         // for the log; never a key
	RetryAfter time.Duration // how long the provider asks to be left alone; 0 when it does not say
	Again      bool          // whether it may be different in a moment
}

// Error is for the log.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap gives what happened.
func (f *Failure) Unwrap() error { return f.Err }
