import { Worker } from "node:worker_threads";
import { type ExactJson, exactJson, parseExactJson } from "../../exact-json.ts";
import { searchExactly } from "./exact-query.ts";
import type { QueryAnswer, QueryTask } from "./query-task.ts";
import { tableRows } from "./table-rows.ts";

/** Runs one query. Whatever it does to time and memory, only this process is ended for it. */
function run({ content, kind, query, dialect }: QueryTask): QueryAnswer {
  const text = new TextDecoder().decode(content);
  let data: ExactJson;
  let badLines = 0;
  try {
    if (kind === "json") data = parseExactJson(text);
    else if (kind === "csv") data = tableRows(text, dialect);
    else {
      const rows: ExactJson[] = [];
      for (const line of text.split("\n")) {
        if (line.trim() === "") continue;
        try {
          rows.push(parseExactJson(line));
        } catch {
          // Counted, and said beside the answer.
          badLines++;
        }
      }
      data = rows;
    }
  } catch {
    // Not whole JSON, or no table: said so.
    return { ok: false, reason: "unreadable", detail: "It is not whole JSON; read or search it instead." };
  }
  try {
    return { ok: true, json: exactJson(searchExactly(data, query), 1), badLines };
  } catch (error) {
    return { ok: false, reason: "invalid", detail: error instanceof Error ? error.message.slice(0, 500) : "" };
  }
}

process.once("message", (task: QueryTask) => {
  // The parent ends this process. If it died first, nobody would: a search leaves no room for timers, so a thread has one.
  const watchdog = "setTimeout(() => process.kill(process.pid, 'SIGKILL'), require('node:worker_threads').workerData)";
  new Worker(watchdog, { eval: true, workerData: task.timeLimitMs }).unref();
  process.send?.(run(task));
});
