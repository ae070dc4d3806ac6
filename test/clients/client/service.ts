// A service of one chain in memory whose answers hold, over HTTP; tests disturb its calls, or copy it to fork its chain.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { type AttestationRequest, hashInput } from "../../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";
import { formatEventId, parseEventId } from "../../../evidence/core/formats/event-id.ts";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import { PENDING_TIMESTAMP } from "../../../evidence/core/formats/metachain.ts";
import {
  type Authentication,
  hashOutput,
  hashReceiptCore,
  NO_PREVIOUS_HASH,
  type Receipt,
  type ReceiptCore,
} from "../../../evidence/core/formats/receipt.ts";
import { formatDigest, formatNode } from "../../../evidence/core/merkle/hash.ts";
import {
  appendLeaf,
  buildInclusionPath,
  rootAt,
  type TreeLeaf,
} from "../../../evidence/core/merkle/merkle-tree.ts";

const CHAIN_ID = "0123456789abcdef0123456789abcdef";
const ERASED = "erased:k3v7q2m5xw6r4t7hcd2nf5jsya";
const AUTHENTICATION: Authentication = {
  auth_mechanism: "hmac-sha256",
  key_id: "test",
  signature: `${"A".repeat(43)}=`,
};

interface Recorded {
  readonly core: ReceiptCore;
  readonly leaf: TreeLeaf;
  readonly request: AttestationRequest;
  readonly key: string;
}

export class FakeService {
  readonly recorded: Recorded[];
  /** What it says of the next receipts in place of the truth, hashed as it should be. */
  lie: Partial<ReceiptCore> = {};
  /** How many turns a page of a conversation has at most. */
  pageTurns = 500;

  constructor(recorded: readonly Recorded[] = []) {
    this.recorded = [...recorded];
  }

  /** The same chain up to a size; what is attested there later is another history. */
  fork(size: number): FakeService {
    return new FakeService(this.recorded.slice(0, size));
  }

  /** The keys of a conversation's receipts, in the order of its turns. */
  keysOf(interactionId: string): string[] {
    return this.recorded
      .filter(({ request }) => request.interaction_id === interactionId)
      .map(({ key }) => key);
  }

  /** The conversation goes on under another id alone, without its requests, and its own may begin anew. */
  erase(interactionId: string): string {
    for (const [i, recorded] of this.recorded.entries())
      if (recorded.request.interaction_id === interactionId)
        this.recorded[i] = { ...recorded, request: { ...recorded.request, interaction_id: ERASED } };
    return ERASED;
  }

  attest(request: AttestationRequest, key: string): ComplianceReceipt {
    const known = this.recorded.findIndex((earlier) => earlier.key === key);
    if (known >= 0) return this.answer(known);
    const core = this.#plan(request);
    const leaf = appendLeaf(this.recorded.at(-1)?.leaf ?? null, hashReceiptCore(core));
    this.recorded.push({ core, leaf, request, key });
    return this.answer(core.sequence);
  }

  /** The receipt at a place, proved in the tree of a size. */
  answer(sequence: number, size: number = sequence + 1): ComplianceReceipt {
    const [own, head] = [this.#at(sequence), this.#at(size - 1)];
    const root = formatNode(rootAt(head.leaf));
    const path = buildInclusionPath(sequence, size, (index) => this.#at(index).leaf).map(formatNode);
    const leaf_hash = formatNode(own.leaf.leafHash);
    const receipt: Receipt = { ...own.core, ...AUTHENTICATION };
    return {
      event_id: own.core.event_id,
      receipts: [receipt],
      evidence_chain: {
        chain_id: CHAIN_ID,
        head_hash: formatDigest(head.leaf.leafHash),
        sequence: size - 1,
      },
      merkle_proof: {
        status: "pending",
        merkle_root: root,
        event_inclusion_proof: { leaf_hash, leaf_index: sequence, tree_size: size, path, root },
        cross_tenant_proof: null,
      },
      tsa_timestamp: PENDING_TIMESTAMP,
      ...AUTHENTICATION,
    };
  }

  /** A page of a conversation, each receipt in the tree right after it. */
  bundle(interactionId: string, fromTurn = 1): EvidenceBundle {
    const all = this.recorded.filter(({ request }) => request.interaction_id === interactionId);
    const end = fromTurn - 1 + this.pageTurns;
    const turns = all.slice(fromTurn - 1, end);
    const answers = turns.map(({ core }) => this.answer(core.sequence));
    return {
      interaction_id: interactionId,
      receipts: answers.flatMap(({ receipts }) => receipts),
      requests: turns.map(({ request }) => (interactionId === ERASED ? null : request)),
      proofs: answers.map(({ event_id, evidence_chain, merkle_proof }) => ({
        event_id,
        evidence_chain,
        merkle_proof,
      })),
      seals: [],
      next_turn: end < all.length ? end + 1 : null,
      ...AUTHENTICATION,
    };
  }

  #at(index: number): Recorded {
    const recorded = this.recorded[index];
    if (recorded === undefined) throw new Error(`nothing is recorded at ${index}`);
    return recorded;
  }

  #plan({ interaction_id, agent_identity: _agent, ...disclosure }: AttestationRequest): ReceiptCore {
    const sequence = this.recorded.length;
    const turns = this.recorded.filter(({ request }) => request.interaction_id === interaction_id);
    const linkTo = (earlier: Recorded | undefined): string | null =>
      earlier === undefined ? null : formatDigest(earlier.leaf.leafHash);
    const outcome = {
      event_id: formatEventId(CHAIN_ID, { shard: 0, sequence }),
      turn: turns.length + 1,
      verdict: "ALLOW" as const,
      policy: {
        jurisdiction: "DE",
        version: "2026-11-21.1",
        digest: NO_PREVIOUS_HASH,
        wording_id: null,
        findings: [],
      },
    };
    return {
      ...outcome,
      chain_id: CHAIN_ID,
      sequence,
      input_hash: hashInput({ interaction_id, agent_identity: _agent, ...disclosure }),
      output_hash: hashOutput(outcome),
      previous_hash: linkTo(this.recorded.at(-1)) ?? NO_PREVIOUS_HASH,
      previous_turn_hash: linkTo(turns.at(-1)),
      issued_at: "2026-11-21T12:00:00.000Z",
      recorded_after: null,
      disclosure,
      receipt_format_version: "1.0",
      verifiability: "verifiable",
      ...this.lie,
    };
  }
}

/** A call as it came in. */
export interface Call {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The answer of an undisturbed service, which has recorded it by then. */
  readonly answer: () => unknown;
  readonly response: ServerResponse;
}

/** What becomes of the nth call, from 1. Returns true where it has answered, or never will. */
export type Trick = (call: Call, nth: number) => boolean | Promise<boolean>;

export interface Served {
  readonly url: string;
  readonly calls: Call[];
  service: FakeService;
  trick: Trick;
}

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

export async function serve(trick: Trick = () => false): Promise<Served> {
  const server = createServer(async (request, response) => {
    const call = await readCall(served, request, response);
    served.calls.push(call);
    if (await served.trick(call, served.calls.length)) return;
    respond(response, 200, call.answer());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const served: Served = { url, calls: [], service: new FakeService(), trick };
  return served;
}

async function readCall(served: Served, request: IncomingMessage, response: ServerResponse): Promise<Call> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { url: path = "", headers } = request;
  const body = Buffer.concat(parts).toString();
  const { service } = served;
  const answer = (): unknown => {
    const [, conversation, turn] = /^\/v1\/interactions\/([^?]+)\?from_turn=(\d+)$/.exec(path) ?? [];
    if (conversation !== undefined) return service.bundle(decodeURIComponent(conversation), Number(turn));
    const place = parseEventId(path.split("/").at(-1) ?? "");
    if (place !== null) return service.answer(place.sequence, service.recorded.length);
    return service.attest(JSON.parse(body), String(headers["idempotency-key"]));
  };
  return { path, headers, body, answer, response };
}

export function respond(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
  return true;
}

/** Records the call and loses the answer. */
export function lose(call: Call): true {
  call.answer();
  call.response.destroy();
  return true;
}

export const problem = (status: number, title: string): object => ({
  type: "/v1/problems#test",
  title,
  status,
  detail: title,
  instance: "1",
});
