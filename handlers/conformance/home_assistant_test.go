package conformance

import "strconv"

// homeAssistant is a plug-in that shows figures of the household. It reads a body only when its length is known, asks for compression like every
// request of its library, goes through all pages, and reads formatted amounts.
// It relies on the behaviours 1, 8, 11 and 12.
func homeAssistant(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json").with("Content-Type", "application/json").with("Accept-Encoding", "gzip, deflate")
	if a := c.get("/api/v1/accounts", "page", "1", "per_page", "100").status(200).size("accounts", 0); a.whole("pagination.total_pages") != 1 {
		c.Fatalf("an empty list has %s", a.body)
	}
	for _, name := range []string{"Giro", "Haus", "Tagesgeld", "Bargeld", "Notgroschen", "Reise", "Auto"} {
		c.account(name, "depository", "1234.50")
	}
	c.account("Depot", "investment", "1234.50")
	c.account("Kredit", "loan", "1234.50")
	c.account("Karte", "credit_card", "1234.50")
	everything := c.get("/api/v1/accounts", "page", "1", "per_page", "100").status(200).is("accounts", listOf(account())).size("accounts", 10)
	if everything.header.Get("Content-Encoding") != "gzip" || len(everything.body) < 2048 {
		c.Fatalf("%d bytes came as %v", len(everything.body), everything.header)
	}
	c.shows(1) // every answer of every scenario is held to this, those of more than 2 KiB and packed ones here
	assistantSums(c, everything)
	assistantSpending(c, everything.text(everything.find("accounts", "name", "Giro")+".id"))
}

// assistantSums adds up what stands in the formatted balances, and compares it with the cents.
func assistantSums(c *client, all *answer) {
	c.Helper()
	sums := map[string]int64{}
	for i := range all.items("accounts") {
		at := "accounts." + strconv.Itoa(i)
		formatted, err := cents(all.text(at + ".balance"))
		if err != nil || formatted != all.whole(at+".balance_cents") {
			c.Fatalf("%s is %s, %v", at, all.body, err)
		}
		sums[all.text(at+".classification")] += formatted
	}
	if sums["asset"] != 8*123450 || sums["liability"] != 2*123450 {
		c.Fatalf("the accounts add up to %v", sums)
	}
}

// assistantSpending adds up the transactions of the month by classification, from amounts with a sign that is none of its business.
func assistantSpending(c *client, giro string) {
	c.Helper()
	c.book(giro, "2026-08-03", "640.00", "Miete")
	c.book(giro, "2026-08-04", "-1950.00", "Lohn")
	c.book(giro, "2026-08-05", "0.05", "Zinsen")
	c.book(giro, "2026-07-31", "99.00", "Im Juli")
	sums := map[string]int64{}
	for page, pages := int64(1), int64(1); page <= pages; page++ {
		a := c.get("/api/v1/transactions", "page", strconv.FormatInt(page, 10), "per_page", "100", "start_date", "2026-08-01", "end_date", "2026-08-31").status(200).
			is("transactions", listOf(transaction()))
		pages = a.whole("pagination.total_pages")
		for i := range a.items("transactions") {
			at := "transactions." + strconv.Itoa(i)
			read, err := cents(a.text(at + ".amount"))
			if err != nil || max(read, -read) != a.whole(at+".amount_cents") || read != -a.whole(at+".signed_amount_cents") {
				c.Fatalf("%s is %s, %v", at, a.body, err)
			}
			sums[a.text(at+".classification")] += max(read, -read)
		}
	}
	if sums["income"] != 195000 || sums["expense"] != 64005 {
		c.Fatalf("the month adds up to %v", sums)
	}
	c.shows(11)
	c.shows(12)
}
