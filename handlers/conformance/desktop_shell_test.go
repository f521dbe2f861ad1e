package conformance

// desktopShell is a window around a server. Its user types an address, perhaps that of a page within, and it looks at /up behind each part of it until
// one answers 200; it sends neither a key nor anything that asks for JSON.
// It relies on the behaviour 16.
func desktopShell(c *client) {
	for _, behind := range []string{"/accounts/overview", "/accounts"} {
		c.at(behind).with("Accept", "text/html").get("/up").fails(404, "not_found")
	}
	c.get("/up").status(200)
	c.with("User-Agent", "shell").with("Accept", "*/*").get("/up").status(200)
	c.send("HEAD", "/up", "", "").status(200)
	c.get("/healthz").status(200)
}
