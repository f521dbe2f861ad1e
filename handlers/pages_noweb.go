//go:build noweb

package handlers

import "finsvc/handlers/middleware"

// servePages does nothing in a program that is built without pages.
func servePages(*middleware.Server, Options) {}
