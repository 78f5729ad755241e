import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { type ItemCounts, judged } from "../../cli/up/item-counts.ts";
import type { LocalSystem } from "../../cli/up/system.ts";
import type { LogListener } from "../../infra/local/host/log.ts";
import { openLedger } from "../../infra/local/open-ledger.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { type ModelReply, relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { scriptedMail } from "./canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import type { Canaries } from "./scan/canary.ts";
import type { Finding } from "./scan/scanner.ts";

type Plant = (what: string) => string;

interface LogLines {
  readonly listener: LogListener;
  /** Resolves when a function writes something that matches. */
  line(pattern: RegExp): Promise<void>;
}

function logLines(): LogLines {
  const waiting = new Set<(text: string) => void>();
  return {
    listener(_, text) {
      for (const check of waiting) check(text);
    },
    line(pattern) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = (text: string) => {
        if (!pattern.test(text)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      return promise;
    },
  };
}

const never = new AbortController().signal;

/** Text that looks like a line of a stack trace, which is what a log keeps of an error. */
const asStack = (text: string) => `no\\n    at ${text} (file:///${text}.ts:1:1)\\n    at ${text}:2:2`;
const once = (first: ModelReply) => {
  let asked = 0;
  return () => (asked++ === 0 ? first : relevant());
};

/** What the model answers to the mail of that name; all of it quotes the mail. */
const scripts: Record<string, (plant: Plant) => () => ModelReply> = {
  "a telling reason": (plant) => () => relevant(`It says ${plant("reason")}`),
  "a reason too long": (plant) => () => relevant(`It says ${plant("long reason")}`.repeat(30)),
  "not JSON": (plant) => () => ({ content: `{"verdict": "relevant", "reason": "${plant("not JSON")}` }),
  "not JSON at once": (plant) => () => ({ content: plant("words") }),
  "another shape": (plant) => () => ({ content: JSON.stringify({ [plant("key")]: plant("value"), verdict: 7 }) }),
  "unknown keys": (plant) => () => ({
    content: JSON.stringify({
      verdict: "relevant",
      reason: "r",
      reasonCode: "other",
      confidence: 1,
      [plant("more")]: 1,
    }),
  }),
  "a telling code": (plant) => () => ({
    content: JSON.stringify({ verdict: "relevant", reason: "r", reasonCode: plant("code"), confidence: 1 }),
  }),
  "a refusal": (plant) => () => ({ refusal: `I will not talk about ${plant("refusal")}` }),
  "a telling model name": (plant) => () => {
    const answer = relevant();
    return "verdict" in answer ? { ...answer, model: `gpt on "${plant("model name")}"` } : answer;
  },
  "a 400 that quotes": (plant) => () => ({ status: 400, body: `{"error": {"message": "${asStack(plant("400"))}"}}` }),
  "a 400 that quotes as a parameter, once": (plant) => once(error(400, plant("400 parameter"))),
  "a 404 that quotes, once": (plant) => once(error(404, plant("404"))),
  "a 401 that quotes, once": (plant) => once(error(401, plant("401"))),
  "a 429 that quotes, once": (plant) => once(error(429, plant("429"))),
  "a 500 that quotes, once": (plant) => once(error(500, plant("500"))),
  "a body that is not JSON, once": (plant) => once({ status: 200, body: `{"choices": ${plant("broken body")}` }),
  "a body of another shape, once": (plant) => once({ status: 200, body: `{"${plant("strange key")}": 1}` }),
  "a page of HTML, once": (plant) => once({ status: 502, body: `<html>${plant("HTML")}` }),
};

const error = (status: number, text: string): ModelReply => ({
  status,
  body: `{"error": {"message": "${asStack(text)}", "type": "${text}", "code": "${text}", "param": "${text}"}}`,
});

const google = (code: number, text: string, reason: string) =>
  `{"error": {"code": ${code}, "message": "${asStack(text)}", "status": "${text}", "errors": [{"message": "${asStack(text)}", "reason": "${reason}", "domain": "${text}"}]}}`;

/** Gmail says inside its sentence how long to wait. */
const comeBackAtOnce = "Retry after 2020-01-01T00:00:00Z";

type Answer = readonly [status: number, body: string];

/** What Gmail answers once each while mail is listed and read, and Google's token endpoint when asked for a new token. */
function sourceAnswers(canaries: Canaries): Record<"messages.get" | "history.list" | "token", Answer[]> {
  const plant = (what: string) => canaries.plant(`Gmail: ${what}`);
  return {
    "messages.get": [
      [400, google(400, plant("400"), plant("400 reason"))],
      [403, google(403, `${plant("403")} ${comeBackAtOnce}`, "rateLimitExceeded")],
      [404, google(404, plant("404"), "notFound")],
      [429, google(429, `${plant("429")} ${comeBackAtOnce}`, "rateLimitExceeded")],
      [500, google(500, plant("500"), "backendError")],
      [500, `<html>${plant("HTML")}`],
      [200, `{"id": "${plant("broken body")}`],
      [200, `"${plant("a string")}"`],
      [200, `{"labelIds": ["INBOX"], "payload": {"headers": "${plant("headers")}"}}`],
    ],
    "history.list": [
      [500, google(500, plant("history 500"), "backendError")],
      [200, `{"history": "${plant("history")}"}`],
    ],
    token: [
      [500, `{"error": "${plant("token error")}", "error_description": "${plant("token words")}"}`],
      [200, `{"access_token": 7, "${plant("token key")}": "${plant("token value")}"}`],
      [400, plant("token, not JSON")],
    ],
  };
}

/** Has the source fail in every way there is that passes. */
async function failSource({ system, canaries }: CanarySystem, deliver: Deliver): Promise<void> {
  const { mailbox } = system.world;
  const { token, ...readings } = sourceAnswers(canaries);
  for (const method of ["messages.get", "history.list"] as const) {
    const answers = readings[method];
    for (const [status, body] of answers) mailbox.faults.arm({ kind: "answer", status, body }, { method });
    for (const _ of answers) deliver("source fails");
  }
  await drain(system, never);
  for (const [status, body] of token) {
    mailbox.faults.arm({ kind: "unauthorized" }, { method: "messages.get" });
    mailbox.faults.arm({ kind: "answer", status, body }, { method: "token" });
    deliver("source refuses");
    await drain(system, never);
  }
}

/** A mail nobody can read, whatever part of it is asked for. */
async function showUnreadable({ system, canaries }: CanarySystem, deliver: Deliver, logs: LogLines): Promise<void> {
  const body = `"${canaries.plant("Gmail: never an object")}"`;
  const mend = system.world.mailbox.faults.arm(
    { kind: "answer", status: 200, body },
    { method: "messages.get", times: Number.POSITIVE_INFINITY },
  );
  const dead = logs.line(/"code":"item_dead"/);
  deliver("source, unreadable");
  await dead;
  mend();
  await drain(system, never);
}

/** The source withdraws its access; what still waits for a verdict meets that first, and waits for its owner then. */
async function withdraw({ system, canaries }: CanarySystem, logs: LogLines): Promise<void> {
  const { mailbox } = system.world;
  const body = `{"error": "invalid_grant", "error_description": "${asStack(canaries.plant("Gmail: withdrawn"))}"}`;
  const disabled = logs.line(/"code":"scout_disabled"/);
  mailbox.faults.arm({ kind: "unauthorized" }, { method: "messages.get" });
  mailbox.faults.arm({ kind: "answer", status: 400, body }, { method: "token" });
  await disabled;
  await system.home.whenIdle();
}

/** Nobody has asked for a while; by itself the next probe would be due twenty seconds after the last. */
async function probeIsDue({ home }: LocalSystem): Promise<void> {
  const { ledger, close } = openLedger(home);
  await ledger.update(ledgerKey.breaker(), { remove: [["nextProbeAt"]] });
  close();
}

type Deliver = (script: string) => void;

/** The model and the source fail in every way they can, quoting the mail in what they say about it. */
describe("P1: nothing readable at rest in the cloud after failures", () => {
  let running: CanarySystem;
  let model: ScriptedModel;
  let whileWaiting: { readonly found: readonly Finding[]; readonly counts: ItemCounts };
  let afterRepair: ItemCounts;
  let counts: ReturnType<typeof judged>;
  let inStores: Finding[];
  let inFiles: Finding[];
  let mails = Object.keys(scripts).length;
  const asked = new Map<string, number>();
  const logs = logLines();
  const refusedAgain = Promise.withResolvers<void>();

  beforeAll(async () => {
    const replies = new Map<string, () => ModelReply>();
    let always: ModelReply | undefined;
    model = await startScriptedModel((prompt) => {
      const script = /script=([^.]*)\./.exec(prompt)?.[1] ?? "";
      asked.set(script, (asked.get(script) ?? 0) + 1);
      return always ?? replies.get(script)?.() ?? relevant();
    });
    running = await startCanarySystem(
      (folder, canaries) => {
        const plant = (what: string) => canaries.plant(`model: ${what}`);
        for (const [script, make] of Object.entries(scripts)) {
          replies.set(script, make(plant));
          writeFileSync(join(folder, `${script}.eml`), scriptedMail(canaries, script));
        }
        replies.set("refused for ever", () => {
          if ((asked.get("refused for ever") ?? 0) > 1) refusedAgain.resolve();
          return error(404, plant("404 for ever"));
        });
      },
      {
        environment: { ...model.environment },
        home: { backOffMs: () => 1, delayMs: (askedMs) => askedMs / 1000, onLog: logs.listener },
      },
    );
    const { system, canaries } = running;
    const deliver = (script: string) => {
      mails += 1;
      system.world.mailbox.deliver(scriptedMail(canaries, script));
    };
    await drain(system, never);
    await failSource(running, deliver);
    await showUnreadable(running, deliver, logs);

    // The model cannot be asked at all: its probe is answered with a mail's words too.
    await probeIsDue(system);
    always = error(401, canaries.plant("model: 401 for everything"));
    const opened = logs.line(/"code":"model_breaker_opened"/);
    deliver("model out");
    await opened;
    await system.home.whenIdle();
    whileWaiting = { found: await running.lookIntoStores(), counts: await system.counter.count() };
    always = undefined;
    await probeIsDue(system);
    afterRepair = await drain(system, never);

    deliver("refused for ever");
    await refusedAgain.promise;
    await withdraw(running, logs);
    counts = judged(await system.counter.count());
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 300_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  test("no table, queue, dead-letter queue or object", () => expect(inStores).toEqual([]));
  test("nor while mail waits for a model that cannot be asked", () => expect(whileWaiting.found).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and every script was played, every fault struck", () => {
    expect(Object.keys(scripts).filter((script) => !asked.has(script))).toEqual([]);
    expect(running.system.world.mailbox.faults.struck("answer")).toBeGreaterThan(15);
  });

  test("P2: every mail has an end or waits: dead is only what cannot be read", () => {
    expect(whileWaiting.counts).toMatchObject({ waiting: 1, model: { code: "model_forbidden" } });
    expect(judged(afterRepair)).toMatchObject({ waiting: 0, failed: 0, deadLettered: 2 });
    // What the model alone refused waits for the owner to connect again.
    expect(counts).toMatchObject({ spam: 0, deadLettered: 2, waiting: 0, failed: 1 });
    expect(counts.relevant + counts.unjudged).toBe(mails - 3);
    expect(Math.min(counts.relevant, counts.unjudged)).toBeGreaterThan(0);
  });
});
