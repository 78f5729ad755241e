import type { IncomingMessage } from "node:http";

/**
 * All of a request's body; nothing once it is longer than that, and what comes then is let go by. A client that leaves before its end is
 * not answered: then it never resolves.
 */
export function requestBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  let chunks: Buffer[] = [];
  let bytes = 0;
  request
    .on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      resolve(undefined);
    })
    .on("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    .on("error", () => {});
  return promise;
}
