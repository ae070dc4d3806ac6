// Takes an RFC 3161 token out of a `.tlog-proof`.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	"filippo.io/torchwood"
	f_proof "github.com/transparency-dev/formats/proof"
	"golang.org/x/mod/sumdb/note"
)

const stampType = "\xffdisclosure-receipts/rfc3161-root/v1"

// judgeStamp finds the RFC 3161 token among the signatures that no verifier knows, writes it to a file and prints the root that
// it must cover: `openssl ts -verify -digest ROOT -in FILE -token_in -CAfile ANCHOR` is the judge then.
func judgeStamp(args []string) error {
	if err := need(args, 4); err != nil {
		return err
	}
	policy, err := readPolicy(args[0])
	if err != nil {
		return err
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var parsed f_proof.TLogProof
	if err := parsed.Unmarshal(text); err != nil {
		return err
	}
	checkpoint, signed, err := torchwood.VerifyCheckpoint(parsed.Checkpoint, policy)
	if err != nil {
		return err
	}
	pemText, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	block, _ := pem.Decode(pemText)
	if block == nil {
		return errors.New("no PEM")
	}
	anchor, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return err
	}
	for _, sig := range signed.UnverifiedSigs {
		if sig.Hash != stampID(sig, anchor) {
			continue
		}
		blob, err := base64.StdEncoding.DecodeString(sig.Base64)
		if err != nil {
			return err
		}
		fmt.Printf("%x\n", checkpoint.Hash[:])
		return os.WriteFile(args[3], blob[4:], 0o644)
	}
	return errors.New("no token of this authority")
}

func stampID(sig note.Signature, anchor *x509.Certificate) uint32 {
	key := sha256.Sum256(anchor.RawSubjectPublicKeyInfo)
	id := sha256.Sum256(bytes.Join([][]byte{[]byte(sig.Name + "\n" + stampType), key[:]}, nil))
	return binary.BigEndian.Uint32(id[:])
}
