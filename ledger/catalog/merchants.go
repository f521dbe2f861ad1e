package catalog

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// MerchantInput is what a client says about a merchant, new or changed. Color is #rrggbb, WebsiteURL an address such as
// https://example.org or example.org; null or blank clears them. Problems are what decoding found.
type MerchantInput struct {
	Name, Color, WebsiteURL ledger.Opt[string]
	Problems                ledger.Problems
}

// fill applies what is given to a merchant, new or present, and checks it.
func (in *MerchantInput) fill(m queries.Merchant) (queries.Merchant, error) {
	if (in.Name.Set || m.ID == 0) && !in.Problems.Has("name") {
		m.Name = in.Problems.CheckName("name", in.Name.Or(""))
		m.NameKey = ledger.Fold(m.Name)
	}
	if in.Color.Set {
		m.Color = strings.TrimSpace(in.Color.Or(""))
		if m.Color != "" {
			m.Color = in.Problems.CheckColor("color", m.Color)
		}
	}
	if in.WebsiteURL.Set {
		m.WebsiteUrl = in.Problems.CheckWebsite("website_url", in.WebsiteURL.Or(""))
	}
	return m, in.Problems.Err()
}

// Check finds what is wrong with a new merchant by itself.
func (in MerchantInput) Check() ledger.Problems {
	_, _ = in.fill(queries.Merchant{}) // it is the problems that are wanted
	return in.Problems
}

// ListMerchants gives all merchants of the household by name.
func (s *Labels) ListMerchants(ctx context.Context, who ledger.Actor) (list []queries.Merchant, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		list, err = tx.ListMerchants(ctx, tx.HouseholdID)
		return err
	})
	return list, err
}

// GetMerchant gives one merchant.
func (s *Labels) GetMerchant(ctx context.Context, who ledger.Actor, id uuid.UUID) (m queries.Merchant, err error) {
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		m, err = getMerchant(ctx, tx, id)
		return err
	})
	return m, err
}

func getMerchant(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Merchant, error) {
	m, err := tx.GetMerchant(ctx, queries.GetMerchantParams{PublicID: queries.PublicID(id),
		HouseholdID: tx.HouseholdID})
	return m, ledger.Missing(err, "Merchant")
}

// CreateMerchant makes a merchant; its name must be new to the household, whatever its case.
func (s *Labels) CreateMerchant(ctx context.Context, who ledger.Actor, in MerchantInput) (m queries.Merchant,
	err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		m, err = createMerchant(ctx, tx, in)
		return err
	})
	return m, err
}

func createMerchant(ctx context.Context, tx *ledger.Tx, in MerchantInput) (queries.Merchant, error) {
	m, err := in.fill(queries.Merchant{HouseholdID: tx.HouseholdID})
	if err != nil {
		return m, err
	}
	m.PublicID, err = ledger.NewID()
	if err != nil {
		return m, err
	}
	m.CreatedAt = tx.Stamp()
	m.UpdatedAt = m.CreatedAt
	m.ID, err = tx.InsertMerchant(ctx, queries.InsertMerchantParams{PublicID: m.PublicID, HouseholdID: m.HouseholdID,
		Name: m.Name, NameKey: m.NameKey,
		Color: m.Color, WebsiteUrl: m.WebsiteUrl, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt})
	if err != nil {
		return m, nameTaken(err, "merchant", m.Name)
	}
	return m, tx.Record(ctx, ledger.EntityMerchant, m.PublicID, nil, m)
}

// UpdateMerchant changes what is given of a merchant. Its transactions are found by a new name at once.
func (s *Labels) UpdateMerchant(ctx context.Context, who ledger.Actor, id uuid.UUID,
	in MerchantInput) (m queries.Merchant, err error) {
	err = s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := getMerchant(ctx, tx, id)
		if err != nil {
			return err
		}
		m, err = in.fill(before)
		if err != nil || m == before {
			return err
		}
		return storeMerchant(ctx, tx, before, &m)
	})
	return m, err
}

// storeMerchant writes a changed merchant.
func storeMerchant(ctx context.Context, tx *ledger.Tx, before queries.Merchant, after *queries.Merchant) error {
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	err := tx.UpdateMerchant(ctx, queries.UpdateMerchantParams{Name: after.Name, NameKey: after.NameKey, Color: after.Color,
		WebsiteUrl: after.WebsiteUrl, UpdatedAt: after.UpdatedAt, ID: after.ID, HouseholdID: tx.HouseholdID})
	if err != nil {
		return nameTaken(err, "merchant", after.Name)
	}
	if after.Name != before.Name {
		if err := rollup.ReindexMerchant(ctx, tx, after.ID, after.Name); err != nil {
			return err
		}
	}
	return tx.Record(ctx, ledger.EntityMerchant, after.PublicID, before, *after)
}

// DeleteMerchant removes a merchant; its transactions have none afterwards.
func (s *Labels) DeleteMerchant(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	var m queries.Merchant
	find := func(ctx context.Context, tx *ledger.Tx) (err error) {
		m, err = getMerchant(ctx, tx, id)
		return err
	}
	if err := s.ReadTx(ctx, who, find); err != nil {
		return err
	}
	return s.replace(ctx, who, entry.Replacement{Of: ledger.EntityMerchant, From: m.ID}, func(ctx context.Context, tx *ledger.Tx) error {
		if err := find(ctx, tx); err != nil {
			return err
		}
		// Rows that an import is still writing are not seen yet.
		if err := rollup.ReindexMerchant(ctx, tx, m.ID, ""); err != nil {
			return err
		}
		return removeMerchant(ctx, tx, m)
	})
}

func removeMerchant(ctx context.Context, tx *ledger.Tx, m queries.Merchant) error {
	if err := tx.DeleteMerchant(ctx, queries.DeleteMerchantParams{ID: m.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityMerchant, m.PublicID, m, nil)
}

// FindOrCreateMerchant gives the key of the merchant that a file means by a name, and what had to be
// created.
func FindOrCreateMerchant(ctx context.Context, tx *ledger.Tx, name string) (int64, []ledger.Created, error) {
	return RestoreMerchant(ctx, tx, MerchantInput{Name: ledger.Some(name)})
}

// RestoreMerchant is the same of a merchant of which more than the name is known. One that is there stays as it is.
func RestoreMerchant(ctx context.Context, tx *ledger.Tx, in MerchantInput) (int64, []ledger.Created, error) {
	m, isNew, err := FindOrCreateMerchantTx(ctx, tx, in)
	if err != nil || !isNew {
		return m.ID, nil, err
	}
	return m.ID, []ledger.Created{{Entity: string(ledger.EntityMerchant), ID: m.PublicID}}, nil
}

func FindOrCreateMerchantTx(ctx context.Context, tx *ledger.Tx, in MerchantInput) (m queries.Merchant, isNew bool,
	err error) {
	m, err = tx.GetMerchantNamed(ctx, queries.GetMerchantNamedParams{HouseholdID: tx.HouseholdID,
		NameKey: ledger.Fold(in.Name.Value)})
	if !errors.Is(err, db.ErrNotFound) {
		return m, false, err
	}
	m, err = createMerchant(ctx, tx, in)
	return m, true, err
}
