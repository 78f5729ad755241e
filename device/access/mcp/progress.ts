import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../../connection/clock.ts";

/** Clients give a call up after a minute without a word, many of them sooner. */
const everyMs = 5_000;

type Asked = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, "_meta" | "sendNotification">;

/**
 * Works on a request, and says every five seconds that it is worked on, to a client that has asked to hear of it (MCP, "Progress").
 *
 * @param message what takes so long, asked each time
 */
export async function tellingProgress<T>(
  { _meta, sendNotification }: Asked,
  clock: Clock,
  message: () => string,
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return work();
  let cancel = () => {};
  const tellAfter = (seconds: number) => {
    cancel = clock.after(everyMs, () => {
      const params = { progressToken, progress: seconds, message: message() };
      // A client that is gone hears nothing more, and its request is ended by that.
      sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
      tellAfter(seconds + everyMs / 1_000);
    });
  };
  tellAfter(everyMs / 1_000);
  try {
    return await work();
  } finally {
    cancel();
  }
}
