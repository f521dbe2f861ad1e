package handlers

import (
	"html"
	"mime"
	"strings"

	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
)

const typeHTML = "text/html; charset=utf-8"

// showHome answers GET /: to a browser with a page that says what this is and what to do next, to programs with the same in
// JSON.
func (s *pages) showHome(a *wire.Answer, r *wire.Request) error {
	at := s.origins.Of(r.Request)
	a.Header().Add("Vary", "Accept")
	if acceptsHTML(r.Header.Get("Accept")) {
		a.ContentType = typeHTML
		a.Header().Set("Content-Security-Policy", pagePolicy(""))
		_, _ = a.Json.Write([]byte(s.homePage(at)))
		return nil
	}
	root := at.Scheme + "://" + at.Host + at.Root
	a.Json.Open("")
	a.Json.Text("name", "finsvc")
	a.Json.Text("version", s.version)
	a.Json.Text("docs", root+"/api/docs")
	a.Json.Text("openapi", root+"/api/v1/openapi.json")
	a.Json.Close()
	return nil
}

// acceptsHTML reports whether a page is asked for by name, as browsers do; programs that take anything get JSON.
func acceptsHTML(header string) bool {
	for item := range strings.SplitSeq(header, ",") {
		media, _, _ := mime.ParseMediaType(item)
		if media == "text/html" || media == "application/xhtml+xml" {
			return true
		}
	}
	return false
}

func (s *pages) homePage(at middleware.Origin) string {
	root, base := html.EscapeString(at.Scheme+"://"+at.Host+at.Root), html.EscapeString(at.Root)
	return pageHead("finsvc") + `<main>
<h1>finsvc</h1>
<p>A household's finances in one file and one program. This is its server, version ` + html.EscapeString(s.version) + `. It answers programs;
the books are looked at with those, or with the commands below.</p>
<p><a href="` + base + `/handbook"><strong>The handbook</strong></a> · <a href="` + base + `/api/docs"><strong>The API, to read and to search</strong></a> ·
<a href="` + base + `/api/v1/openapi.yaml">openapi.yaml</a> · <a href="` + base + `/api/v1/openapi.json">openapi.json</a></p>
<h2>What to type next</h2>
<p>On the machine of the server, for a key, which is shown once:</p>
<pre>finsvc apikey create phone</pre>
<p>From anywhere that reaches the server, with that key:</p>
<pre>curl -H 'X-Api-Key: KEY' ` + root + `/api/v1/balance_sheet
curl -H 'X-Api-Key: KEY' '` + root + `/api/v1/transactions?search=coffee'</pre>
<p>To bring in what a bank exports, to ask, and for all else that there is:</p>
<pre>finsvc import october.csv --account Giro
finsvc chat 'What did I spend on groceries last month?'
finsvc help</pre>
</main>
</body>
</html>
`
}
