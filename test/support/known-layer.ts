// The layer that every ledger of these tests begins with, in the table and public, as after a deployment's first minutes:
// what happens before is for the tests of the policy alone.
import { TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { canonicalBytes } from "../../evidence/core/canonical-json.ts";
import { lookupLayer, rulesOf } from "../../evidence/core/policy/policy.ts";
import { digestOfLayer } from "../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../evidence/policy/index.ts";
import type { EffectiveLayers } from "../../service/policy/effective-layers.ts";
import { PublicFiles } from "../../service/seals/public-files.ts";
import type { Clients } from "./ledger-stack.ts";

const KNOWN = lookupLayer(policyLayers, "DE");
const BYTES = canonicalBytes(KNOWN);
const NAME = digestOfLayer(KNOWN).slice("sha256:".length);
const RULES = rulesOf(KNOWN);

export async function publishKnownLayer({ dynamoDb, s3 }: Clients, name: string, now: Date): Promise<void> {
  const items = [
    { pk: { S: `layer#${NAME}` }, sk: { S: "layer" }, bytes: { B: BYTES } },
    { pk: { S: "layers" }, sk: { S: NAME }, published_at: { S: now.toISOString() } },
  ];
  const TransactItems = items.map((Item) => ({ Put: { TableName: name, Item } }));
  const file = { path: `v1/policy/layers/${NAME}`, body: BYTES, type: "application/json" };
  await Promise.all([
    dynamoDb.send(new TransactWriteItemsCommand({ TransactItems })),
    new PublicFiles(s3, name, null).putOnce(file, now),
  ]);
}

/** The layers of a process that knows that layer already. */
export const knowing = (layers: EffectiveLayers): Pick<EffectiveLayers, "rulesFor"> => ({
  rulesFor: async (caller, jurisdiction) =>
    jurisdiction === KNOWN.jurisdiction && caller.ownWordings === null
      ? RULES
      : layers.rulesFor(caller, jurisdiction),
});
