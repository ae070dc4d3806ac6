// The one script of the page. It runs twice: as the page, and as the worker that reads and checks.
import { startPage } from "./page.ts";
import { createTaskRunner, serveTasks } from "./worker.ts";

if (typeof document === "undefined") serveTasks();
else startPage(createTaskRunner(document.querySelector("script")?.textContent ?? ""));
