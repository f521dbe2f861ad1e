package importer

// OpenQuestion says that a file can be read in several ways, and that nothing in it proves one. The import
// waits until somebody gives the setting.
type OpenQuestion struct {
	Setting string // its name in the API, such as date_format
	Message string // continues the sentence that the name begins
}

// Error is a sentence for people.
func (q *OpenQuestion) Error() string { return q.Setting + " " + q.Message }
