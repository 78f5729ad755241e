import { parentPort, workerData } from "node:worker_threads";
import { search } from "@jmespath-community/jmespath";
import type { QueryAnswer, QueryTask } from "./query-task.ts";
import { tableRows } from "./table-rows.ts";

/** Runs one query and ends. Whatever it does to time and memory, only this thread is ended for it. */
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

parentPort?.postMessage(run(workerData as QueryTask));
