package handlers

// deactivateMe answers DELETE /users/me: the user of the key loses access, and all their keys stop.
func (s *household) deactivateMe(a *answer, r *request) error {
	who := r.who()
	if _, err := s.ledger.Tenants.DeactivateUser(r.Context(), who, who.UserID); err != nil {
		return err
	}
	a.message("Account has been deleted")
	return nil
}

// enableAssistant answers PATCH /auth/enable_ai: the people of the household may chat.
func (s *household) enableAssistant(a *answer, r *request) error {
	if err := s.assistant.Enable(r.Context(), r.who()); err != nil {
		return err
	}
	user, err := s.ledger.Tenants.GetUser(r.Context(), r.who())
	if err != nil {
		return err
	}
	j := a.json
	j.open("")
	j.text("message", "the assistant is on")
	j.bool("ai_enabled", true)
	j.open("user")
	j.id("id", user.PublicID)
	j.text("email", user.Email)
	j.text("role", user.Role)
	j.bool("ai_enabled", true)
	j.close()
	j.close()
	return nil
}
