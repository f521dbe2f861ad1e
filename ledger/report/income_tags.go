package report

import (
	"slices"
	"strings"

	"finsvc/queries"
)

// tagSets numbers the combinations of tags that transactions have, so that sums are told apart by a number.
type tagSets struct {
	numbers map[string]int64
	texts   []string
	members [][]int64
}

// number is that of a combination, whose keys have a plus between.
func (s *tagSets) number(tags string) int64 {
	number, known := s.numbers[tags]
	if !known {
		if s.numbers == nil {
			s.numbers = map[string]int64{}
		}
		number = int64(len(s.members))
		tags = strings.Clone(tags) // lets go of the long text that it was read in
		s.numbers[tags] = number
		s.texts = append(s.texts, tags)
		s.members = append(s.members, splitTags(tags))
	}
	return number
}

// tags are the keys in a combination; 0 alone where there are none.
func (s *tagSets) tags(number int64) []int64 { return s.members[number] }

func splitTags(tags string) (keys []int64) {
	if tags == "" {
		return []int64{0}
	}
	keys, _ = queries.Numbers(tags, "+") // they were written by this program
	return keys
}

// isAmong reports whether one of some keys is in a list; nil is the list of all.
func isAmong(list []int64, keys ...int64) bool {
	return list == nil || slices.ContainsFunc(keys, func(key int64) bool { return slices.Contains(list, key) })
}
