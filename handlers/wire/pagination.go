package wire

import "finsvc/ledger"

// totalPages is at least 1: an empty list has one empty page.
func totalPages(p ledger.Page, total int64) int64 {
	size := int64(p.Size)
	return max(1, (total+size-1)/size)
}

// Pagination writes the pagination object of a list that has total rows.
func Pagination(j *Writer, p ledger.Page, total int64) {
	j.Open("pagination")
	j.Int("page", int64(p.Number))
	j.Int("per_page", int64(p.Size))
	j.Int("total_count", total)
	j.Int("total_pages", totalPages(p, total))
	j.Close()
}

// ImportMeta writes the meta object that lists of imports and their rows carry instead.
func ImportMeta(j *Writer, p ledger.Page, total int64) {
	j.Open("meta")
	place(j, p, total)
	j.Close()
}

// PageMeta writes the meta object of other lists, which also calls the page what the pagination object does.
func PageMeta(j *Writer, p ledger.Page, total int64) {
	j.Open("meta")
	j.Int("page", int64(p.Number))
	place(j, p, total)
	j.Close()
}

// place writes where a page stands in its list.
func place(j *Writer, p ledger.Page, total int64) {
	page, pages := int64(p.Number), totalPages(p, total)
	j.Int("current_page", page)
	j.Int("total_pages", pages)
	j.Int("total_count", total)
	j.Int("per_page", int64(p.Size))
	pageOrNull(j, "next_page", page+1, page < pages)
	pageOrNull(j, "prev_page", min(page-1, pages), page > 1)
}

// ListPage writes the answer of a list: its rows under a name, and the pagination object.
func ListPage[T any](j *Writer, name string, list []T, p ledger.Page, total int64, write func(*T)) {
	j.Open("")
	j.List(name)
	for i := range list {
		write(&list[i])
	}
	j.EndList()
	Pagination(j, p, total)
	j.Close()
}

func pageOrNull(j *Writer, name string, page int64, exists bool) {
	if !exists {
		j.Null(name)
		return
	}
	j.Int(name, page)
}
