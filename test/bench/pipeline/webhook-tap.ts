import { createServer } from "node:http";

export interface WebhookTap {
  readonly url: string;
  /** When the latest push arrived, in `performance.now()` milliseconds. */
  lastPushAtMs(): number;
  /** Resolves with the arrival time of the first push after this call. */
  nextPush(): Promise<number>;
  /** Milliseconds from passing a push on to the webhook's answer, of those it acknowledged with a 2xx. */
  acknowledgedMs(): readonly number[];
  close(): Promise<void>;
}

/** Stands between Pub/Sub and the webhook, notes when each push comes in and passes it on as it is. */
export async function tapWebhook(target: string): Promise<WebhookTap> {
  let last = 0;
  const acknowledged: number[] = [];
  let waiting: ((atMs: number) => void)[] = [];
  const server = createServer(async (request, response) => {
    last = performance.now();
    for (const resolve of waiting.splice(0)) resolve(last);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = "", "content-type": type = "" } = request.headers;
    const passedOnAtMs = performance.now();
    const answer = await fetch(target, {
      method: "POST",
      headers: { authorization, "content-type": type },
      body: Buffer.concat(chunks),
    });
    if (answer.ok) acknowledged.push(performance.now() - passedOnAtMs);
    response.writeHead(answer.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the webhook's tap listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}/`,
    lastPushAtMs: () => last,
    nextPush: () => new Promise((resolve) => waiting.push(resolve)),
    acknowledgedMs: () => [...acknowledged],
    async close() {
      waiting = [];
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
