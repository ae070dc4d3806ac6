// Reads a whole log as a monitor does.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"filippo.io/torchwood"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera/client"
	"golang.org/x/mod/sumdb/tlog"
)

// entryBytes is the length of an entry: a label and a commitment.
const entryBytes = 64

type source struct {
	tiles   torchwood.TileReader
	tessera interface {
		ReadTile(ctx context.Context, l, i uint64, p uint8) ([]byte, error)
	}
}

func open(where string) (source, error) {
	if !strings.HasPrefix(where, "http") {
		tiles, err := torchwood.NewTileFS(os.DirFS(where).(fs.FS))
		return source{tiles, &client.FileFetcher{Root: where}}, err
	}
	tiles, err := torchwood.NewTileFetcher(where)
	if err != nil {
		return source{}, err
	}
	root, err := url.Parse(strings.TrimSuffix(where, "/") + "/")
	if err != nil {
		return source{}, err
	}
	fetcher, err := client.NewHTTPFetcher(root, nil)
	return source{tiles, fetcher}, err
}

// judgeLog reads the whole log as a monitor would, at its newest checkpoint and at every older one that is given.
func judgeLog(args []string) error {
	if err := need(args, 2); err != nil {
		return err
	}
	policy, err := readPolicy(args[0])
	if err != nil {
		return err
	}
	src, err := open(args[1])
	if err != nil {
		return err
	}
	ctx := context.Background()
	newest, err := src.tiles.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return err
	}
	latest, signed, err := torchwood.VerifyCheckpoint(newest, policy)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	for _, sig := range signed.Sigs {
		fmt.Printf("checkpoint of size %d signed by %s (%08x)\n", latest.N, sig.Name, sig.Hash)
	}
	if err := readAll(ctx, src, latest.Tree); err != nil {
		return err
	}
	for _, name := range args[2:] {
		if err := judgeOlder(ctx, src, latest.Tree, policy, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	fmt.Printf("log: %d entries, %d older checkpoints: all held\n", latest.N, len(args)-2)
	return nil
}

func judgeOlder(ctx context.Context, src source, latest tlog.Tree, policy torchwood.Policy, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	older, _, err := torchwood.VerifyCheckpoint(text, policy)
	if err != nil {
		return err
	}
	// x/mod proves from tiles, merkle checks; then tessera proves and x/mod checks.
	path, err := tlog.ProveTree(latest.N, older.N, torchwood.TileHashReaderWithContext(ctx, latest, src.tiles))
	if err != nil {
		return err
	}
	var hashes [][]byte
	for _, h := range path {
		hashes = append(hashes, h[:])
	}
	if err := proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(older.N), uint64(latest.N), hashes, older.Hash[:], latest.Hash[:]); err != nil {
		return err
	}
	builder, err := client.NewProofBuilder(ctx, uint64(latest.N), src.tessera.ReadTile)
	if err != nil {
		return err
	}
	built, err := builder.ConsistencyProof(ctx, uint64(older.N), uint64(latest.N))
	if err != nil {
		return err
	}
	var treeProof tlog.TreeProof
	for _, h := range built {
		treeProof = append(treeProof, tlog.Hash(h))
	}
	if err := tlog.CheckTree(treeProof, latest.N, latest.Hash, older.N, older.Hash); err != nil {
		return err
	}
	return readAll(ctx, src, older.Tree)
}

// readAll reads every entry; torchwood checks each against the tree. Every 37th is proved once more by tessera's client.
func readAll(ctx context.Context, src source, tree tlog.Tree) error {
	c, err := torchwood.NewClient(src.tiles)
	if err != nil {
		return err
	}
	builder, err := client.NewProofBuilder(ctx, uint64(tree.N), src.tessera.ReadTile)
	if err != nil {
		return err
	}
	var n int64
	for i, entry := range c.AllEntries(ctx, tree, 0) {
		if i != n || len(entry) != entryBytes {
			return fmt.Errorf("entry %d has %d bytes", i, len(entry))
		}
		n++
		if i%37 != 0 {
			continue
		}
		path, err := builder.InclusionProof(ctx, uint64(i))
		if err != nil {
			return err
		}
		if err := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(i), uint64(tree.N), rfc6962.DefaultHasher.HashLeaf(entry), path, tree.Hash[:]); err != nil {
			return err
		}
		again, _, err := c.Entry(ctx, tree, i)
		if err != nil {
			return err
		}
		if !bytes.Equal(again, entry) {
			return errors.New("one index, two entries")
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	if n != tree.N {
		return fmt.Errorf("%d entries of %d", n, tree.N)
	}
	return nil
}
