package ledger

// booking is what is added up, in the ledger's sign. Tags are keys with a plus between.
type booking struct {
	day                         Date
	minor                       int64
	currency                    currencyCode
	category, merchant, account int64
	tags                        string
}

// incomeKey is what amounts are added up by: group is what the parts are told apart by; amounts of a category, a
// currency and a day are converted as one sum. Those in the household's currency need no rate: their day is 0.
// Without a string in it and without padding, it is looked up in a third of the time.
type incomeKey struct {
	group, category int64
	currency        currencyCode
	day             Date
}

// currencyCode is the three letters of a currency, and nothing.
type currencyCode [4]byte

func codeOf(text string) currencyCode { return currencyCode{text[0], text[1], text[2]} }

func (c currencyCode) String() string { return string(c[:3]) }

// incomeSum is in minor units; expenses are positive.
type incomeSum struct{ income, expenses, count int64 }

type keyedSum struct {
	incomeKey
	incomeSum
}

// incomeSums are what bookings add up to, told apart by what by says. sums are in the order in which they began; places
// say where each is.
type incomeSums struct {
	by      string
	own     currencyCode // of the household
	sums    []keyedSum
	places  map[incomeKey]int
	sets    tagSets
	tooMuch bool // a sum does not fit into 64 bits
}

func newIncomeSums(by string, own currencyCode) incomeSums {
	return incomeSums{by: by, own: own, places: map[incomeKey]int{}}
}

func (s *incomeSums) add(b *booking) {
	sum := s.sum(b)
	sum.count++
	side, minor := &sum.income, b.minor
	if minor < 0 {
		side, minor = &sum.expenses, -minor
	}
	if !addTo(side, minor) {
		s.tooMuch = true
	}
}

// sum is the one that a booking belongs to.
func (s *incomeSums) sum(b *booking) *incomeSum { return s.at(s.key(b)) }

func (s *incomeSums) at(key incomeKey) *incomeSum {
	place, known := s.places[key]
	if !known {
		place = len(s.sums)
		s.places[key] = place
		s.sums = append(s.sums, keyedSum{incomeKey: key})
	}
	return &s.sums[place].incomeSum
}

// key is what an amount is added up by.
func (s *incomeSums) key(b *booking) incomeKey {
	key := incomeKey{category: b.category, currency: b.currency, day: b.day}
	switch s.by {
	case ByCategory:
		key.group = b.category
	case ByMerchant:
		key.group = b.merchant
	case ByTag:
		key.group = s.sets.number(b.tags)
	case ByAccount:
		key.group = b.account
	case ByMonth:
		key.group = b.day.Month()
	}
	if b.currency == s.own {
		key.category, key.day = 0, 0
	}
	return key
}

// takeOut undoes an add.
func (s *incomeSums) takeOut(b *booking) {
	sum := s.sum(b)
	sum.count--
	if b.minor < 0 {
		sum.expenses += b.minor
	} else {
		sum.income -= b.minor
	}
}

// merge adds the sums of later bookings.
func (s *incomeSums) merge(later *incomeSums) {
	s.tooMuch = s.tooMuch || later.tooMuch
	for _, more := range later.sums {
		if s.by == ByTag {
			more.group = s.sets.number(later.sets.texts[more.group])
		}
		sum := s.at(more.incomeKey)
		sum.count += more.count
		if !addTo(&sum.income, more.income) || !addTo(&sum.expenses, more.expenses) {
			s.tooMuch = true
		}
	}
}

// addTo adds an amount that is not negative; false when the sum does not fit into 64 bits.
func addTo(sum *int64, minor int64) bool {
	*sum += minor
	return *sum >= 0
}
