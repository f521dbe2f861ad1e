package market

import (
	"finsvc/ledger"
	"finsvc/queries"
)

// SecurityInput is what a client says about a security, new or changed. Ticker is one without a market; MIC is
// the code of the market (ISO 10383), null or blank when it is not known; a null Name is none; a null Ticker or
// Manual counts as absent. Problems are what decoding found.
type SecurityInput struct {
	Ticker, MIC, Name ledger.Opt[string]
	Manual            ledger.Opt[bool] // never looked up
	Problems          ledger.Problems
}

// Fill applies what is given to a security, new or present, and checks it.
func (in *SecurityInput) Fill(s queries.Security) (queries.Security, error) {
	if in.Ticker.Has() || s.ID == 0 {
		s.Ticker = in.word("ticker", in.Ticker.Value, ParseSymbol)
	}
	if in.MIC.Set {
		s.Mic = in.word("exchange_operating_mic", in.MIC.Value, ParseMIC)
	}
	if in.Name.Set {
		s.Name = nil
	}
	if in.Name.Has() {
		if name := in.Problems.CheckLine("name", in.Name.Value); name != "" {
			s.Name = &name
		}
	}
	if in.Manual.Has() {
		s.Manual = ledger.AsInteger(in.Manual.Value)
	}
	return s, in.Problems.Err()
}

// word reads a member, unless decoding has found fault with it already.
func (in *SecurityInput) word(field, text string, parse func(string) (string, error)) string {
	if in.Problems.Has(field) {
		return ""
	}
	word, err := parse(text)
	if err != nil {
		in.Problems.Add(field, "%s", err)
	}
	return word
}
