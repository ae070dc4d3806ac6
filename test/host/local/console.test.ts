// `npm start` serves the console on a port of its own, unless its settings say otherwise.
import { expect, test } from "vitest";
import { listen } from "../../../host/server/http-server.ts";
import { type LocalStack, runToEnd, startLocalStack } from "../../support/local-stack.ts";

const LINE = /^console +(http:\/\/127\.0\.0\.1:\d+\/)$/m;
const addressOf = (stack: LocalStack): string | undefined => LINE.exec(stack.output)?.[1];

test("its address is printed, it shows this stack, and it ends with the stack", async () => {
  const stack = await startLocalStack();
  const address = addressOf(stack) ?? "";
  const overview = await (await fetch(`${address}console/overview`)).json();
  expect(overview).toMatchObject({ name: "local", url: stack.url, tenants: 1, chains: 1, seal: null });
  expect((await stack.stop()).code).toBe(0);
  await expect(fetch(address)).rejects.toThrow();
});

test("CONSOLE=false turns it off", async () => {
  const stack = await startLocalStack({ environment: { CONSOLE: "false" } });
  expect(stack.output).not.toContain("console");
});

test("a port that was chosen for it and is in use stops the start", async () => {
  const other = await listen(() => ({ status: 404 }));
  const { code, stderr } = await runToEnd({ environment: { CONSOLE_PORT: String(other.port) } });
  await other.close();
  expect(stderr).toBe(`port ${other.port} is in use; set CONSOLE_PORT to another, or CONSOLE to false\n`);
  expect(code).toBe(1);
});

/** Two neighbouring ports: the first is free, the second in use. */
async function neighbours(): Promise<{ free: number; close: () => Promise<void> }> {
  for (;;) {
    const { port, close } = await listen(() => ({ status: 404 }));
    const before = await listen(() => ({ status: 404 }), port - 1).catch(() => null);
    await before?.close();
    if (before !== null) return { free: before.port, close };
    await close();
  }
}

test("a port that nobody chose and that is in use makes room for any other", async () => {
  const { free, close } = await neighbours();
  const stack = await startLocalStack({ environment: { PORT: String(free) } });
  const { port } = new URL(addressOf(stack) ?? "");
  expect([0, free, free + 1]).not.toContain(Number(port));
  await close();
});
