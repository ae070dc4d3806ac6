import { beforeAll, describe, expect, test, vi } from "vitest";
import { Desk, type Shown, type Source } from "../../web/desk.ts";
import { readDocument } from "../../web/documents.ts";
import { examine } from "../../web/examine.ts";
import { chooseAnchors } from "../../web/trust.ts";
import type { TaskRunner } from "../../web/worker.ts";
import { readBytes } from "../support/evidence.ts";

/** What the worker does, without a worker. */
const runner: TaskRunner = {
  read: async (bytes) => readDocument(bytes),
  examine: async ({ subject, knowledge, choice }) => {
    const anchors = await chooseAnchors(subject, choice);
    const examination = await examine(subject, { ...knowledge, trustAnchors: anchors?.der ?? [] });
    return { kind: "answer", examination, anchors };
  },
};

const source = (file: string): Source => {
  const bytes = readBytes(file);
  return { name: file, size: bytes.length, read: async () => bytes };
};

/** The last that was shown after each of `steps` was laid down. */
async function layDown(...steps: readonly Source[][]): Promise<Shown> {
  const shown: Shown[] = [];
  const desk = new Desk(runner, (news) => void shown.push(news));
  for (const sources of steps) await desk.add(sources);
  return shown.at(-1) ?? expect.unreachable();
}

describe("the desk of a saved page", () => {
  beforeAll(() => void vi.stubGlobal("location", { protocol: "file:" }));

  test("says of a file that the device does not give up that it could not be read", async () => {
    const lost = { name: "lost.json", size: 10, read: () => Promise.reject(new Error("gone")) };
    expect(await layDown([lost])).toMatchObject({ busy: false, problem: { reason: "failed" } });
  });

  test("forgets the request of a receipt when the next receipt comes", async () => {
    const first = await layDown([source("receipts/greeting.json"), source("requests/greeting.json")]);
    expect(first.sheet?.verdict.failed).toEqual([]);
    const next = await layDown(
      [source("receipts/greeting.json"), source("requests/greeting.json")],
      [source("receipts/reminder.json")],
    );
    expect(next.sheet?.verdict.failed).toEqual([]);
  });

  test("keeps certificates and roots for every receipt to come", async () => {
    const { sheet } = await layDown(
      [source("authorities/service.pem")],
      [source("seals/1.json")],
      [source("receipts/reminder.json")],
    );
    expect(sheet?.verdict.outcome).toBe("holds");
    expect(sheet?.roots.get(1)).toBe("added");
  });

  test("shows nothing of an earlier file under the failure of a later one", async () => {
    const broken = { name: null, size: 1, read: async () => new Uint8Array([0x7b]) };
    const { sheet, problem } = await layDown([source("receipts/greeting.json")], [broken]);
    expect([sheet, problem?.reason]).toEqual([null, "not_json"]);
  });
});
