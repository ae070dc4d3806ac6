// A conversation's disclosures on a queue that tells what was put in.

import { Disclosure } from "../../../clients/adapters/core.ts";
import type { DisclosureOptions, Missed, Recorded } from "../../../clients/adapters/disclosure-options.ts";
import type { AddOptions } from "../../../clients/client/node.ts";
import type { AttestationRequest } from "../../../evidence/core/formats/attestation-request.ts";
import type { ComplianceReceipt } from "../../../evidence/core/formats/compliance-receipt.ts";

export const WORDINGS = {
  introduction: "de-voice-in-introduction-1",
  repeat: "de-voice-repeat-1",
  reminder: "de-voice-reminder-3",
  handoff: "de-voice-handoff-ai-1",
} as const;

export interface Added {
  readonly request: AttestationRequest;
  readonly options: AddOptions;
}

export function converse(options: Partial<DisclosureOptions> = {}) {
  const added: Added[] = [];
  const told = { missed: [] as Missed[], recorded: [] as Recorded[], errors: [] as unknown[] };
  const queue = {
    add: (request: AttestationRequest, options: AddOptions = {}) => {
      added.push({ request, options });
      return Promise.resolve(true);
    },
    flush: () => Promise.resolve(true),
  };
  const disclosure = new Disclosure({
    queue,
    interactionId: "call-1",
    agentIdentity: "agents/reception",
    operator: "das Haus Hafenstraße",
    wordings: WORDINGS,
    onMissed: (missed) => void told.missed.push(missed),
    onReceipt: (recorded) => void told.recorded.push(recorded),
    onError: (error) => void told.errors.push(error),
    ...options,
  });
  const methods = (): string[] => added.map(({ request }) => request.disclosure_method);
  return { disclosure, added, methods, ...told };
}

/** The receipt of an event, as far as an adapter looks at it. */
export const receiptOf = (event_id: string): ComplianceReceipt =>
  ({ event_id }) as Partial<ComplianceReceipt> as ComplianceReceipt;
