// A small log with a fixed key, so that one seed makes the same inputs every time: its entries, notes, proofs and tiles.
import { utf8 } from "../../../evidence/core/bytes.ts";
import { formatCoseReceipt, parseSignedRoot } from "../../../evidence/core/log/cose-receipt.ts";
import { formatNoteKey, parseNoteKey } from "../../../evidence/core/log/note.ts";
import { parsePolicy } from "../../../evidence/core/log/tlog-policy.ts";
import { formatTlogProof } from "../../../evidence/core/log/tlog-proof.ts";
import { type LogSigner, signCheckpoint, signRoot } from "../../support/log-signer.ts";
import { logSigner, type NoteSigner, witnessSigner } from "../../support/note-signers.ts";
import { leafHash, PATH, treeOf } from "../../support/rfc9162.ts";

export const SIZE = 11;
const SECONDS = 1_795_000_000;

const signerOf = ({ vkey, secret }: NoteSigner): LogSigner => ({ key: parseNoteKey(vkey), secret });

export const LOG = signerOf(logSigner("receipts.example.com/v1/metachain"));
const one = signerOf(witnessSigner("witness.example/one"));
const two = signerOf(witnessSigner("witness.example/two"));

const vkey = ({ key }: LogSigner): string => formatNoteKey(key);
export const POLICY_TEXT = `# the log and its witnesses
log ${vkey(LOG)} https://receipts.example.com/v1/metachain
witness one ${vkey(one)} https://one.example/
witness two\t${vkey(two)}
group both all one two
group some 1 both
quorum some
`;
export const POLICY = parsePolicy(POLICY_TEXT);
export const KEY_TEXT = vkey(LOG);

const entryAt = (i: number): Uint8Array => utf8(`entry ${i}`.padEnd(64));
export const mth = treeOf((i) => leafHash(entryAt(i)));
export const leafAt = (i: number): Uint8Array => leafHash(entryAt(i));

const checkpointOf = (size: number): string =>
  signCheckpoint(LOG, { size, root: mth(0, size) }, [
    [one, SECONDS],
    [two, SECONDS + size],
  ]);

export const CHECKPOINTS = [1, 5, SIZE].map(checkpointOf);

export interface SignedProof {
  readonly index: number;
  readonly entry: Uint8Array;
  readonly tlogProof: string;
  readonly coseReceipt: Uint8Array;
}

export const PROOFS: readonly SignedProof[] = [0, 3, 8, 10].map((index) => {
  const path = PATH(index, 0, SIZE, mth);
  const signedRoot = parseSignedRoot(signRoot(LOG, mth(0, SIZE)));
  const extra = index % 2 === 0 ? null : utf8('{"format":1}');
  return {
    index,
    entry: entryAt(index),
    tlogProof: formatTlogProof({ extra, index, path, checkpoint: checkpointOf(SIZE) }),
    coseReceipt: formatCoseReceipt({ signedRoot, proof: { treeSize: SIZE, leafIndex: index, path } }),
  };
});
