package apitest

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	typeJSON   = "application/json; charset=utf-8"
	typeStream = "text/event-stream"
)

// errDescription: nothing can be checked.
var errDescription = errors.New("the description cannot be read")

// Answer is what a server answered to a request.
type Answer struct {
	Method, Path string
	Status       int
	Header       http.Header
	Body         []byte // unpacked
}

// Check says in what an answer is not as described.
func (a Answer) Check() error {
	d, err := described()
	if err != nil {
		return fmt.Errorf("%w: %w", errDescription, err)
	}
	if a.Header.Get("X-Request-Id") == "" {
		return errors.New("there is no X-Request-Id")
	}
	operations := d.find(a.Path)
	operation := operations[plain(a.Method)]
	switch {
	case operations == nil:
		return a.refused(d, http.StatusNotFound)
	case operation == nil && a.Header.Get("Allow") == "":
		return errors.New("the description has no such operation")
	case operation == nil:
		return a.refused(d, http.StatusMethodNotAllowed)
	}
	response := operation.Responses.Value(strconv.Itoa(a.Status))
	if response == nil {
		return fmt.Errorf("the description of %s has no such status", operation.OperationID)
	}
	for name, header := range response.Value.Headers {
		if err := a.checkHeader(name, header.Value); err != nil {
			return err
		}
	}
	if len(response.Value.Content) == 0 {
		if len(a.Body) > 0 {
			return errors.New("there is a body, and the description has none")
		}
		return nil
	}
	given, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	media := response.Value.Content[given]
	switch {
	case media == nil:
		return fmt.Errorf("the description of %s has no answer of type %q", operation.OperationID, given)
	case given == typeStream:
		return nil
	case given == "application/json":
		return a.checkJSON(d.bodies[media])
	}
	return a.checkLength()
}

// plain is the method under which an operation is described.
func plain(method string) string {
	switch method {
	case http.MethodHead:
		return http.MethodGet
	case http.MethodPut:
		return http.MethodPatch
	}
	return method
}

// refused checks the answer to a request that no operation is for.
func (a Answer) refused(d *description, status int) error {
	if a.Status != status {
		return fmt.Errorf("the description has no such operation, which is a %d", status)
	}
	return a.checkJSON(d.failure)
}

func (a Answer) checkHeader(name string, header *openapi3.Header) error {
	value := a.Header.Get(name)
	if value == "" {
		if header.Required {
			return fmt.Errorf("the header %s is missing", name)
		}
		return nil
	}
	if _, err := strconv.Atoi(value); err != nil && header.Schema.Value.Type.Is("integer") {
		return fmt.Errorf("the header %s is %q, not a whole number", name, value)
	}
	return nil
}

func (a Answer) checkJSON(schema *jsonschema.Schema) error {
	if given := a.Header.Get("Content-Type"); given != typeJSON {
		return fmt.Errorf("the type is %q, not %q", given, typeJSON)
	}
	if a.Method == http.MethodHead && len(a.Body) == 0 {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
	if err != nil {
		return err
	}
	// Any answer to GET may have warnings of parameters that were ignored.
	if object, is := value.(map[string]any); is && object["warnings"] != nil && schema.Properties["warnings"] == nil && a.Method == http.MethodGet {
		delete(object, "warnings")
	}
	if err := schema.Validate(value); err != nil {
		return err
	}
	return a.checkLength()
}

// checkLength wants the length to be given: there is a client that takes an answer without for empty.
func (a Answer) checkLength() error {
	if a.Header.Get("Content-Length") == "" {
		return errors.New("there is no Content-Length")
	}
	return nil
}
