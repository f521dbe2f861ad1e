package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"finsvc/embed"
	"finsvc/handlers/wire"
)

// staticFile is a file as it is sent.
type staticFile struct {
	hash, contentType string
	plain, packed     []byte // packed is nil of what is packed already
}

// staticFiles are the files of embed/web/static, each with its hash in its path: a browser keeps it for ever and asks
// for another path when it has changed.
type staticFiles struct{ byName map[string]*staticFile }

func newStaticFiles() *staticFiles {
	s := &staticFiles{byName: map[string]*staticFile{}}
	names, err := fs.Glob(embed.Web, "web/static/*")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		content, err := embed.Web.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		f := &staticFile{hash: hex.EncodeToString(sum[:6]), contentType: contentType(name), plain: content}
		if !strings.HasPrefix(f.contentType, "font/") {
			f.packed = pack(content, gzip.BestCompression)
		}
		s.byName[path.Base(name)] = f
	}
	// Modules name each other plainly, and the style its fonts, so all of them stand below one hash: that of them all
	// together. Else a browser would ask for a font that was preloaded once more, and keep neither.
	joined := func(name string) bool { return slices.Contains([]string{".js", ".css", ".woff2"}, path.Ext(name)) }
	all := sha256.New()
	for _, name := range names {
		if f := s.byName[path.Base(name)]; joined(name) {
			all.Write([]byte(f.hash))
		}
	}
	together := hex.EncodeToString(all.Sum(nil)[:6])
	for name, f := range s.byName {
		if joined(name) {
			f.hash = together
		}
	}
	return s
}

// contentType is what a file is by its name, whatever the machine says of such names.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".woff2":
		return "font/woff2"
	case ".webmanifest":
		return "application/manifest+json"
	}
	return "text/plain; charset=utf-8"
}

// path is where a file is found.
func (s *staticFiles) path(name string) string {
	f := s.byName[name]
	if f == nil {
		panic("there is no static file " + name)
	}
	return "/web/" + f.hash + "/" + name
}

// ServeHTTP sends a file. One that is asked for by an older hash is sent as it is now, and not kept.
func (s *staticFiles) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := s.byName[r.PathValue("name")]
	if f == nil {
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	if r.PathValue("hash") == f.hash {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body := f.plain
	if f.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if wire.AcceptsGzip(r.Header.Get("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			body = f.packed
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // who does not read it is gone
	}
}

func pack(content []byte, level int) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		panic(err) // a wrong level
	}
	_, _ = z.Write(content) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}
