// Requests to the engine as text, and what a planner needs that has no service around it.
import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { formatKeyId, receiptMacInput, utcDayOf } from "../../evidence/core/formats/mac-input.ts";
import { AUTH_MECHANISM } from "../../evidence/core/formats/receipt.ts";
import { lookupLayer, rulesOf } from "../../evidence/core/policy/policy.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import type { Macs } from "../../service/ledger/macs.ts";
import { tableSchema } from "../../service/table/table-schema.ts";
import { transactItem, type Write } from "../../service/table/write.ts";
import { DISCLOSURE } from "../disclosure.ts";

const TABLE_NAME = "ceiling";
const KEY_BYTES = 32;
const KEY_ID = "00000000-0000-4000-8000-000000000000";
const key = createSecretKey(randomBytes(KEY_BYTES));

/** Codes under one key, as a process makes them that has the key of the day. */
const macs: Pick<Macs, "authenticateReceipt"> = {
  authenticateReceipt: async ({ leaf, core }) => ({
    auth_mechanism: AUTH_MECHANISM,
    key_id: formatKeyId(KEY_ID, utcDayOf(core.issued_at)),
    signature: createHmac("sha256", key).update(receiptMacInput(leaf.leafHash)).digest("base64"),
  }),
};

export const DAY_KEY = { macs, rules: rulesOf(lookupLayer(policyLayers, DISCLOSURE.jurisdiction)) };

export const tableRequest = (): string => JSON.stringify(tableSchema(TABLE_NAME));

/** TransactWriteItems as the SDK would send it: bytes are base64. */
export const transactionText = (writes: readonly Write[], ClientRequestToken: string): string =>
  JSON.stringify(
    { TransactItems: writes.map((write) => transactItem(TABLE_NAME, write)), ClientRequestToken },
    (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value),
  );
