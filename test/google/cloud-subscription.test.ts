import { once } from "node:events";
import { createServer, type ServerHttp2Stream } from "node:http2";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../device/connection/clock.ts";
import { openCloudSubscription } from "../../device/google/cloud-subscription.ts";
import { pull } from "../../device/google/pull.ts";

/** gRPC's UNAUTHENTICATED: the client gives up by itself. */
const unauthenticated = "16";

/** A Pub/Sub that answers each stream of a subscriber as told, of their number so far. */
async function startPubSub(answer: (stream: ServerHttp2Stream, number: number) => void): Promise<void> {
  const server = createServer();
  const streams = new Set<ServerHttp2Stream>();
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    streams.add(stream);
    answer(stream, streams.size);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  vi.stubEnv("PUBSUB_EMULATOR_HOST", `127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    for (const { session } of streams) session?.destroy();
    server.close();
  });
}

test("nothing silent: a subscription whose credentials are refused is told once, and pulled from again when they are good", async () => {
  const streamsAtOnce = 5;
  const good = Promise.withResolvers<void>();
  await startPubSub((stream, number) => {
    if (number > 2 * streamsAtOnce) return good.resolve();
    stream.respond(
      { ":status": 200, "content-type": "application/grpc", "grpc-status": unauthenticated },
      { endStream: true },
    );
  });
  const problems: string[] = [];
  const puller = pull(
    openCloudSubscription("projects/p/subscriptions/s"),
    async () => true,
    ({ message }) => problems.push(message),
    { after: (delayMs, work) => systemClock.after(delayMs / 1000, work) },
  );
  onTestFinished(() => puller.close());
  await good.promise;
  expect(problems).toEqual([expect.stringContaining("Google does not accept the credentials")]);
});
