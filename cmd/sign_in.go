package cmd

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/listen"
	"finsvc/cmd/lock"
	"finsvc/cmd/term"
	"finsvc/ledger/books"
	"finsvc/ledger/signin"
)

func newUserLink(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "link EMAIL", Short: "Print a link that signs a user in with a browser", Args: cobra.ExactArgs(1),
		Long: "Print a link that signs a user in with a browser: once, within ten minutes. On a terminal it is shown as a QR\n" +
			"code as well. It is the way in for a new phone, and for who has forgotten a password.",
		Example: "  finsvc user link ana@example.org",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withLedger(c.Context(), func(l *books.Books) error {
				user, err := activeUser(c.Context(), l, args[0])
				if err != nil {
					return err
				}
				token, until, err := l.SignIn.NewLink(c.Context(), actor(user.HouseholdID), user.ID)
				if err != nil {
					return err
				}
				site, running := a.pagesURL()
				link := site + "/link/" + token
				if term.IsTerminal(a.Stderr) && !a.Plain && !a.Dumb {
					code, err := term.QR(link)
					if err != nil {
						return err
					}
					a.Say("\n%s", code)
				}
				a.Say("It signs %s in, once, until %s.", user.Email, until.Local().Format("15:04"))
				if !running {
					a.Say("No server has the file at present; begin one: finsvc serve")
				}
				return a.Print(link)
			})
		},
	}
}

// pagesURL is where others in the network find the pages of the server that has the file, else of one with these
// settings, and whether there is one.
func (a *app) pagesURL() (url string, running bool) {
	path, err := filepath.Abs(a.config.Data)
	listens := a.config.Listen
	if err == nil {
		var by lock.Owner
		by, running, err = lock.ServerOn(path)
		if err == nil && running && by.Addr != "" {
			listens = by.Addr
		}
	}
	if public := a.config.Network.PublicURL; public != "" {
		return string(public) + string(a.config.Network.BasePath), running
	}
	host, port, err := net.SplitHostPort(listens)
	if err != nil { // a socket that is a file, behind a proxy
		return listen.SiteOf(&a.config.Network).Scheme + "://localhost" + string(a.config.Network.BasePath), running
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		ip = netip.IPv6Unspecified()
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		number = 7117
	}
	reached := listen.SiteOf(&a.config.Network).ReachOf(&net.TCPAddr{IP: ip.AsSlice(), Port: number}, listen.ThisMachine(a.env))
	if len(reached.Network) > 0 {
		return reached.Network[0], running
	}
	return reached.Here[0], running
}

func newUserPassword(a *app) *cobra.Command {
	var fromStdin bool
	var file string
	c := &cobra.Command{
		Use: "password EMAIL", Short: "Give a user a password for signing in with a browser", Args: cobra.ExactArgs(1),
		Long: "Give a user a password for signing in with a browser. It is asked for, or is the first line of standard input\n" +
			"or of a file; it is never an argument, as others see those. All browsers of the user are signed out.",
		Example: "  finsvc user password ana@example.org\n" +
			"  finsvc user password ana@example.org --password-stdin < secret.txt",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withLedger(c.Context(), func(l *books.Books) error {
				user, err := activeUser(c.Context(), l, args[0])
				if err != nil {
					return err
				}
				password, err := a.newPassword(c.Context(), fromStdin, file)
				if err != nil {
					return err
				}
				if err := l.SignIn.SetPassword(c.Context(), actor(user.HouseholdID), user.ID, password); err != nil {
					return err
				}
				a.Say("%s has a new password. All of their browsers are signed out.", user.Email)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&fromStdin, "password-stdin", false, "read it from standard input")
	c.Flags().StringVar(&file, "password-file", "", "`FILE` to read it from")
	c.MarkFlagsMutuallyExclusive("password-stdin", "password-file")
	return c
}

// newPassword reads a password from where it is said to be, else asks for it twice.
func (a *app) newPassword(ctx context.Context, fromStdin bool, file string) (string, error) {
	switch {
	case fromStdin:
		return firstLine(a.Stdin)
	case file != "":
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		return firstLine(f)
	case !a.CanAsk():
		return "", exit.Usagef("nobody can be asked for the password here; give it with --password-stdin or --password-file FILE")
	}
	password, err := a.AskSecret(ctx, "New password:")
	if err != nil {
		return "", err
	}
	again, err := a.AskSecret(ctx, "Once more:")
	if err == nil && again != password {
		err = exit.Usagef("the two differ; nothing was changed")
	}
	return password, err
}

// firstLine reads a line, which may be the last one without an end.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, 8*signin.MaxPassword)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

func newSetUpCode(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "setup-code", Short: "Print a new code for setting finsvc up in a browser", Args: cobra.NoArgs,
		Long: "Print a new code for making the first household in a browser. It works once, for thirty minutes, and ends the\n" +
			"one that the server printed when it began.",
		Example: "  finsvc setup-code",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withLedger(c.Context(), func(l *books.Books) error {
				code, until, err := l.SignIn.NewSetUpCode(c.Context())
				if err != nil {
					return err
				}
				site, running := a.pagesURL()
				a.Say("Enter it at %s/setup, once, until %s.", site, until.Local().Format("15:04"))
				if !running {
					a.Say("No server has the file at present; begin one, which prints a code of its own: finsvc serve")
				}
				return a.Print(code)
			})
		},
	}
}
