import { subscribe } from "node:diagnostics_channel";
import * as z from "zod";
import { printable } from "../output/printable.ts";

/** Of a proxy that takes a connection and closes it, Node asks again at once and without end, for requests that were given up too. */
const mostFailures = 20;
const withinMs = 1_000;

/** Where Node keeps what carries out its `fetch` (https://undici.nodejs.org/#/docs/api/Dispatcher). */
const dispatcherKey = Symbol.for("undici.globalDispatcher.1");

/** Who refuses a connection, or is not there, is not asked again: that is not counted. */
const closedByProxy = z.object({
  error: z.instanceof(Error).refine((error) => "code" in error && error.code === "UND_ERR_SOCKET"),
  connectParams: z.object({ host: z.string() }),
});

/** As much of Node's dispatcher as is asked of it here. */
interface Dispatcher {
  destroy(reason: Error): Promise<void>;
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === "object" && value !== null && "destroy" in value && typeof value.destroy === "function";
}

/**
 * Ends requests of this thread's `fetch` that a proxy of the environment (NODE_USE_ENV_PROXY) closes the connection of again and again:
 * they fail as other connections do, where they kept a processor busy for as long as the process lived. What is asked next begins anew.
 *
 * @param tell is given a sentence for the person, once for each host
 */
export function boundProxy(now: () => number, tell: (sentence: string) => void): void {
  const told = new Set<string>();
  const failures = new Map<string, { since: number; count: number }>();
  subscribe("undici:client:connectError", (message) => {
    const failed = closedByProxy.safeParse(message).data;
    if (failed === undefined) return;
    const { host } = failed.connectParams;
    const nowMs = now();
    const before = failures.get(host);
    const isRecent = before !== undefined && nowMs - before.since < withinMs && nowMs >= before.since;
    const seen = isRecent ? { since: before.since, count: before.count + 1 } : { since: nowMs, count: 1 };
    failures.set(host, seen);
    if (seen.count < mostFailures) return;
    failures.delete(host);
    if (!told.has(host)) tell(closes(host));
    told.add(host);
    beginAnew(failed.error);
  });
}

const closes = (host: string) =>
  `The proxy that this environment has Node use (HTTPS_PROXY) closes every connection to ${printable(host)}. ` +
  "See whether it lets you there, or name what is reached without it in NO_PROXY.";

function beginAnew(reason: Error): void {
  const dispatcher: unknown = Reflect.get(globalThis, dispatcherKey);
  if (!isDispatcher(dispatcher)) return;
  const another: unknown = Reflect.construct(dispatcher.constructor, []);
  Reflect.set(globalThis, dispatcherKey, another);
  // What waited for it fails with the reason; that it has ended tells nobody more.
  void dispatcher.destroy(reason).catch(() => undefined);
}
