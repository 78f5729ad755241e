import { Worker } from "node:worker_threads";
import { search } from "@jmespath-community/jmespath";
import type { QueryAnswer, QueryTask } from "./query-task.ts";
import { tableRows } from "./table-rows.ts";

/** Runs one query. Whatever it does to time and memory, only this process is ended for it. */
function run({ content, kind, query, dialect }: QueryTask): QueryAnswer {
  const text = new TextDecoder().decode(content);
  let data: Parameters<typeof search>[0];
  let badLines = 0;
  try {
    if (kind === "json") data = JSON.parse(text);
    else if (kind === "csv") data = tableRows(text, dialect);
    else {
      const rows: ReturnType<typeof JSON.parse>[] = [];
      for (const line of text.split("\n")) {
        if (line.trim() === "") continue;
        try {
          rows.push(JSON.parse(line));
        } catch {
          badLines++;
        }
      }
      data = rows;
    }
  } catch {
    return { ok: false, reason: "unreadable", detail: "It is not whole JSON; read or search it instead." };
  }
  try {
    const found = search(data, query);
    return { ok: true, json: JSON.stringify(found ?? null, undefined, 1) ?? "null", badLines };
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
