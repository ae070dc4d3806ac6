// The log's key at the key service: what is asked of it, and which of its answers are believed.
import { generateKeyPairSync, sign } from "node:crypto";
import { GetPublicKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { verifyEd25519 } from "../../../evidence/core/log/ed25519.ts";
import { KmsSigner } from "../../../service/log/log-signer.ts";

const MESSAGE = utf8("a.example/log\n1\nAAAA\n");
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const SPKI = new Uint8Array(publicKey.export({ format: "der", type: "spki" }));
const SIGNATURE = new Uint8Array(sign(null, MESSAGE, privateKey));

interface Answers {
  readonly key?: unknown;
  readonly signature?: unknown;
}

/** A key service that answers so, or fails where an answer is an error; and what it was asked. */
function signerOf({ key = { PublicKey: SPKI }, signature = { Signature: SIGNATURE } }: Answers) {
  const asked: object[] = [];
  const send = async (command: { input: object }) => {
    asked.push(command.input);
    const answer = command instanceof GetPublicKeyCommand ? key : signature;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const client = Object.assign(new KMSClient({ region: "local" }), { send });
  return { signer: new KmsSigner(client, "key-1"), asked };
}

test("a message is signed as it is, and the key is asked for once", async () => {
  const { signer, asked } = signerOf({});
  for (let i = 0; i < 2; i++) expect(await signer.sign(MESSAGE)).toEqual(SIGNATURE);
  expect(await verifyEd25519(await signer.publicKey(), MESSAGE, SIGNATURE)).toBe(true);
  const KeyId = "key-1";
  const input = { KeyId, Message: MESSAGE, SigningAlgorithm: "ED25519_SHA_512", MessageType: "RAW" };
  expect(asked).toEqual([{ KeyId }, input, input]);
});

test.each<[string, Answers]>([
  ["the key is not given", { key: new Error("no answer") }],
  ["the answer holds no key", { key: {} }],
  ["no signature is made", { signature: new Error("AccessDenied") }],
  ["the answer holds no signature", { signature: {} }],
  ["the signature is of another message", { signature: { Signature: sign(null, SPKI, privateKey) } }],
  ["the signature is cut off", { signature: { Signature: SIGNATURE.subarray(1) } }],
])("where %s, there is no signature", async (_, answers) => {
  const { signer } = signerOf(answers);
  await expect(signer.sign(MESSAGE)).rejects.toMatchObject({ code: "signing_unavailable" });
});

const spkiOf = (type: "ec" | "x25519"): Uint8Array => {
  const pair =
    type === "ec" ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : generateKeyPairSync("x25519");
  return new Uint8Array(pair.publicKey.export({ format: "der", type: "spki" }));
};

test.each([
  ["of P-256", spkiOf("ec")],
  ["for X25519, which has the same length", spkiOf("x25519")],
  ["with a byte too many", Uint8Array.of(...SPKI, 0)],
  ["without its last byte", SPKI.subarray(0, -1)],
])("a key %s is refused as a wrong setting", async (_, PublicKey) => {
  const { signer } = signerOf({ key: { PublicKey } });
  await expect(signer.publicKey()).rejects.toMatchObject({ code: "misconfigured" });
});
