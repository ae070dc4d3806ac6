// Where a webhook may lead: nowhere but to the internet, over https, whatever its name resolves to.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "../../../service/webhooks/public-address.ts";
import { waitAfter } from "../../../service/webhooks/retry-schedule.ts";
import { postFrom } from "../../../service/webhooks/webhook-sender.ts";
import { parseWebhookUrl } from "../../../service/webhooks/webhook-url.ts";
import { WebhookReceiver } from "../../support/webhook-receiver.ts";

describe("an address", () => {
  test.each([
    "93.184.215.14",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
  ])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ...["127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "0.0.0.0"],
    // The metadata of functions, containers and machines.
    ...["169.254.169.254", "169.254.170.2", "fd00:ec2::254"],
    ...["::1", "::", "fe80::1", "fc00::1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1"],
    ...[
      "2002:7f00:1::",
      "2001:db8::1",
      "ff02::1",
      "224.0.0.1",
      "255.255.255.255",
      "198.51.100.7",
      "no address",
    ],
  ])("%s is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("the address of a webhook", () => {
  test.each([
    ["http://receiver.example/", "must begin with https://"],
    ["ftp://receiver.example/", "must begin with https://"],
    ["https://user:password@receiver.example/", "must hold no name and no password"],
    ["https://receiver.example/#part", "must hold no fragment"],
    ["https://127.0.0.1/", "leads to an address that is not public"],
    ["https://2130706433/", "leads to an address that is not public"],
    ["https://0x7f.1/", "leads to an address that is not public"],
    ["https://[::ffff:127.0.0.1]/", "leads to an address that is not public"],
    ["http://localhost/", "must begin with https://"],
    [`https://receiver.example/${"a".repeat(2_048)}`, "is no URL"],
    ["receiver", "is no URL"],
  ])("is refused: %s", (url, reason) => {
    expect(() => parseWebhookUrl(url, "public")).toThrow(`the address of the webhook ${reason}`);
  });

  test("may lead to the machine itself on a developer's, and there over http alone", () => {
    expect(parseWebhookUrl("http://127.0.0.1:8080/hook", "loopback_too").port).toBe("8080");
    expect(() => parseWebhookUrl("http://10.0.0.1/", "loopback_too")).toThrow("must begin with https://");
  });
});

test("a name that resolves to the machine itself is not connected to", async () => {
  const receiver = await WebhookReceiver.start();
  const { port } = new URL(receiver.url);
  const post = postFrom("public");
  for (const host of ["localhost", "127.0.0.1"]) {
    const url = `https://${host}:${port}/`;
    expect(await post({ url, headers: {}, body: "{}" })).toEqual({
      status: "refused_address",
      retryAfterMs: null,
    });
  }
  expect(receiver.received).toEqual([]);
  await receiver.close();
});

test("a receiver that switches protocols instead of answering has not taken the message, and holds up nothing", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(101, { connection: "upgrade", upgrade: "other" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const post = postFrom("loopback_too");
  const posted = await post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: "{}" });
  expect(posted).toEqual({ status: "no_connection", retryAfterMs: null });
  server.close();
});

test("the waits double from a minute to four hours, and a receiver may ask for a longer one", () => {
  const middle = () => 0.5;
  const minutes = [1, 2, 3, 8, 9, 10, 1_000].map((attempts) => waitAfter(attempts, null, middle) / 60_000);
  expect(minutes).toEqual([1, 2, 4, 128, 240, 240, 240]);
  expect(waitAfter(1, null, () => 0)).toBe(48_000);
  expect(waitAfter(1, 3_600_000, middle)).toBe(3_600_000);
  expect(waitAfter(1, 1e12, middle)).toBe(12 * 3_600_000);
});
