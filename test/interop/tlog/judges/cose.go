// Verifies a COSE receipt of inclusion (RFC 9942).
package main

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	"github.com/fxamacker/cbor/v2"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/veraison/go-cose"
)

// judgeCose checks a receipt of inclusion of RFC 9942: the root is rebuilt from the entry, and the signature is over it.
func judgeCose(args []string) error {
	if err := need(args, 3); err != nil {
		return err
	}
	pemText, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	block, _ := pem.Decode(pemText)
	if block == nil {
		return errors.New("no PEM")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return err
	}
	entry, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	receipt, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	var message cose.Sign1Message
	if err := message.UnmarshalCBOR(receipt); err != nil {
		return err
	}
	if vds, ok := message.Headers.Protected[int64(395)].(int64); !ok || vds != 1 {
		return fmt.Errorf("vds is %v", message.Headers.Protected[int64(395)])
	}
	if message.Payload != nil {
		return errors.New("the payload is attached")
	}
	var unprotected struct {
		Proofs struct {
			Inclusion [][]byte `cbor:"-1,keyasint"`
		} `cbor:"396,keyasint"`
	}
	if err := cbor.Unmarshal(message.Headers.RawUnprotected, &unprotected); err != nil {
		return err
	}
	if len(unprotected.Proofs.Inclusion) != 1 {
		return errors.New("not one inclusion proof")
	}
	var inclusion struct {
		_         struct{} `cbor:",toarray"`
		TreeSize  uint64
		LeafIndex uint64
		Path      [][]byte
	}
	if err := cbor.Unmarshal(unprotected.Proofs.Inclusion[0], &inclusion); err != nil {
		return err
	}
	leaf := rfc6962.DefaultHasher.HashLeaf(entry)
	root, err := proof.RootFromInclusionProof(rfc6962.DefaultHasher, inclusion.LeafIndex, inclusion.TreeSize, leaf, inclusion.Path)
	if err != nil {
		return err
	}
	message.Payload = root
	verifier, err := cose.NewVerifier(cose.AlgorithmEdDSA, key.(ed25519.PublicKey))
	if err != nil {
		return err
	}
	if err := message.Verify(nil, verifier); err != nil {
		return err
	}
	fmt.Printf("cose: entry %d of %d under %x: held\n", inclusion.LeafIndex, inclusion.TreeSize, root[:8])
	return nil
}
