// Nothing honest is ever red: whatever was kept of an honest service, of whatever ages, in whatever company. More seeds, in
// four programs: test/agreement/honest.test.ts.
import { expect, test } from "vitest";
import { honestSeeds, judgeHonest } from "../agreement/honest-seed.ts";

test.each(honestSeeds(1))("no set of honest files is red: HONEST_SEED=%i", async (seed) => {
  const { sets } = await judgeHonest(seed);
  expect(sets.flatMap(({ said }) => said.files.flatMap(({ failing }) => failing))).toEqual([]);
});
