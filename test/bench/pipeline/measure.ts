import { drain } from "../../../cli/up/drain.ts";
import { judged } from "../../../cli/up/item-counts.ts";
import type { LocalSystem } from "../../../cli/up/system.ts";
import { verdictSchema } from "../../../events/proposals/verdict.ts";
import type { World } from "../../../infra/local/world/world.ts";
import { OpenAiModel } from "../../../shared/llm/openai-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { triagePrompt } from "../../../shared/scouts/triage/triage-prompt.ts";
import { type Requests, requestsOf, since } from "./requests.ts";
import type { WebhookTap } from "./webhook-tap.ts";

export interface Burst {
  readonly items: number;
  readonly relevant: number;
  readonly ms: number;
  /** From the push that announced the burst to each proposal, in order of arrival. */
  readonly latenciesMs: readonly number[];
  readonly requests: Requests;
}

/** Delivers all messages at once and waits until every one is judged and every proposal stored and acknowledged. */
export async function measureBurst(system: LocalSystem, tap: WebhookTap, mail: readonly Uint8Array[]): Promise<Burst> {
  const { signal } = new AbortController();
  const before = { requests: requestsOf(system), counts: judged(await system.counter.count()) };
  const arrivals: number[] = [];
  const arrived = () => arrivals.push(performance.now());
  system.device.events.on("proposal", arrived);
  const announced = tap.nextPush();
  for (const raw of mail) system.world.mailbox.deliver(raw);
  const startMs = await announced;
  const counts = judged(await drain(system, signal));
  const endMs = performance.now();
  system.device.events.off("proposal", arrived);
  return {
    items: mail.length,
    relevant: counts.relevant - before.counts.relevant,
    ms: endMs - startMs,
    latenciesMs: arrivals.map((atMs) => atMs - startMs),
    requests: since(before.requests, requestsOf(system)),
  };
}

/** Delivers one message at a time into the idle system; from the push's arrival to the proposal stored on the device. */
export async function measureSingles(
  system: LocalSystem,
  tap: WebhookTap,
  mail: readonly Uint8Array[],
): Promise<{ latenciesMs: number[]; unproposed: number }> {
  const { signal } = new AbortController();
  const latenciesMs: number[] = [];
  for (const raw of mail) {
    const proposed = Promise.withResolvers<number>();
    const stored = () => proposed.resolve(performance.now());
    system.device.events.once("proposal", stored);
    const announced = tap.nextPush();
    system.world.mailbox.deliver(raw);
    const startMs = await announced;
    // A message the model dismisses brings no proposal: then the drain ends first.
    const over = new AbortController();
    const endMs = await Promise.race([proposed.promise, drain(system, over.signal).then(() => undefined)]);
    // It would go on asking for syncs, which find the next message before it is pushed.
    over.abort();
    system.device.events.off("proposal", stored);
    if (endMs !== undefined) latenciesMs.push(endMs - startMs);
    await drain(system, signal);
  }
  return { latenciesMs, unproposed: mail.length - latenciesMs.length };
}

/** How many the peer works at side by side: as many as the local home's triage workers take together. */
const atOnce = 20;

/**
 * The peer: the same messages read from the same source and judged by the same model with nothing around them, no
 * queue, no table, no delivery. @returns milliseconds
 */
export async function measureBareWork(world: World, items: number): Promise<number> {
  const { accessToken } = world.mailbox.grant(["https://www.googleapis.com/auth/gmail.readonly"]);
  const api = `${world.mailbox.url}/gmail/v1/users/me/messages`;
  const headers = { authorization: `Bearer ${accessToken}` };
  const listed = await fetch(`${api}?maxResults=${Math.min(items, 500)}`, { headers });
  const { messages }: { messages: { id: string }[] } = JSON.parse(await listed.text());
  const model = new OpenAiModel({
    apiKey: world.secrets["ModelApiKey"] ?? "",
    baseUrl: world.deploy["OPENAI_BASE_URL"] ?? "",
    model: world.deploy["OPENAI_MODEL"] ?? "",
  });
  const profile = new Transient({
    name: "Inbox",
    purpose: "Show me what people and services I deal with want from me.",
  });
  const judgeOne = async (id: string) => {
    const answer = await fetch(`${api}/${id}?format=full`, { headers });
    const { snippet }: { snippet: string } = JSON.parse(await answer.text());
    const item = {
      subject: new Transient("A message"),
      sender: new Transient({ name: "somebody", address: "" }),
      text: new Transient(snippet),
    };
    await model.complete({
      ...triagePrompt("gmail", profile, item, Date.now()),
      schema: verdictSchema,
      schemaName: "triage_verdict",
      maxOutputTokens: 200,
      timeoutMs: 30_000,
    });
  };
  let next = 0;
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < items) {
        const message = messages[next++ % messages.length];
        if (message) await judgeOne(message.id);
      }
    }),
  );
  return performance.now() - startMs;
}
