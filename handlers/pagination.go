package handlers

import "finsvc/ledger"

// totalPages is at least 1: an empty list has one empty page.
func totalPages(p ledger.Page, total int64) int64 {
	size := int64(p.Size)
	return max(1, (total+size-1)/size)
}

// pagination writes the pagination object of a list that has total rows.
func (j *jsonWriter) pagination(p ledger.Page, total int64) {
	j.open("pagination")
	j.int("page", int64(p.Number))
	j.int("per_page", int64(p.Size))
	j.int("total_count", total)
	j.int("total_pages", totalPages(p, total))
	j.close()
}

// importMeta writes the meta object that lists of imports and their rows carry instead.
func (j *jsonWriter) importMeta(p ledger.Page, total int64) {
	j.open("meta")
	j.place(p, total)
	j.close()
}

// pageMeta writes the meta object of other lists, which also calls the page what the pagination object does.
func (j *jsonWriter) pageMeta(p ledger.Page, total int64) {
	j.open("meta")
	j.int("page", int64(p.Number))
	j.place(p, total)
	j.close()
}

// place writes where a page stands in its list.
func (j *jsonWriter) place(p ledger.Page, total int64) {
	page, pages := int64(p.Number), totalPages(p, total)
	j.int("current_page", page)
	j.int("total_pages", pages)
	j.int("total_count", total)
	j.int("per_page", int64(p.Size))
	j.pageOrNull("next_page", page+1, page < pages)
	j.pageOrNull("prev_page", min(page-1, pages), page > 1)
}

// listPage writes the answer of a list: its rows under a name, and the pagination object.
func listPage[T any](j *jsonWriter, name string, list []T, p ledger.Page, total int64, write func(*T)) {
	j.open("")
	j.list(name)
	for i := range list {
		write(&list[i])
	}
	j.endList()
	j.pagination(p, total)
	j.close()
}

func (j *jsonWriter) pageOrNull(name string, page int64, exists bool) {
	if !exists {
		j.null(name)
		return
	}
	j.int(name, page)
}
