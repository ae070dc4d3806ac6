// Deploys the stack once for all tests: bundles, timestamp authorities, an emulator, and the CDK's command line.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundle } from "../../build/bundle.ts";
import { startTimestampAuthority } from "../../host/local/timestamp-authority.ts";
import type { Deployment } from "../support/deployment.ts";
import { FakeWitness } from "../support/fake-witness.ts";
import { Cdk } from "./cdk.ts";
import { startEmulator } from "./emulator.ts";
import { newRunFolder } from "./run-folder.ts";
import { installMiniStack } from "./tools.ts";

const NAME = "disclosure-receipts";
type End = () => Promise<void>;

export default async function setUp(project: TestProject): Promise<End> {
  const ends: End[] = [];
  const tearDown = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    project.provide("deployment", await deploy(newRunFolder("deploy"), ends));
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

async function deploy(folder: string, ends: End[]): Promise<Deployment> {
  const assetsFolder = join(folder, "dist");
  const [python] = await Promise.all([installMiniStack(), bundle(assetsFolder)]);
  const authorities = await Promise.all(
    ["first", "second"].map((name) => startTimestampAuthority({ directory: join(folder, name) })),
  );
  ends.push(...authorities.map(({ close }) => close));
  const trustAnchorsPem = authorities.map(({ certificatePem }) => certificatePem).join("");
  const anchors = join(folder, "anchors.pem");
  writeFileSync(anchors, trustAnchorsPem);
  const witness = await new FakeWitness("witness.example/harbor", () => new Date()).start();
  ends.push(witness.stop);
  const witnessPolicyFile = join(folder, "witnesses.txt");
  writeFileSync(witnessPolicyFile, `${witness.policyLine}\nquorum harbor\n`);
  const { endpoint, close } = await startEmulator(python, folder);
  ends.push(close);

  const cdk = new Cdk({ endpoint, folder }, NAME);
  cdk.configure({
    name: NAME,
    // The emulator has no such thing; see docs/tests.md.
    cloudFront: false,
    timestampAuthorities: authorities.map(({ url }) => url),
    trustAnchorFiles: [anchors],
    sealTimestamps: authorities.length,
    witnessPolicyFile,
    assetsFolder,
  });
  await cdk.bootstrap();
  return { ...(await cdk.deploy()), endpoint, trustAnchorsPem, folder };
}
