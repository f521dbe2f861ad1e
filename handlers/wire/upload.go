package wire

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"unicode/utf8"

	"finsvc/ledger"
)

// ReceiveFile writes the file that the body holds to the upload, and gives the fields beside it and what the client
// calls the file.
func (r *Request) ReceiveFile(upload io.Writer) (f *Fields, fileName string, err error) {
	if err := r.Share.Take(uploadMemory); err != nil {
		return nil, "", err
	}
	media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media == "multipart/form-data" && params["boundary"] != "" {
		return receiveParts(r, params["boundary"], upload)
	}
	r.Tree, err = receiveContent(r, upload)
	if err != nil {
		return nil, "", err
	}
	if r.Tree.Shape == Nothing {
		return nil, "", ledger.NewMalformed(`the body is missing: expected {"raw_file_content": "...", ...} or a multipart form with a part named file`)
	}
	f, err = r.Fields()
	if err != nil {
		return nil, "", err
	}
	if content := f.Content(nameOfContent); content.Has() {
		if _, err := upload.Write(content.Value); err != nil {
			return nil, "", err
		}
	}
	return f, "", nil
}

// MaxImportField is the longest field beside a file, in bytes.
const MaxImportField = 64 << 10

// receiveParts takes the parts of a form in whatever order they come.
func receiveParts(r *Request, boundary string, upload io.Writer) (f *Fields, fileName string, err error) {
	body := &endWatcher{Reader: r.Body, mark: []byte("--" + boundary + "--")}
	parts := multipart.NewReader(body, boundary)
	root := newObject()
	for i := 0; ; i++ {
		part, err := parts.NextPart()
		if err == io.EOF && body.seen { // bare: wrapped, it is a body without its last boundary
			break
		}
		if err != nil {
			return nil, "", partError(err)
		}
		leaf, err := receivePart(part, i+1, upload)
		if err != nil {
			return nil, "", err
		}
		name := part.FormName()
		if leaf.Shape == File {
			name, fileName = "file", leaf.fileName()
		}
		if err := root.insert(i, name, leaf, r.Share); err != nil {
			return nil, "", err
		}
	}
	// What may stand behind the last part is awaited here: later, a write would wait for it.
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, "", BodyError(err)
	}
	return &Fields{members: root.Members(), Problems: new(ledger.Problems)}, fileName, nil
}

// receivePart writes the part that is the file to the upload, and reads any other.
func receivePart(part *multipart.Part, number int, upload io.Writer) (value, error) {
	if name := part.FormName(); name == "file" || name == nameOfContent {
		_, err := io.Copy(upload, partReader{part})
		return value{Shape: File, nested: &nested{name: part.FileName()}}, err
	}
	content, err := io.ReadAll(io.LimitReader(partReader{part}, MaxImportField+1))
	switch {
	case err != nil:
		return value{}, err
	case len(content) > MaxImportField:
		return value{}, ledger.NewMalformed("part %d of the multipart body is longer than a field may be", number)
	case part.FormName() == "":
		return value{}, ledger.NewMalformed("part %d of the multipart body has no name", number)
	case !utf8.Valid(content):
		return value{}, ledger.NewMalformed("part %d of the multipart body has invalid UTF-8 at byte %d of its content",
			number, firstInvalid(content))
	}
	return value{Shape: Text, Bytes: content}, nil
}

// endWatcher looks for the mark that ends a multipart body: a body that is cut off within the header of
// a part reads like one that has ended.
type endWatcher struct {
	io.Reader
	mark []byte
	held []byte // the end of what was read, which may be the beginning of the mark
	seen bool
}

// Read reads the body and notes whether the mark was in it.
func (w *endWatcher) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if w.seen {
		return n, err
	}
	seam := append(w.held, p[:min(n, len(w.mark))]...)
	w.seen = bytes.Contains(seam, w.mark) || bytes.Contains(p[:n], w.mark)
	if n >= len(w.mark) {
		seam = p[n-len(w.mark) : n]
	}
	w.held = append([]byte(nil), seam[max(0, len(seam)-len(w.mark)+1):]...)
	return n, err
}

// partReader says of errors in reading what they are, so that those in writing stay what they were.
type partReader struct{ part *multipart.Part }

// Read reads the content of the part.
func (r partReader) Read(p []byte) (int, error) {
	n, err := r.part.Read(p)
	if err == io.EOF {
		return n, err
	}
	return n, partError(err)
}

// partError keeps an error that is meant for the client, and calls the rest what it is.
func partError(err error) error {
	if err == nil || ledger.AsError(err) != nil {
		return err
	}
	if e := ledger.AsError(BodyError(err)); e != nil && (e.Code == CodeTooLarge || e.Code == codeTimeout) {
		return e
	}
	return ledger.NewMalformed("the multipart body is malformed or cut off")
}
