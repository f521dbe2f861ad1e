package conformance

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
)

// behindProxy is any client behind a proxy that ends TLS: the answer comes directly, whatever the proxy says of the way that the request took.
// It relies on the behaviour 16.
func behindProxy(c *client) {
	c = c.with("X-Api-Key", c.key).with("X-Forwarded-Proto", "https").with("X-Forwarded-Host", "money.example.org").with("X-Forwarded-For", "203.0.113.7").
		with("Forwarded", "for=203.0.113.7;proto=https")
	wallet := c.account("Wallet", "depository", "5.00")
	for _, address := range []string{"/api/v1", "/api/v1/", "//api/v1"} {
		c.at(address).get("/accounts").status(200).want("accounts.0.id", wallet)
		c.at(address).get("/accounts/").status(200)
		c.at(address).get("/accounts.json").status(200)
		c.at(address).get("/accounts/" + wallet + ".json").status(200)
	}
	made := c.at("/api/v1/").post("/transactions.json", object{"transaction": object{"account_id": wallet, "date": "2026-08-20", "amount": "1", "name": "Gum"}}).status(201)
	c.at("/api/v1").put("/transactions/"+made.id()+".json", object{"transaction": object{"name": "Chewing gum"}}).status(200).want("name", "Chewing gum")
	c.at("/api/v1/").delete("/transactions/" + made.id() + "/").status(200)
	c.with("X-Api-Key", "").with("Authorization", "bearer "+c.key).at("/api/v1").get("/accounts").status(200)
	c.at("/api/v1").with("X-Request-Id", "trace-7").get("/accounts").status(200)
	proxyAsks(c)
	c.shows(16)
}

// proxyAsks speaks HTTP/1.0, as proxies do when nobody has told them otherwise: the answer's length is all that tells its end from a broken connection.
func proxyAsks(c *client) {
	c.Helper()
	conn, err := new(net.Dialer).DialContext(c.Context(), "tcp", strings.TrimPrefix(c.server.url, "http://"))
	if err != nil {
		c.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET /api/v1/categories HTTP/1.0\r\nHost: money.example.org\r\nConnection: close\r\nX-Api-Key: "+c.key+"\r\n\r\n") // what fails is not read
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		c.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 || response.ContentLength != int64(len(body)) || len(response.TransferEncoding) > 0 {
		c.Fatalf("got %d, %d bytes of %d, %v, %v", response.StatusCode, len(body), response.ContentLength, response.TransferEncoding, err)
	}
}
