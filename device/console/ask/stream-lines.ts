import type { Context } from "hono";
import { stream } from "hono/streaming";

/** One JSON value a line, as they come; the reader's going is told to where they come from. */
export function streamLines<T>(c: Context, from: (reader: AbortSignal) => AsyncIterable<T>) {
  c.header("content-type", "application/x-ndjson");
  return stream(c, async (out) => {
    const reader = new AbortController();
    out.onAbort(() => reader.abort());
    for await (const each of from(reader.signal)) await out.write(`${JSON.stringify(each)}\n`);
  });
}
