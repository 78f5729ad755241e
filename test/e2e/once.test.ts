import { expect, test } from "vitest";
import { quick, whole } from "../rounds.ts";
import { judgeBySubject, upTo, wantedSubjects } from "./mail.ts";
import { proposalsIn, scouts, startProgram, summaryIn } from "./program.ts";
import { settingWith } from "./setting.ts";

const timeoutMs = 240_000;
const subjectsOf = (proposals: readonly { rawSubject: string | null }[]) =>
  proposals.map(({ rawSubject }) => rawSubject).sort();

test(
  "mail in, proposals on the device; spam is never delivered; a second run on the data folder adds nothing",
  async () => {
    const mail = upTo(30);
    const setting = await settingWith(mail);
    const first = await scouts(setting.up("--once", "--json"), setting.model.environment);
    const before = await proposalsIn(setting.dataFolder);

    expect(first.code, first.stderr).toBe(0);
    expect(summaryIn(first)).toMatchObject({
      messages: 30,
      relevant: 20,
      spam: 10,
      delivered: 20,
      acked: 20,
      deadLettered: 0,
      failed: 0,
      tokens: { in: 30 * 7, out: 30 * 3 },
    });
    expect(subjectsOf(before)).toEqual(wantedSubjects(mail).sort());
    // Rules have looked at each before the program ends.
    expect(before.map(({ category }) => category)).not.toContain("unprocessed");
    expect(before[0]).toMatchObject({ status: "pending" });
    expect(before.map(({ rawSnippet }) => rawSnippet)).toContainEqual(expect.stringContaining("This is message"));

    const asked = setting.model.requests();
    const second = await scouts(setting.up("--once", "--json"), setting.model.environment);
    const { ms, requests, judgedNow, ...counts } = summaryIn(first);
    expect(judgedNow).toBe(30);
    expect(summaryIn(second)).toMatchObject({ ...counts, judgedNow: 0 });
    expect(setting.model.requests()).toBe(asked);
    expect(await proposalsIn(setting.dataFolder)).toEqual(before);
  },
  timeoutMs,
);

test.skipIf(quick)(
  "the sample mailbox and the built-in model: `scouts up --once --json` and nothing else",
  async () => {
    const { dataFolder } = await settingWith([]);
    const ended = await scouts(["up", "--once", "--json", "--data", dataFolder]);
    const { messages, relevant, spam, deadLettered, failed, delivered } = summaryIn(ended);

    expect(ended.code).toBe(0);
    expect(messages).toBeGreaterThanOrEqual(30);
    expect(relevant + spam + deadLettered + failed).toBe(messages);
    expect({ deadLettered, failed, delivered }).toEqual({ deadLettered: 0, failed: 0, delivered: relevant });
    expect(Math.min(relevant, spam)).toBeGreaterThan(0);
    expect(await proposalsIn(dataFolder)).toHaveLength(relevant);
  },
  timeoutMs,
);

test.skipIf(!whole)(
  "without --json a person gets a progress line, the proposals and a summary",
  async () => {
    const { up, model } = await settingWith(upTo(3));
    const { stdout, stderr, code } = await scouts(up("--once"), model.environment);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Judging mail .*3\/3/);
    expect(stdout).toContain("Question no. 0");
    expect(stdout).not.toContain("Offer no. 2");
    expect(stdout).toMatch(/3 messages in .* s: 2 worth your attention, 1 spam\./);
  },
  timeoutMs,
);

// Of a change, a minute of chaos (`.ci/run`) does the same at random.
test.skipIf(!whole)(
  "P2: killed with SIGKILL again and again in the middle of a drain, nothing is lost and nothing proposed twice",
  async () => {
    const mail = upTo(40);
    let asked = 0;
    let next = Promise.withResolvers<void>();
    let killAfter = 0;
    const setting = await settingWith(mail, (prompt) => {
      asked += 1;
      if (asked >= killAfter) next.resolve();
      return judgeBySubject(prompt);
    });
    for (const more of [1, 9, 17]) {
      next = Promise.withResolvers<void>();
      killAfter = asked + more;
      const program = startProgram(setting.up("--once", "--json"), setting.model.environment);
      await Promise.race([next.promise, program.ended()]);
      program.child.kill("SIGKILL");
      expect(await program.ended()).toMatchObject({ code: null, stdout: "" });
    }
    killAfter = Number.POSITIVE_INFINITY;
    const last = await scouts(setting.up("--once", "--json"), setting.model.environment);

    expect(last.code, last.stderr + last.stdout).toBe(0);
    expect(summaryIn(last)).toMatchObject({
      messages: 40,
      relevant: 27,
      spam: 13,
      delivered: 27,
      acked: 27,
      failed: 0,
    });
    expect(subjectsOf(await proposalsIn(setting.dataFolder))).toEqual(wantedSubjects(mail).sort());
  },
  timeoutMs,
);

// Of a change, the chaos and the simulation are hostile.
test.skipIf(!whole).each([1])(
  "P2: a hostile run accounts for every message and proposes none twice (seed %i)",
  async (seed) => {
    const mail = upTo(30);
    const setting = await settingWith(mail);
    const words = setting.up("--once", "--json", "--hostile", "--seed", String(seed));
    const ended = await scouts(words, setting.model.environment);
    const { messages, relevant, spam, deadLettered, failed, delivered } = summaryIn(ended);

    expect({ messages, failed, code: ended.code }).toEqual({ messages: 30, failed: 0, code: 0 });
    expect(relevant + spam + deadLettered).toBe(30);
    // What a function died of five times in a row is set aside with a code; at these rates that is rare.
    expect(deadLettered).toBeLessThan(5);
    const subjects = subjectsOf(await proposalsIn(setting.dataFolder));
    expect(subjects).toHaveLength(delivered);
    expect(delivered).toBe(relevant);
    expect(subjects).toEqual(
      wantedSubjects(mail)
        .sort()
        .filter((subject) => subjects.includes(subject)),
    );
  },
  timeoutMs,
);
