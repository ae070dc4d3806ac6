// What an upgrade must leave alone: CloudFormation knows a resource by its logical id, and replaces what changes it.
import { describe, expect, test } from "vitest";
import { Synthesized, VARIANTS } from "./synthesis.ts";

/** As the first release had them. Whoever changes one makes the next deployment begin with an empty ledger. */
const KEPT = {
  "AWS::DynamoDB::Table": ["AttestationLedgerTable2C7E3E8E"],
  "AWS::KMS::Key": ["AttestationMacKeyED5F06E7"],
  "AWS::S3::Bucket": ["AttestationRootsBucket58A73D36"],
};

describe.each(Object.entries(VARIANTS))("with the settings of %s", (_, settings) => {
  const stack = new Synthesized(settings);

  test.each(Object.entries(KEPT))("%s keeps the logical ids of the first release", (type, ids) => {
    expect(stack.all(type).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  test("none of them has a name of its own, which CloudFormation could not replace nor a second stack use", () => {
    const kept = Object.entries(KEPT).map(([type, [id = ""]]) => stack.one(type, new RegExp(id)).Properties);
    for (const properties of kept) {
      expect(Object.keys(properties)).not.toEqual(expect.arrayContaining([expect.stringMatching(/Name$/)]));
    }
  });
});
