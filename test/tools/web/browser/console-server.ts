// Serves the console's built page with answers that a test chooses.
import { readFileSync } from "node:fs";
import { listen, type Reply } from "../../../../host/server/http-server.ts";
import { answerOf } from "../console-world.ts";
import { json } from "./page-server.ts";

const PAGE = new URL("../../../../dist/web/", import.meta.url);
const readBuilt = (name: string): string => readFileSync(new URL(name, PAGE), "utf8");

type AnswerPath = (path: string, question: URLSearchParams) => unknown;

/** `answer` gives a value of JSON, undefined for a 404, or a whole reply. */
export async function serveConsolePage(answer: AnswerPath = answerOf) {
  const { url, close } = await listen(({ url = "" }): Reply => {
    const { pathname, searchParams } = new URL(url, "http://console.test");
    if (pathname === "/")
      return {
        status: 200,
        headers: JSON.parse(readBuilt("console.headers.json")) as Record<string, string>,
        body: readBuilt("console.html"),
      };
    const answered = answer(pathname, searchParams);
    if (answered === undefined) return { status: 404 };
    return isReply(answered) ? answered : json(answered);
  });
  return { url: `${url}/`, close };
}

const isReply = (value: unknown): value is Reply =>
  typeof value === "object" && value !== null && "status" in value && typeof value.status === "number";
