package handlers

// deactivateMe answers DELETE /users/me: the user of the key loses access, and all their keys stop.
func (s *Server) deactivateMe(a *answer, r *request) error {
	who := r.who()
	if _, err := s.ledger.DeactivateUser(r.Context(), who, who.UserID); err != nil {
		return err
	}
	a.message("Account has been deleted")
	return nil
}
