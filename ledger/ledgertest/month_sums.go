package ledgertest

// Keep keeps the sums of all months that are over, and says how many.
func (b *Fixture) Keep() int64 {
	b.tb.Helper()
	if err := b.Reports.KeepSums(b.Ctx(), 1); err != nil {
		b.tb.Fatal(err)
	}
	return b.Number("SELECT count(DISTINCT household_id || ' ' || first_key) FROM month_sums")
}
