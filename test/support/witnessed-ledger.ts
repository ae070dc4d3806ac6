// A ledger whose log has two witnesses, both of them the quorum.
import { parseWitnessPolicy } from "../../evidence/core/log/witness-policy.ts";
import { Witnesses } from "../../service/log/witnesses.ts";
import { FakeWitness } from "./fake-witness.ts";
import type { LedgerStack } from "./ledger-stack.ts";
import { requestOf } from "./test-process.ts";

/** Each call of `seal` attests once and seals. `close` is for the end of the test. */
export async function newWitnessedLedger(stack: LedgerStack) {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const [a, b] = await Promise.all(
    ["a", "b"].map((name) => new FakeWitness(`witness.example/${name}`, ledger.clock).start()),
  );
  if (a === undefined || b === undefined) throw new Error("there are two witnesses");
  const policy = `${a.policyLine}\n${b.policyLine}\ngroup both all a b\nquorum both\n`;
  const witnesses = new Witnesses({
    policy: parseWitnessPolicy(policy, { plainHttp: true }),
    clock: ledger.clock,
    meter: () => {},
    onFailure: () => {},
  });
  const process = ledger.newProcess(undefined, { witnesses });
  const seal = async () => {
    await process.attest(caller, requestOf("call"));
    const { published } = await process.seal();
    return published[0]?.sealed_at;
  };
  const close = async () => void (await Promise.all([a.stop(), b.stop()]));
  return { ledger, a, b, policy, seal, close };
}
