// How to check it again without this page and without the service.
import { parseBase64 } from "../../core/bytes.ts";
import { isDisclosureError } from "../../core/errors.ts";
import type { Subject } from "../documents.ts";
import { newestRoot, type StampedRoot } from "../newest-root.ts";
import { ownOrigin, rootPath } from "../origin.ts";
import { newestStamp, type Sheet, type View } from "../sheet.ts";
import type { Stamp } from "../../reader/times.ts";
import type { Text } from "../../reader/text/text.ts";
import { button, el, section } from "./dom.ts";
import { hash } from "./format.ts";

const COPIED_MS = 2_000;

export function againView({ text, sheet }: View): HTMLElement {
  const stamped = newestRoot(sheet.subject);
  return section(
    "again",
    text.again.heading,
    ...(stamped === null ? [] : [timestampSteps(text, sheet, stamped), addressStep(text, stamped)]),
    el("p", {}, text.again.rest),
  );
}

function timestampSteps(text: Text, { subject, examination }: Sheet, stamped: StampedRoot): HTMLElement {
  const { again } = text;
  const token = stamped.timestamp?.timestamp_token ?? null;
  if (token === null) return el("p", {}, again.noTimestamp);
  const stamp = examination.seals.find(({ seal }) => seal.index === stamped.sealIndex)?.stamp;
  const commands = opensslCommands(subject.kind, stamped, stamp ?? newestStamp(examination));
  return el(
    "div",
    {},
    el("h3", {}, again.timestamp),
    el("p", {}, again[LEADS[subject.kind]]),
    el("pre", { tabindex: 0, "aria-label": again.timestamp }, el("code", {}, commands)),
    el(
      "p",
      { class: "actions" },
      isSecureContext ? copyButton(text, commands) : null,
      tokenButton(text, token),
    ),
  );
}

const LEADS = { receipt: "timestampLead", bundle: "bundleLead", seal: "sealLead" } as const;
const FILES = { receipt: "receipt.json", bundle: "bundle.json", seal: "root.json" } as const;

/**
 * Nothing of the evidence enters a command but numbers and the root, which the schema has reduced to hex. As of the
 * token's own time: OpenSSL takes today's otherwise, on which the certificates may have run out.
 */
function opensslCommands(
  kind: Subject["kind"],
  { root, sealIndex }: StampedRoot,
  stamp: Stamp | null,
): string {
  const attime = stamp === null ? "" : `-attime ${Math.floor(Date.parse(stamp.genTime) / 1_000)} `;
  return [
    `jq -r '${kind === "bundle" ? `.seals[] | select(.index == ${sealIndex}) | ` : ""}.tsa_timestamp.timestamp_token' \\`,
    `  ${FILES[kind]} | base64 -d > token.der`,
    "openssl ts -verify -in token.der -token_in -CAfile authority.pem \\",
    `  ${attime}-digest ${root.slice("0x".length)}`,
  ].join("\n");
}

function copyButton({ again }: Text, commands: string): HTMLElement {
  const copy = button(again.copy, async () => {
    await navigator.clipboard.writeText(commands);
    copy.textContent = again.copied;
    setTimeout(() => {
      copy.textContent = again.copy;
    }, COPIED_MS);
  });
  return copy;
}

function tokenButton({ again }: Text, token: string): HTMLElement | null {
  try {
    const bytes = parseBase64(token);
    return button(again.saveToken, () => save("token.der", bytes));
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return null;
  }
}

function save(name: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  el("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

function addressStep({ again }: Text, { root, sealIndex }: StampedRoot): HTMLElement {
  if (sealIndex === null) return el("p", {}, again.pendingRoot);
  const origin = ownOrigin();
  const path = rootPath(sealIndex);
  const address =
    origin === null
      ? el("p", {}, again.unserved(path))
      : el("p", {}, el("a", { href: path }, el("code", {}, origin + path)));
  return el("div", {}, el("h3", {}, again.address), address, el("p", {}, again.addressLead, " ", hash(root)));
}
