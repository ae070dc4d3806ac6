// The one script of the page. It runs twice: as the page, and as the worker that reads and checks.
import { startPage } from "./page.ts";
import { createChecker, serveQuestions } from "./worker.ts";

if (typeof document === "undefined") serveQuestions();
else startPage(createChecker(document.querySelector("script:not([type])")?.textContent ?? ""));
