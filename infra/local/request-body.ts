import type { IncomingMessage } from "node:http";

/** All of a request's body. A client that leaves before its end is not answered: then it never resolves. */
export function requestBody(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk: Buffer) => void chunks.push(chunk))
    .on("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    .on("error", () => {});
  return promise;
}
