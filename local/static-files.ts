// What the local gateway serves beside the API, as the deployed stack serves its static objects.
import { existsSync, readFileSync } from "node:fs";
import type { Reply } from "./http-server.ts";

/** Where `npm run web` puts the verifier page; npm runs that before `npm start`. */
const WEB = new URL("../dist/web/", import.meta.url);

/** By path. The verifier page is there once it was built; `caFile` is PEM. */
export function staticFiles(caFile: string): Map<string, Reply> {
  const files = new Map([["/tsa/certificate.pem", certificateReply(caFile)]]);
  const [page, headers] = [new URL("index.html", WEB), new URL("headers.json", WEB)];
  if (existsSync(page) && existsSync(headers)) {
    const body = readFileSync(page, "utf8");
    files.set("/verify", { status: 200, headers: JSON.parse(readFileSync(headers, "utf8")), body });
  }
  return files;
}

const certificateReply = (file: string): Reply => ({
  status: 200,
  headers: { "content-type": "application/x-pem-file", "access-control-allow-origin": "*" },
  body: readFileSync(file, "utf8"),
});
