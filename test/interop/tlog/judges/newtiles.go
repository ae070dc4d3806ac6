// Compares the tiles that a growing log writes.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// judgeNewTiles reads lines `from to path...` and compares each with what x/mod says must be published between two sizes.
func judgeNewTiles([]string) error {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 16<<20)
	lines := 0
	for scanner.Scan() {
		var from, to int64
		if _, err := fmt.Sscan(scanner.Text(), &from, &to); err != nil {
			return err
		}
		var want []string
		for _, tile := range tlog.NewTiles(torchwood.TileHeight, from, to) {
			want = append(want, torchwood.TilePath(tile))
			if tile.L == 0 {
				tile.L = -1
				want = append(want, torchwood.TilePath(tile))
			}
		}
		got := strings.Fields(scanner.Text())[2:]
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			return fmt.Errorf("%d to %d: %v, not %v", from, to, got, want)
		}
		lines++
	}
	fmt.Printf("newtiles: %d pairs of sizes: the same tiles under the same paths\n", lines)
	return scanner.Err()
}
