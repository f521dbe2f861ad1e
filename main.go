// Finsvc keeps a household's books and serves them over HTTP: one program, one file.
package main

import (
	"context"
	"os"
	_ "time/tzdata"

	"finsvc/cmd"
)

func main() {
	os.Exit(cmd.Main(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
