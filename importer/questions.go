package importer

// OpenQuestion says that a file can be read in several ways, and that nothing in it proves one. The import
// waits until somebody gives the setting. It is the error with which a reader ends that finds out by itself how its
// file is read, QIF's; what detection asks of a table is a question: there may be several, with the values that fit,
// and they are kept with the import.
type OpenQuestion struct {
	Setting string // its name in the API, such as date_format
	Message string // continues the sentence that the name begins
}

// Error is a sentence for people.
func (q *OpenQuestion) Error() string { return q.Setting + " " + q.Message }
