//go:build !noweb

package handlers

import (
	"finsvc/handlers/middleware"
	"finsvc/handlers/web"
)

// servePages has the pages for people answered beside the API, unless they are switched off.
func servePages(s *middleware.Server, o Options) {
	if o.Web == nil {
		return
	}
	s.ServePages(web.New(web.Options{Ledger: o.Ledger, Imports: o.Imports, Assistant: o.Assistant, Origins: s.Origins,
		Logger: o.Logger, Version: o.Version, Now: o.Now, ReadLimit: o.ReadLimit, PublicURL: o.Web.PublicURL,
		AuthHeader: o.Web.AuthHeader, Timezone: o.Web.Timezone, Instance: o.Web.Instance, Machine: o.Web.Machine}))
}
