package cmd

import (
	"context"

	"finsvc/ledger"
)

// What the first household is called when nobody says, and its owner.
const (
	firstHousehold = "Home"
	firstOwner     = "owner@localhost"
)

// fillHousehold takes what was not said from the settings and the environment.
func fillHousehold(a *app, in *ledger.HouseholdInput) {
	in.Currency = a.config.Currency
	if in.Currency == "" {
		in.Currency = a.env.currency()
	}
	if in.Locale == "" {
		in.Locale = a.env.locale()
	}
	if in.Timezone == "" {
		in.Timezone = a.env.timezone()
	}
}

// createHousehold makes a household and says what it is like.
func createHousehold(ctx context.Context, a *app, l *ledger.Ledger, in ledger.HouseholdInput) (ledger.Household, error) {
	home, owner, err := l.CreateHousehold(ctx, actor(0), in)
	if err != nil {
		return home, err
	}
	a.Say("Created household %s (%s, %s, %s) and its owner %s.", ledger.Quote(home.Name), home.Currency, home.Locale, home.Timezone, owner.Email)
	return home, nil
}

// firstKeyHousehold is the household that a new key is for: the one that is meant, or in a file without
// any a new one.
func firstKeyHousehold(ctx context.Context, a *app, l *ledger.Ledger, name, email string) (ledger.Household, error) {
	homes, err := l.ListHouseholds(ctx)
	if err != nil {
		return ledger.Household{}, err
	}
	if len(homes) > 0 {
		return householdOfUser(ctx, l, name, email)
	}
	in := ledger.HouseholdInput{Name: name, OwnerEmail: email}
	if name == "" {
		in.Name = firstHousehold
	}
	if email == "" {
		in.OwnerEmail = firstOwner
	}
	fillHousehold(a, &in)
	home, err := createHousehold(ctx, a, l, in)
	if err == nil {
		a.Say("Change it with: finsvc household update --help")
	}
	return home, err
}

// householdOfUser is the household that is named, else that of the active user with the address, else
// the only one.
func householdOfUser(ctx context.Context, l *ledger.Ledger, name, email string) (ledger.Household, error) {
	if name != "" || email == "" {
		return chooseHousehold(ctx, l, name)
	}
	users, err := l.FindUsers(ctx, email)
	if err != nil {
		return ledger.Household{}, err
	}
	if len(users) == 0 || !users[0].Active() {
		return ledger.Household{}, ledger.NewNotFound("Active user " + ledger.Quote(email))
	}
	return l.GetHousehold(ctx, actor(users[0].HouseholdID))
}
