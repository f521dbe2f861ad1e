package server

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// workerStatus knows which workers of a service run.
type workerStatus struct {
	mu   sync.Mutex
	list []present
}

// present says whether a worker runs.
type present struct {
	name string
	runs bool
}

// begin notes that a worker runs; call what it gives when it has ended.
func (r *workerStatus) begin(name string) (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, present{name, true})
	i := len(r.list) - 1
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.list[i].runs = false
	}
}

// all are the workers that have begun.
func (r *workerStatus) all() []present {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

// Well says what is wrong with a service that runs: the database does not answer, or a worker has ended.
func (s *Service) Well(ctx context.Context) error {
	var gone []string
	for _, w := range s.status.all() {
		if !w.runs {
			gone = append(gone, w.name)
		}
	}
	if len(gone) > 0 {
		return fmt.Errorf("ended before their time: %s", strings.Join(gone, ", "))
	}
	return s.Database.Ping(ctx)
}

// Ready says why a service cannot do its work: its database does not answer, or nothing may be written to it. A service
// manager that takes it for dead then, see well, would end the last process that has the data.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.Database.Displaced(); err != nil {
		return err
	}
	return s.Database.Ping(ctx)
}
