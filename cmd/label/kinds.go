package label

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/names"
)

func newCategory(sh shell.Shell) *cobra.Command {
	k := kind{name: names.Category,
		remove: func(l *catalog.Labels) func(context.Context, ledger.Actor, uuid.UUID) error { return l.DeleteCategory },
		merge: func(l *catalog.Labels, ctx context.Context, who ledger.Actor, id, target uuid.UUID) error {
			_, err := l.MergeCategory(ctx, who, id, target)
			return err
		}}
	var name, parent, color string
	var income bool
	shared := func(c *cobra.Command) {
		c.Flags().StringVar(&parent, "parent", "", "category that it is below, by name or id; empty: none")
		c.Flags().StringVar(&color, "color", "", "color, such as #f97316")
	}
	input := func(d *shell.Desk, c *cobra.Command) (in catalog.CategoryInput, err error) {
		in.Color = shell.Given(c, "color", color)
		if !c.Flags().Changed("parent") {
			return in, nil
		}
		in.ParentID = ledger.Opt[uuid.UUID]{Set: true, Null: true}
		if parent != "" {
			found, err := d.Books.Names.Find(d.Ctx, d.Who, names.Category, parent)
			if err != nil {
				return in, err
			}
			in.ParentID = ledger.Some(found.ID)
		}
		return in, nil
	}
	return shell.Group("category", "List, make, change, merge and delete categories",
		k.list(sh, []string{"name", "below", "of"}, func(d *shell.Desk) (rows []labelJSON, err error) {
			list, _, err := d.Books.Labels.ListCategories(d.Ctx, d.Who, catalog.CategoryFilter{}, ledger.Everything())
			rows = []labelJSON{}
			for _, c := range list {
				row := labelJSON{ID: uuid.UUID(c.PublicID).String(), Name: c.Name, Classification: c.Classification}
				if c.Parent != nil {
					row.Parent = &c.Parent.Name
				}
				rows = append(rows, row)
			}
			return rows, err
		}, func(r labelJSON) []string {
			return []string{r.Name, term.Dash(ledger.OrBlank(r.Parent)), r.Classification}
		}),
		k.create(sh, func(c *cobra.Command) {
			shared(c)
			c.Flags().BoolVar(&income, "income", false, "it is of income (default: of expenses, or as the one that it is below)")
		}, func(d *shell.Desk, c *cobra.Command, name string) (uuid.UUID, error) {
			in, err := input(d, c)
			if err != nil {
				return uuid.Nil, err
			}
			in.Name = ledger.Some(name)
			if income {
				in.Classification = ledger.Some("income")
			}
			made, err := d.Books.Labels.CreateCategory(d.Ctx, d.Who, in)
			return uuid.UUID(made.PublicID), err
		}),
		k.update(sh, func(c *cobra.Command) {
			shared(c)
			c.Flags().StringVar(&name, "name", "", "new name")
		}, func(d *shell.Desk, c *cobra.Command, id uuid.UUID) error {
			if err := shell.NeedChange(c, "name", "parent", "color"); err != nil {
				return err
			}
			in, err := input(d, c)
			if err != nil {
				return err
			}
			in.Name = shell.Given(c, "name", name)
			_, err = d.Books.Labels.UpdateCategory(d.Ctx, d.Who, id, in)
			return err
		}),
		k.merging(sh), k.deleting(sh))
}

func newTag(sh shell.Shell) *cobra.Command {
	k := kind{name: names.Tag,
		remove: func(l *catalog.Labels) func(context.Context, ledger.Actor, uuid.UUID) error { return l.DeleteTag },
		merge: func(l *catalog.Labels, ctx context.Context, who ledger.Actor, id, target uuid.UUID) error {
			_, err := l.MergeTag(ctx, who, id, target)
			return err
		}}
	var name, color string
	return shell.Group("tag", "List, make, change, merge and delete tags",
		k.list(sh, []string{"name"}, func(d *shell.Desk) (rows []labelJSON, err error) {
			list, err := d.Books.Labels.ListTags(d.Ctx, d.Who)
			rows = []labelJSON{}
			for _, t := range list {
				rows = append(rows, labelJSON{ID: uuid.UUID(t.PublicID).String(), Name: t.Name})
			}
			return rows, err
		}, labelJSON.plain),
		k.create(sh, func(c *cobra.Command) { c.Flags().StringVar(&color, "color", "", "color, such as #f97316") },
			func(d *shell.Desk, c *cobra.Command, name string) (uuid.UUID, error) {
				made, err := d.Books.Labels.CreateTag(d.Ctx, d.Who, catalog.TagInput{Name: ledger.Some(name), Color: shell.Given(c, "color", color)})
				return uuid.UUID(made.PublicID), err
			}),
		k.update(sh, func(c *cobra.Command) {
			c.Flags().StringVar(&name, "name", "", "new name")
			c.Flags().StringVar(&color, "color", "", "color, such as #f97316")
		}, func(d *shell.Desk, c *cobra.Command, id uuid.UUID) error {
			in := catalog.TagInput{Name: shell.Given(c, "name", name), Color: shell.Given(c, "color", color)}
			if err := shell.NeedChange(c, "name", "color"); err != nil {
				return err
			}
			_, err := d.Books.Labels.UpdateTag(d.Ctx, d.Who, id, in)
			return err
		}),
		k.merging(sh), k.deleting(sh))
}

func newMerchant(sh shell.Shell) *cobra.Command {
	k := kind{name: names.Merchant,
		remove: func(l *catalog.Labels) func(context.Context, ledger.Actor, uuid.UUID) error { return l.DeleteMerchant },
		merge: func(l *catalog.Labels, ctx context.Context, who ledger.Actor, id, target uuid.UUID) error {
			_, err := l.MergeMerchant(ctx, who, id, target)
			return err
		}}
	var name, website string
	return shell.Group("merchant", "List, make, change, merge and delete merchants",
		k.list(sh, []string{"name"}, func(d *shell.Desk) (rows []labelJSON, err error) {
			list, err := d.Books.Labels.ListMerchants(d.Ctx, d.Who)
			rows = []labelJSON{}
			for _, m := range list {
				rows = append(rows, labelJSON{ID: uuid.UUID(m.PublicID).String(), Name: m.Name})
			}
			return rows, err
		}, labelJSON.plain),
		k.create(sh, func(c *cobra.Command) { c.Flags().StringVar(&website, "website", "", "address of its site") },
			func(d *shell.Desk, c *cobra.Command, name string) (uuid.UUID, error) {
				made, err := d.Books.Labels.CreateMerchant(d.Ctx, d.Who, catalog.MerchantInput{Name: ledger.Some(name),
					WebsiteURL: shell.Given(c, "website", website)})
				return uuid.UUID(made.PublicID), err
			}),
		k.update(sh, func(c *cobra.Command) {
			c.Flags().StringVar(&name, "name", "", "new name")
			c.Flags().StringVar(&website, "website", "", "address of its site")
		}, func(d *shell.Desk, c *cobra.Command, id uuid.UUID) error {
			in := catalog.MerchantInput{Name: shell.Given(c, "name", name), WebsiteURL: shell.Given(c, "website", website)}
			if err := shell.NeedChange(c, "name", "website"); err != nil {
				return err
			}
			_, err := d.Books.Labels.UpdateMerchant(d.Ctx, d.Who, id, in)
			return err
		}),
		k.merging(sh), k.deleting(sh))
}

// plain is the row of a label that has nothing but its name.
func (r labelJSON) plain() []string { return []string{r.Name} }
