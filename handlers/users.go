package handlers

import "finsvc/handlers/wire"

// deactivateMe answers DELETE /users/me: the user of the key loses access, and all their keys stop.
func (s *household) deactivateMe(a *wire.Answer, r *wire.Request) error {
	who := r.Who()
	if _, err := s.ledger.Tenants.DeactivateUser(r.Context(), who, who.UserID); err != nil {
		return err
	}
	a.Message("Account has been deleted")
	return nil
}

// enableAssistant answers PATCH /auth/enable_ai: the people of the household may chat.
func (s *household) enableAssistant(a *wire.Answer, r *wire.Request) error {
	if err := s.assistant.Enable(r.Context(), r.Who()); err != nil {
		return err
	}
	user, err := s.ledger.Tenants.GetUser(r.Context(), r.Who())
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.Text("message", "the assistant is on")
	j.Bool("ai_enabled", true)
	j.Open("user")
	j.Id("id", user.PublicID)
	j.Text("email", user.Email)
	j.Text("role", user.Role)
	j.Bool("ai_enabled", true)
	j.Close()
	j.Close()
	return nil
}
