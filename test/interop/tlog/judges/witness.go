// Prepares litewitness, which is a witness of others: its logs, and a key in an ssh-agent.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"net"
	"os"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// addLog makes a log known to litewitness, as `witnessctl add-log` and `add-key` do. litewitness may be running.
func addLog(args []string) error {
	if err := need(args, 3); err != nil {
		return err
	}
	db, err := sqlite.OpenConn(args[0], 0)
	if err != nil {
		return err
	}
	defer db.Close()
	const emptyTree = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	err = sqlitex.ExecScript(db, `
		CREATE TABLE IF NOT EXISTS log (origin TEXT PRIMARY KEY, tree_size INTEGER NOT NULL, tree_hash TEXT NOT NULL);
		CREATE TABLE IF NOT EXISTS key (origin TEXT NOT NULL, key TEXT NOT NULL, FOREIGN KEY(origin) REFERENCES log(origin));`)
	if err != nil {
		return err
	}
	err = sqlitex.Execute(db, "INSERT INTO log VALUES (?, 0, ?)", &sqlitex.ExecOptions{Args: []any{args[1], emptyTree}})
	if err != nil {
		return err
	}
	return sqlitex.Execute(db, "INSERT INTO key VALUES (?, ?)", &sqlitex.ExecOptions{Args: []any{args[1], args[2]}})
}

// serveAgent holds a new key for litewitness behind an ssh-agent's socket and prints its fingerprint.
func serveAgent(args []string) error {
	if err := need(args, 1); err != nil {
		return err
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	keyring := agent.NewKeyring()
	if err := keyring.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		return err
	}
	os.Remove(args[0])
	listener, err := net.Listen("unix", args[0])
	if err != nil {
		return err
	}
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		return err
	}
	fmt.Println(ssh.FingerprintSHA256(public))
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go agent.ServeAgent(keyring, conn)
	}
}
