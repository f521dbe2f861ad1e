package importer

import (
	"time"

	"finsvc/queries"
)

// Progress is how far the work on an import is: rows written of those to be written, or removed of those to be
// removed. Rate is in rows a second and Left in seconds; both are 0 while nothing is known to go by.
//
// It stands in the import's row, written with each batch, so that every process sees it. However many clients listen
// to an import, the server looks at it once, when its worker says so.
type Progress struct {
	Done, Total, Rate, Left int64
}

// ProgressOf says how far the work on an import is, as of its last change; ok is false when nothing is to be done.
func ProgressOf(imp *queries.Import) (p Progress, ok bool) {
	if !Working(imp) {
		return p, false
	}
	p.Done, p.Total = imp.DoneRowsCount, imp.ValidRowsCount
	if imp.WorkRowsCount != nil {
		p.Total = *imp.WorkRowsCount
	}
	p.Total = max(p.Total, p.Done)
	if imp.StartedAt == nil || imp.Cancelled != 0 {
		return p, true
	}
	rows, took := imp.DoneRowsCount-imp.StartedRowsCount, imp.UpdatedAt-*imp.StartedAt
	if rows <= 0 || took <= 0 {
		return p, true
	}
	second := time.Second.Milliseconds()
	p.Rate = max(1, rows*second/took)
	p.Left = ((p.Total-p.Done)*took + rows*second - 1) / (rows * second)
	return p, true
}

// Working says whether an import is being published or reverted, or waits for that.
func Working(imp *queries.Import) bool {
	return imp.Status == StatusImporting || imp.Status == StatusReverting
}
