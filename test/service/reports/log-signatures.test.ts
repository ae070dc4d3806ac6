// The log's signatures in reports: read beside what proves the receipt, remembered, and never in the way of a report.
import { afterAll, describe, expect, test } from "vitest";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { readLogSignatures } from "../../../service/reports/log-signatures.ts";
import type { Interceptor } from "../../support/faults.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { signingRefused } from "../../support/signed-metachain.ts";
import { requestOf } from "../../support/test-process.ts";

const NOTE = "log.example\n1\n…\n\n— log.example AAAA\n";
const SIGNED = Uint8Array.of(0xd2, 0x84);
const BOTH = { log_checkpoint: NOTE, log_signed_root: "0oQ=" };
const NONE = { log_checkpoint: null, log_signed_root: null };

/** A bucket with these files, and what was asked of it. */
function bucketOf(files: Map<string, Uint8Array>) {
  const asked: string[] = [];
  const faults: unknown[] = [];
  const logFile = async (path: string) => {
    asked.push(path);
    return files.get(path) ?? null;
  };
  const onFault = (error: unknown) => void faults.push(error);
  return { asked, faults, read: readLogSignatures({ roots: { logFile }, onFault }), onFault };
}

describe("the log's signatures", () => {
  test("are asked for once, however many reports show them", async () => {
    const files = new Map([
      ["checkpoints/3", Buffer.from(NOTE)],
      ["signed-roots/3", Buffer.from(SIGNED)],
    ]);
    const { read, asked } = bucketOf(files);
    expect([await read(3), await read(3)]).toEqual([BOTH, BOTH]);
    expect(asked).toEqual(["checkpoints/3", "signed-roots/3"]);
  });

  test("are asked for again where one was missing, since it comes a moment after its seal", async () => {
    const files = new Map<string, Uint8Array>();
    const { read, faults } = bucketOf(files);
    expect(await read(0)).toEqual(NONE);
    files.set("checkpoints/0", Buffer.from(NOTE));
    expect(await read(0)).toEqual({ ...NONE, log_checkpoint: NOTE });
    files.set("signed-roots/0", Buffer.from(SIGNED));
    expect([await read(0), faults]).toEqual([BOTH, []]);
  });

  test("that no reader would take are left out, and somebody is told", async () => {
    const { read, faults } = bucketOf(new Map([["checkpoints/0", Buffer.alloc(100_000, "x")]]));
    expect([await read(0), faults.length]).toEqual([NONE, 1]);
  });

  test("are left out while the bucket hangs", async () => {
    const roots = { logFile: () => new Promise<never>(() => {}) };
    expect(await readLogSignatures({ roots, onFault: () => {} })(0)).toEqual(NONE);
  });
});

describe("a report", () => {
  let stack: Awaited<ReturnType<typeof startLedgerStack>> | undefined;
  afterAll(() => stack?.close());

  test("carries them once its seal has them, and is given without them while the bucket fails", async () => {
    stack = await startLedgerStack();
    const ledger = await stack.newLedger();
    const caller = await ledger.newTenant("tenant");
    const process = ledger.newProcess(signingRefused);
    const { event_id } = await process.attest(caller, requestOf("call"));
    expect(await process.report(caller, event_id)).not.toHaveProperty("log_checkpoint");
    await process.seal();
    expect(await process.report(caller, event_id)).toMatchObject(NONE);
    await ledger.newProcess().seal();
    expect(await process.report(caller, event_id)).toMatchObject({
      log_checkpoint: Buffer.from((await process.roots.logFile("checkpoints/0")) ?? []).toString(),
      log_signed_root: expect.any(String),
    });
    const failing: Interceptor = (call, send) =>
      call.name === "GetObject"
        ? Promise.reject(new DisclosureError("publication_unavailable", "the bucket is away"))
        : send();
    const another = ledger.newProcess(failing);
    expect(await another.report(caller, event_id)).toMatchObject(NONE);
    expect(another.faults).toHaveLength(1);
  });
});
