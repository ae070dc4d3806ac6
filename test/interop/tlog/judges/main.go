// Judges of a tiled log by libraries that know nothing of the service: golang.org/x/mod/sumdb, filippo.io/torchwood,
// transparency-dev/{tessera,merkle,formats} and veraison/go-cose. The exit status is 0 only where everything held.
package main

import (
	"fmt"
	"os"

	"filippo.io/torchwood"
)

var commands = map[string]struct {
	args string
	run  func(args []string) error
}{
	"log":      {"POLICY FOLDER-OR-URL [OLD-CHECKPOINT]...", judgeLog},
	"proof":    {"POLICY RECORD TLOG-PROOF", judgeProof},
	"receipt":  {"POLICY TLOG-PROOF", judgeReceipt},
	"cose":     {"PUBLIC-KEY-PEM ENTRY RECEIPT", judgeCose},
	"db":       {"LITEWITNESS-DB ORIGIN VKEY", addLog},
	"agent":    {"SOCKET", serveAgent},
	"newtiles": {"< LINES", judgeNewTiles},
	"stamp":    {"POLICY TLOG-PROOF ANCHOR-PEM TOKEN-OUT", judgeStamp},
}

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	command, ok := commands[os.Args[1]]
	if !ok {
		usage()
	}
	if err := command.run(os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "judge %s: REFUSED: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func usage() {
	for name, command := range commands {
		fmt.Fprintf(os.Stderr, "judge %s %s\n", name, command.args)
	}
	os.Exit(2)
}

func need(args []string, n int) error {
	if len(args) < n {
		return fmt.Errorf("%d arguments, not %d", n, len(args))
	}
	return nil
}

func readPolicy(name string) (torchwood.Policy, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return torchwood.ParsePolicy(text)
}
