// GET /v1/problems: the page that the `type` of every problem leads to.
import { PROBLEMS } from "../contract/problem-kinds.ts";
import { apiHandler, publicText } from "./middleware/api.ts";

const CACHE = "public, max-age=3600";

const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/`([^`]*)`/g, "<code>$1</code>");

const sections = Object.values(PROBLEMS).map(
  ({ slug, status, title, advice }) =>
    `<section id="${slug}"><h2>${status} ${escapeHtml(title)}</h2><p>${escapeHtml(advice)}</p></section>`,
);

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Problems of the attestation API</title>
<style>body{font:1rem/1.5 system-ui;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}:target{outline:2px solid}</style>
<h1>Problems of the attestation API</h1>
<p>Errors are <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a> problem details; <code>type</code> leads here.</p>
${sections.join("\n")}
</html>
`;

export const handler = apiHandler(() => publicText("text/html; charset=utf-8", CACHE, page));
