// Uses the Go client that oapi-codegen makes from the description against a running server ($1) with the key in $KEY,
// as somebody would who has nothing but the description.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"smoke/api"

	"github.com/google/uuid"
	"github.com/oapi-codegen/runtime/types"
)

// want ends the program unless what it is told is so.
func want(so bool, what string, got any) {
	if !so {
		log.Fatalf("%s: got %+v", what, got)
	}
}

// must gives the answer to a request that reached the server.
func must[T any](answer *T, err error) *T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

// amount is an amount as text, as a program sends it whose numbers are binary floats.
func amount(text string) (a api.AmountInput) {
	if err := a.FromAmountInput1(text); err != nil {
		log.Fatal(err)
	}
	return a
}

func main() {
	ctx, day := context.Background(), types.Date{Time: time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)}
	client := must(api.NewClientWithResponses(os.Args[1], api.WithRequestEditorFn(func(_ context.Context,
		r *http.Request) error {
		r.Header.Set("X-Api-Key", os.Getenv("KEY"))
		return nil
	})))

	list := must(client.ListAccountsWithResponse(ctx, nil))
	want(list.JSON200 != nil, "accounts", list)
	before := len(list.JSON200.Accounts)

	opened := must(client.CreateAccountWithResponse(ctx, nil,
		api.AccountInput{Account: api.AccountFields{Name: "Go", AccountType: "depository"}}))
	want(opened.JSON201 != nil && opened.JSON201.Classification == "asset", "opened account", string(opened.Body))
	list = must(client.ListAccountsWithResponse(ctx, nil))
	want(list.JSON200 != nil && len(list.JSON200.Accounts) == before+1, "one account more", list)

	name := "Bread"
	booked := must(client.CreateTransactionWithResponse(ctx, nil,
		api.TransactionInput{Transaction: api.TransactionFields{
			AccountId: opened.JSON201.Id, Date: day, Amount: amount("3.20"), Name: &name}}))
	want(booked.JSON201 != nil && booked.JSON201.SignedAmountCents == -320 && booked.JSON201.Category == nil,
		"booked transaction", string(booked.Body))
	got := must(client.GetTransactionWithResponse(ctx, booked.JSON201.Id, nil))
	want(got.JSON200 != nil && got.JSON200.Name == name && got.JSON200.Date.Equal(day.Time), "the same transaction",
		string(got.Body))

	wrong := must(client.CreateTransactionWithResponse(ctx, nil,
		api.TransactionInput{Transaction: api.TransactionFields{
			AccountId: opened.JSON201.Id, Date: day, Amount: amount("3.205"), Name: &name}}))
	want(wrong.JSON422 != nil && wrong.JSON422.Error == "validation_failed" && len(*wrong.JSON422.Errors) == 1,
		"a refused amount", string(wrong.Body))
	none := must(client.GetTransactionWithResponse(ctx, uuid.New(), nil))
	want(none.JSON404 != nil && none.JSON404.Error == "not_found", "an unknown transaction", string(none.Body))
	fmt.Println("the Go client works")
}
