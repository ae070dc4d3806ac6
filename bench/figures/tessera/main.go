// An HTTP server around Tessera's POSIX log: POST /add answers once an inclusion proof of the entry can be had under a
// checkpoint that is published, with that proof. It prints the address that it listens on.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

const (
	maxBodyBytes = 8 << 10
	batchSize    = 256
	// The longest wait of an entry for others of its batch.
	batchAge = 10 * time.Millisecond
	// The shortest that the POSIX driver takes.
	checkpointInterval = 100 * time.Millisecond
	pollPeriod         = 5 * time.Millisecond
)

// proof is the answer to a call.
type proof struct {
	Index      uint64   `json:"index"`
	TreeSize   uint64   `json:"tree_size"`
	Path       [][]byte `json:"path"`
	Checkpoint string   `json:"checkpoint"`
}

type server struct {
	appender *tessera.Appender
	awaiter  *tessera.PublicationAwaiter
	readTile client.TileFetcherFunc
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: tessera FOLDER")
	}
	if err := serve(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, folder string) error {
	secret, _, err := note.GenerateKey(rand.Reader, "bench.example/log")
	if err != nil {
		return err
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		return err
	}
	driver, err := posix.New(ctx, posix.Config{Path: folder})
	if err != nil {
		return err
	}
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithBatching(batchSize, batchAge).
		WithCheckpointInterval(checkpointInterval)
	appender, _, reader, err := tessera.NewAppender(ctx, driver, options)
	if err != nil {
		return err
	}
	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, pollPeriod)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	http.Handle("POST /add", &server{appender, awaiter, reader.ReadTile})
	return http.Serve(listener, nil)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodyBytes))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := s.add(r.Context(), body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *server) add(ctx context.Context, entry []byte) (*proof, error) {
	index, checkpoint, err := s.awaiter.Await(ctx, s.appender.Add(ctx, tessera.NewEntry(entry)))
	if err != nil {
		return nil, err
	}
	// The second line of a checkpoint is the size of its tree.
	lines := bytes.SplitN(checkpoint, []byte("\n"), 3)
	if len(lines) != 3 {
		return nil, fmt.Errorf("not a checkpoint: %q", checkpoint)
	}
	size, err := strconv.ParseUint(string(lines[1]), 10, 64)
	if err != nil {
		return nil, err
	}
	builder, err := client.NewProofBuilder(ctx, size, s.readTile)
	if err != nil {
		return nil, err
	}
	path, err := builder.InclusionProof(ctx, index.Index)
	if err != nil {
		return nil, err
	}
	return &proof{index.Index, size, path, string(checkpoint)}, nil
}
