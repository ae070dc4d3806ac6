// Verifies `.tlog-proof` files: of an entry that is given, and of a receipt that travels inside.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"filippo.io/torchwood"
	f_proof "github.com/transparency-dev/formats/proof"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/tlog"
)

func judgeProof(args []string) error {
	if err := need(args, 3); err != nil {
		return err
	}
	record, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	return checkProof(args[0], args[2], func([]byte) (tlog.Hash, error) { return tlog.RecordHash(record), nil })
}

// judgeReceipt takes the record from the proof's extra line. All that a reader has to know of receipts is in recordOf.
func judgeReceipt(args []string) error {
	if err := need(args, 2); err != nil {
		return err
	}
	return checkProof(args[0], args[1], recordOf)
}

func checkProof(policyFile, proofFile string, recordHash func(extra []byte) (tlog.Hash, error)) error {
	policy, err := readPolicy(policyFile)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(proofFile)
	if err != nil {
		return err
	}
	// A second reader, which knows nothing of the first.
	var parsed f_proof.TLogProof
	if err := parsed.Unmarshal(text); err != nil {
		return err
	}
	if !bytes.Equal(parsed.Marshal(), text) {
		return errors.New("the proof is not as another writer would write it")
	}
	hash, err := recordHash(parsed.ExtraData)
	if err != nil {
		return err
	}
	if err := torchwood.VerifyProof(policy, hash, text); err != nil {
		return err
	}
	fmt.Printf("proof: entry %d, %d nodes, %d bytes of extra: held\n", parsed.Index, len(parsed.Hashes), len(parsed.ExtraData))
	return nil
}

// recordOf: receipt -> leaf of its chain -> root of its chain -> entry of the log -> record hash.
func recordOf(extra []byte) (tlog.Hash, error) {
	var parts struct {
		Format    string          `json:"format"`
		HeadIndex uint64          `json:"head_index"`
		Receipt   json.RawMessage `json:"receipt"`
		Proof     struct {
			LeafIndex uint64   `json:"leaf_index"`
			TreeSize  uint64   `json:"tree_size"`
			Path      []string `json:"path"`
		} `json:"event_inclusion_proof"`
	}
	if err := json.Unmarshal(extra, &parts); err != nil {
		return tlog.Hash{}, err
	}
	var receipt struct {
		ChainID      string  `json:"chain_id"`
		Sequence     uint64  `json:"sequence"`
		PreviousTurn *string `json:"previous_turn_hash"`
	}
	if err := json.Unmarshal(parts.Receipt, &receipt); err != nil {
		return tlog.Hash{}, err
	}
	if parts.Format != "disclosure-receipt/1" || receipt.Sequence != parts.Proof.LeafIndex {
		return tlog.Hash{}, errors.New("not a receipt's proof")
	}
	var path [][]byte
	for _, text := range parts.Proof.Path {
		node, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
		if err != nil {
			return tlog.Hash{}, err
		}
		path = append(path, node)
	}
	// extra is canonical JSON, and so is the receipt in it: its bytes are the ones that were hashed.
	turn, err := labelOfTurn(parts.Receipt, receipt.PreviousTurn)
	if err != nil {
		return tlog.Hash{}, err
	}
	core := sha256.Sum256(parts.Receipt)
	leaf := rfc6962.DefaultHasher.HashLeaf(slices.Concat(turn, core[:]))
	root, err := proof.RootFromInclusionProof(rfc6962.DefaultHasher, parts.Proof.LeafIndex, parts.Proof.TreeSize, leaf, path)
	if err != nil {
		return tlog.Hash{}, err
	}
	label := sha256.Sum256(fmt.Appendf(nil, `{"chain_id":"%s","head_index":%d}`, receipt.ChainID, parts.HeadIndex))
	commitment := sha256.Sum256(fmt.Appendf(nil, `{"chain_id":"%s","head_index":%d,"root":"0x%x","tree_size":%d}`,
		receipt.ChainID, parts.HeadIndex, root, parts.Proof.TreeSize))
	return tlog.RecordHash(slices.Concat(label[:], commitment[:])), nil
}

// labelOfTurn is the first half of a leaf: of a turn that follows no other, it comes from the receipt itself.
func labelOfTurn(core []byte, previousTurn *string) ([]byte, error) {
	if previousTurn == nil {
		hash := sha256.Sum256(core)
		label := sha256.Sum256(append([]byte("disclosure-receipt/1/first-turn\n"), hash[:]...))
		return label[:], nil
	}
	hash, err := hex.DecodeString(strings.TrimPrefix(*previousTurn, "sha256:"))
	if err != nil {
		return nil, err
	}
	label := sha256.Sum256(append([]byte("disclosure-receipt/1/turn-after\n"), hash...))
	return label[:], nil
}
