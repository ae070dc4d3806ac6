// How to check it again without this page and without the service.
import { rootPath } from "../../../contract/metachain-paths.ts";
import { parseBase64 } from "../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { newestRoot, type TimestampedRoot } from "../newest-root.ts";

import { button, el, fileButton, section } from "./dom.ts";
import { hash } from "./format.ts";
import { newestTokenTime, type View } from "./view.ts";

const COPIED_MS = 2_000;

export function repeatView(view: View, onRoots: (files: readonly File[]) => void): HTMLElement {
  const { text, entry } = view;
  const root = newestRoot(entry.evidence);
  return section(
    "repeat",
    text.repeat.heading,
    ...(root === null ? [] : [timestampSteps(view, root), addressStep(view, root, onRoots)]),
    el("p", {}, text.repeat.rest),
  );
}

function timestampSteps(view: View, root: TimestampedRoot): HTMLElement {
  const { text, checked } = view;
  const { repeat } = text;
  const token = root.timestamp?.timestamp_token ?? null;
  if (token === null) return el("p", {}, repeat.noTimestamp);
  const command = opensslCommand(root, genTimeOf(view, root));
  return el(
    "div",
    {},
    el("h3", {}, repeat.timestamp),
    el("p", {}, repeat.timestampLead),
    el("pre", { tabindex: 0, "aria-label": repeat.timestamp }, el("code", {}, command)),
    el(
      "p",
      { class: "actions" },
      tokenButton(text, token),
      checked.isSecure ? copyButton(text, command) : null,
    ),
  );
}

function genTimeOf({ entry }: View, { sealIndex }: TimestampedRoot): string | null {
  const seal = entry.examination.seals.find((examined) => examined.seal.index === sealIndex);
  return (seal?.tokenTime ?? newestTokenTime(entry))?.genTime ?? null;
}

/**
 * Nothing of the evidence enters the command but the token's time and the root, which the schema has reduced to hex.
 * OpenSSL would take today's time, at which the certificates may have run out.
 */
function opensslCommand({ root }: TimestampedRoot, genTime: string | null): string {
  const seconds = genTime === null ? Number.NaN : Math.floor(Date.parse(genTime) / 1_000);
  const attime = Number.isNaN(seconds) ? "" : `-attime ${seconds} `;
  return [
    "openssl ts -verify -in token.der -token_in -CAfile authority.pem \\",
    `  ${attime}-digest ${root.slice("0x".length)}`,
  ].join("\n");
}

function copyButton({ repeat }: Text, command: string): HTMLElement {
  const copy = button(repeat.copy, async () => {
    await navigator.clipboard.writeText(command);
    copy.textContent = repeat.copied;
    setTimeout(() => {
      copy.textContent = repeat.copy;
    }, COPIED_MS);
  });
  return copy;
}

function tokenButton({ repeat }: Text, token: string): HTMLElement | null {
  try {
    const bytes = parseBase64(token);
    return button(repeat.saveToken, () => save("token.der", bytes));
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

/** A root that the reader fetched counts as published; one that came with the receipt does not, so it has its own button. */
function addressStep(
  { text, checked }: View,
  { root, sealIndex }: TimestampedRoot,
  onRoots: (files: readonly File[]) => void,
): HTMLElement {
  const { repeat } = text;
  if (sealIndex === null) return el("p", {}, text.open.pendingRoot);
  const path = `/${rootPath(sealIndex)}`;
  const address =
    checked.metachain === null
      ? el("p", {}, repeat.unserved(path))
      : el("p", {}, el("a", { href: path }, el("code", {}, checked.metachain + path)));
  return el(
    "div",
    {},
    el("h3", {}, repeat.address),
    address,
    el("p", {}, repeat.addressLead, " ", hash(root)),
    el("p", { class: "actions" }, `${repeat.addRootLead} `, fileButton(repeat.addRoot, onRoots)),
  );
}
