import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isDeviceError } from "../../device/errors.ts";
import { newTrialId, type TrialWatch, tryPurpose } from "../../device/sources/try-purpose.ts";
import { type ErrorCode, errorKinds } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { TrialItem, TrialResponse } from "../../events/http/trials.ts";
import { newId } from "../memory/chance.ts";
import { inbox, ref } from "../unit/scouts/setting.ts";

const scout = { id: inbox, name: "Inbox" };
const item = (code: ErrorCode | null = null): TrialItem => ({
  ref: ref("a"),
  before: { verdict: "spam", reasonCode: "marketing" },
  after: code === null ? { verdict: "relevant", reasonCode: "personal", confidence: 0.9 } : null,
  code,
});

type Answer = (response: ServerResponse, path: string) => void;

/** A cloud that answers each request as it is told, the last way for all that follow. */
async function cloud(...answers: Answer[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/trl_\w+/, "trl")}`);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, request.url ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}` };
}

const trial = newTrialId(newId);
const told = (more: Partial<TrialResponse> = {}): Answer => {
  const body: TrialResponse = {
    ...{ id: trial, scoutId: inbox, status: "completed", startedAt: 1, expiresAt: 2, total: 1, judged: 1 },
    ...{ newlyProposed: 1, newlyDismissed: 0, unchanged: 0, failed: 0, tokensUsed: 120, items: [item()] },
    ...more,
  };
  return (response) => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
};
const refused =
  (code: ErrorCode, data = {}): Answer =>
  (response) => {
    const { status, sentence: message } = errorKinds[code];
    const error = { code, message, data, requestId: "r" };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  };
const running = told({ status: "running", judged: 0 });
const dropped: Answer = (response) => void response.destroy();

function watch(url: () => string, more: Partial<TrialWatch> = {}): TrialWatch {
  let nowMs = 0;
  return {
    home: () => ({ apiUrl: url(), auth: async () => "token" }),
    signal: new AbortController().signal,
    now: () => nowMs,
    pause: async (ms) => {
      nowMs += ms;
    },
    ...more,
  };
}

const wanted = { purpose: "Owls", last: 50 };
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (isDeviceError(error) || isScoutsError(error) ? [error.code, error.message] : error),
  );

test("a trial is started, watched, and read with what its source shows of the changes", async () => {
  const { asked, url } = await cloud(running, running, told());
  const shown = await tryPurpose(
    watch(() => url),
    scout,
    trial,
    wanted,
  );
  expect(shown.newlyProposed).toBe(1);
  expect(asked).toEqual([
    `POST /api/v1/scouts/${inbox}/trials`,
    `GET /api/v1/scouts/${inbox}/trials/trl`,
    `GET /api/v1/scouts/${inbox}/trials/trl`,
    `GET /api/v1/scouts/${inbox}/trials/trl?source=read`,
  ]);
});

test("P2: a connection that is lost, a store that is throttled and a home that is started elsewhere are waited for", async () => {
  const first = await cloud(dropped, running, dropped);
  const second = await cloud(refused("storage_throttled"), running, told());
  let looks = 0;
  const url = () => {
    looks += 1;
    return looks <= 4 ? first.url : second.url;
  };
  expect((await tryPurpose(watch(url), scout, trial, wanted)).status).toBe("completed");
  expect(first.asked.filter((each) => each.startsWith("POST"))).toHaveLength(2);
  expect(second.asked.filter((each) => each.startsWith("POST"))).toHaveLength(0);
});

test("a scout that is removed meanwhile is named", async () => {
  const { url } = await cloud(running, running, refused("scout_not_found"));
  expect(
    await failureOf(
      tryPurpose(
        watch(() => url),
        scout,
        trial,
        wanted,
      ),
    ),
  ).toEqual(["scout_unknown", "Inbox was removed meanwhile, and what was tried with it."]);
});

test.each(["quota_exceeded", "model_unreachable", "reauth"] as const)(
  "what keeps every item from being judged is the answer: %s",
  async (code) => {
    const { url } = await cloud(running, told({ failed: 1, newlyProposed: 0, items: [item(code)] }));
    const failure = await failureOf(
      tryPurpose(
        watch(() => url),
        scout,
        trial,
        wanted,
      ),
    );
    expect(failure).toEqual([code, errorKinds[code].sentence]);
  },
);

test("a source that is away is asked why, for whoever waits", async () => {
  const items = [item("source_unavailable")];
  const ended = told({ newlyProposed: 0, failed: 1, items });
  const { asked, url } = await cloud(running, ended, ended, refused("source_unavailable", { reason: "port" }));
  const at = watch(() => url);
  expect(await failureOf(tryPurpose(at, scout, trial, wanted))).toEqual([
    "source_unavailable",
    expect.stringMatching(/^Nothing takes connections at this port/),
  ]);
  expect(asked.at(-1)).toBe(`GET /api/v1/scouts/${inbox}/sees`);
});

test("interrupted, it says how to see the result", async () => {
  const { url } = await cloud(running);
  const controller = new AbortController();
  const pause = async () => {
    controller.abort();
    throw new Error("aborted");
  };
  const failure = await failureOf(
    tryPurpose(
      watch(() => url, { signal: controller.signal, pause }),
      scout,
      trial,
      wanted,
    ),
  );
  expect(failure).toEqual(["interrupted", expect.stringContaining(`scouts try Inbox --resume ${trial}`)]);
});

test("a trial that comes to nothing is not waited for for ever, nor a purpose of 501 characters asked for", async () => {
  const { asked, url } = await cloud(running);
  expect(
    await failureOf(
      tryPurpose(
        watch(() => url, { now: countingBy(400_000) }),
        scout,
        trial,
        wanted,
      ),
    ),
  ).toEqual(["answer_overdue", expect.anything()]);
  const before = asked.length;
  expect(
    await failureOf(
      tryPurpose(
        watch(() => url),
        scout,
        trial,
        { ...wanted, purpose: "x".repeat(501) },
      ),
    ),
  ).toEqual(["usage", expect.stringContaining("1 to 500 characters")]);
  expect(asked).toHaveLength(before);
});

function countingBy(stepMs: number): () => number {
  let nowMs = 0;
  return () => {
    nowMs += stepMs;
    return nowMs;
  };
}
