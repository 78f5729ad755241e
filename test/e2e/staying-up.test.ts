import { once } from "node:events";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drain, untilIdle } from "../../cli/up/drain.ts";
import { shortfall, summaryOf } from "../../cli/up/shown/summary.ts";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { scoutResponse } from "../../events/http/scouts.ts";
import { quick, whole } from "../rounds.ts";
import { deleteMail, judgeBySubject, subjectOf, upTo, writeMail } from "./mail.ts";
import { proposalsIn, scouts, scoutsHere, startProgram, summaryIn } from "./program.ts";
import { relevant } from "./scripted-model.ts";
import { drainedSystemOn, questionsOfDrain, settingWith, systemOn } from "./setting.ts";

const timeoutMs = 240_000;

test(
  "the console is there while the first mail is judged; mail that arrives while up is shown; a second `up` is refused; Ctrl-C ends with 0; the next start goes on",
  async () => {
    const isOpened = Promise.withResolvers<void>();
    const setting = await settingWith(upTo(3), async (prompt) => {
      if (prompt.includes(subjectOf(0))) await isOpened.promise;
      return judgeBySubject(prompt);
    });
    const up = startProgram(setting.up(), setting.model.environment);
    const [, page = ""] = /^Console: (\S+)/.exec(await up.line(/^Console: http/)) ?? [];
    expect((await fetch(page)).status).toBe(200);
    isOpened.resolve();
    await up.line(/^Listening on http/);
    writeMail(setting.mailFolder, [30]);
    expect(await up.line(/Question no\. 30/)).toMatch(/^new /);

    const second = await scouts(setting.up("--once"), setting.model.environment);
    expect(second).toMatchObject({ stdout: "" });
    expect(second.code).toBe(4);
    expect(second.stderr).toMatch(
      /^scouts: The data folder .* is in use by process \d+ \(scouts up, since .*\(data_in_use\)\n$/,
    );

    up.child.kill("SIGINT");
    const ended = await up.ended();
    expect(ended.code).toBe(0);
    // The first proposals are shown as they come, and are in the table again.
    const told = ended.stdout.split("\n").filter((line) => /^(new|STATUS|Listening) /.test(line));
    expect(told.map((line) => line.split(" ")[0])).toEqual(["new", "new", "STATUS", "Listening", "new"]);

    writeMail(setting.mailFolder, [31, 33]);
    const next = await scouts(setting.up("--once", "--json"), setting.model.environment);
    expect(next.code).toBe(0);
    expect(summaryIn(next)).toMatchObject({ messages: 6, relevant: 5, spam: 1, delivered: 5, failed: 0 });
    const subjects = (await proposalsIn(setting.dataFolder)).map(({ rawSubject }) => rawSubject);
    expect(subjects.sort()).toEqual([0, 1, 30, 31, 33].map(subjectOf).sort());
  },
  timeoutMs,
);

test.skipIf(!whole)(
  "a mailbox that is moved away while a home runs is named by `status`, `health` and `doctor` until it is back",
  async () => {
    const setting = await settingWith(upTo(1));
    const up = startProgram(setting.up(), setting.model.environment);
    await up.line(/^Listening on http/);
    const run = (...words: string[]) => scoutsHere([...words, "--data", setting.dataFolder]);
    const away = `${setting.mailFolder}.away`;

    renameSync(setting.mailFolder, away);
    await up.line(/cannot be read/);
    const detail = `the mailbox ${setting.mailFolder} cannot be read`;
    const doctor = await run("doctor");
    expect([doctor.code, doctor.stdout]).toEqual([6, expect.stringContaining(`fail  mail        ${detail}`)]);
    expect((await run("status")).stdout).toContain(`mail: ${detail}`);
    expect((await run("health")).stderr).toMatch(
      /^scouts: mail: the mailbox .* cannot be read.*\(mailbox_unreadable\)$/m,
    );
    expect(JSON.parse((await run("status", "--json")).stdout)).toMatchObject({ mailAway: setting.mailFolder });

    renameSync(away, setting.mailFolder);
    await up.line(/can be read again/);
    expect((await run("doctor")).stdout).toMatch(/^ok +mail +a mailbox on this machine$/m);
    expect(JSON.parse((await run("status", "--json")).stdout)).toMatchObject({ mailAway: null });
  },
  timeoutMs,
);

// Of a change, test/e2e/folders/interrupted.test.ts interrupts a process of its own, and a minute of chaos kills homes.
test.skipIf(!whole)(
  "Ctrl-C in the middle of --once ends cleanly with 130, and the next run finishes",
  async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const setting = await settingWith(upTo(5), async () => {
      asked.resolve();
      await answer.promise;
      return relevant();
    });
    const program = startProgram(setting.up("--once", "--json"), setting.model.environment);
    await Promise.race([asked.promise, program.ended()]);
    program.child.kill("SIGINT");
    answer.resolve();
    const interrupted = await program.ended();
    expect(interrupted.code).toBe(130);
    expect(summaryIn(interrupted).messages).toBe(5);

    const next = await scouts(setting.up("--once", "--json"), setting.model.environment);
    expect(next.code).toBe(0);
    expect(summaryIn(next)).toMatchObject({ messages: 5, relevant: 5, delivered: 5, acked: 5, failed: 0 });
  },
  timeoutMs,
);

test.skipIf(quick)(
  "a decision made on the command line while the system is up reaches the cloud",
  async () => {
    const setting = await settingWith(upTo(2));
    const system = await drainedSystemOn(setting);
    const [first, second] = await proposalsIn(setting.dataFolder);
    expect((await system.counter.count()).byStatus).toMatchObject({ delivered: 2, acked: 0 });

    for (const [decision, proposal] of [
      ["approve", first],
      ["reject", second],
    ] as const) {
      const accepted = once(system.device.events, "accepted");
      const { code } = await scouts(["proposals", decision, proposal?.id ?? "", "--data", setting.dataFolder]);
      expect(code).toBe(0);
      await accepted;
    }
    expect((await system.counter.count()).byStatus).toMatchObject({ delivered: 0, acked: 2 });
    const statuses = (await proposalsIn(setting.dataFolder)).map(({ id, status }) => [id, status]);
    expect(statuses).toEqual([
      [first?.id, "approved"],
      [second?.id, "rejected"],
    ]);
  },
  timeoutMs,
);

test.skipIf(!whole)(
  "the webhook refuses what it cannot verify with 401 and queues nothing; an authentic push is queued",
  async () => {
    const setting = await settingWith(upTo(1));
    // Timers would queue what is due by themselves meanwhile.
    const system = await drainedSystemOn(setting, { timers: false });
    const { home, world } = system;
    const { signal } = new AbortController();
    const data = Buffer.from(JSON.stringify({ emailAddress: "you@example.com", historyId: 1 })).toString("base64");
    const body = JSON.stringify({
      message: { data, messageId: "42", publishTime: "2026-11-20T09:00:00Z" },
      subscription: world.deploy["PUSH_SUBSCRIPTION"],
    });
    const sent = () =>
      home.requests().operations["sqs:SendMessage"] ?? home.requests().operations["sqs:SendMessageBatch"] ?? 0;
    const push = async (authorization: string | undefined) => {
      // What the first mail led to may still be under way, at the mailbox and the device too; its last announcement waits a
      // second for the one before.
      await expect.poll(() => world.mailbox.stats().isAnnounced).toBe(true);
      await untilIdle(system, signal);
      const before = sent();
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const url = `${home.apiUrl}/api/v1/scouts/webhooks/gmail`;
      const { status } = await fetch(url, { method: "POST", headers, body });
      await home.whenIdle();
      return { status, queued: sent() - before };
    };

    const authentic = await world.push.token();
    const [header, claims, signature = ""] = authentic.split(".");
    const refused = { status: 401, queued: 0 };
    expect(await push(undefined)).toEqual(refused);
    expect(await push(`Bearer ${await world.issuer.token("owner")}`)).toEqual(refused);
    expect(await push(`Bearer ${header}.${claims}.${signature.split("").reverse().join("")}`)).toEqual(refused);
    expect(await push(`Bearer ${header}.${claims}.`)).toEqual(refused);
    // What it leads to may be queued as well by then; what it costs by itself, test/webhook/cost counts.
    const { status, queued } = await push(`Bearer ${authentic}`);
    expect(status).toBe(204);
    expect(queued).toBeGreaterThanOrEqual(1);
  },
  timeoutMs,
);

test.skipIf(quick)(
  "a start does not wait for mail that was judged and has been deleted since, and counts it as what it was",
  async () => {
    const setting = await settingWith(upTo(2));
    const first = await drainedSystemOn(setting);
    await first.stop();
    deleteMail(setting.mailFolder, 0);

    const next = await systemOn(setting);
    expect(await questionsOfDrain(next)).toBe(0);
    const { messages, relevant, spam, failed } = summaryOf(next, await next.counter.count(), 0, 0);
    expect([messages, failed]).toEqual([relevant + spam, 0]);
    expect(messages).toBe(2);
  },
  timeoutMs,
);

test.skipIf(quick)(
  "a start with a scout that is paused says what waits for it, and goes on as others do",
  async () => {
    const setting = await settingWith(upTo(2));
    const first = await drainedSystemOn(setting);
    const scout = `/api/v1/scouts/${first.scoutId}`;
    await askCloud(first.api, "PATCH", scout, scoutResponse, { paused: true });
    await first.stop();
    writeMail(setting.mailFolder, [30]);

    const next = await systemOn(setting);
    const never = new AbortController().signal;
    const counts = await drain(next, never);
    const summary = summaryOf(next, counts, 0, 0);
    expect(summary).toMatchObject({ messages: 3, failed: 1, idle: "scout_paused" });
    expect(shortfall(summary)).toBe(
      "1 message waits for the mailbox's scout: The scout is paused; resume it first. (scout_paused)",
    );

    await askCloud(next.api, "PATCH", scout, scoutResponse, { paused: false });
    expect(summaryOf(next, await drain(next, never), 0, 0)).toMatchObject({ messages: 3, failed: 0 });
  },
  timeoutMs,
);

test.skipIf(quick)(
  "a start that fails when all of it runs already ends, and leaves no home behind that nobody knows of",
  async () => {
    const setting = await settingWith(upTo(1));
    // Where it notes which mailbox it was begun with.
    mkdirSync(join(setting.dataFolder, "world", "own-mailbox.json.new"), { recursive: true });
    const up = await scouts(setting.up("--once"), setting.model.environment);
    expect(up.code).not.toBe(0);
    expect(up.stderr).toContain("own-mailbox.json.new");
  },
  timeoutMs,
);
