import { spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { CliContext } from "../../cli/context.ts";
import { padded, printable, printableJson, printableLines, truncated } from "../../cli/output/printable.ts";
import { createProgress } from "../../cli/output/progress.ts";
import { runCommand } from "../../cli/program.ts";
import { interruption, sayWhenStoppingIsSlow } from "../../cli/signals.ts";
import { age } from "../../device/age.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { makeProposal } from "./fake-cloud.ts";
import { ManualClock } from "./manual-clock.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

function contextOn(stdout: Screen, color: boolean): CliContext {
  return {
    io: { stdout, stderr: new Screen(), isTTY: true, color, signal: new AbortController().signal },
    environment: {},
    workingFolder: temporaryFolder(),
    ...systemTimeAndIds,
    now: () => 10 * 3_600_000,
  };
}

test("a list fits the terminal's width, wide characters counted, and is coloured only when it may be", async () => {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  store.proposals.add([makeProposal(1, { rawSubject: "請求書のお知らせ".repeat(20), triagedAt: 7 * 3_600_000 })]);
  store.close();
  const [plain, coloured] = [new Screen(), new Screen()];

  await runCommand(["proposals", "list", "--data", dataFolder], contextOn(plain, false), "1");
  await runCommand(["proposals", "list", "--data", dataFolder], contextOn(coloured, true), "1");

  const [, row] = plain.written.split("\n");
  expect(row).toMatch(/^pending {2}3 h {2}personal {2}請求書.*… {2,3}msg-1$/);
  expect(plain.written).not.toContain("\u001b");
  expect(coloured.written).toContain("\u001b[33mpending");
  const wide = [...(row ?? "")].filter((character) => character > "\u2fff").length;
  expect((row ?? "").length + wide).toBeLessThanOrEqual(80);
});

test("printable: controls become visible, what is invisible goes, text of every script stays", () => {
  expect(printable("a\u001b[31mb\u0007\u009bc\ud800")).toBe("a�[31mb��c�");
  expect(printable("\u202eevil\u2066\u200b\u00ad\u034f\ufeff x \t\r\n y\u2028z")).toBe("evil x y z");
  expect(printable("Größe 東京 مرحبا हिन्दी ❤️ 😀")).toBe("Größe 東京 مرحبا हिन्दी ❤️ 😀");
});

test("text of several lines keeps the columns of its tables, and what stands before a line", () => {
  expect(printableLines("Pos   Price\n  1\u00a0   9.00  \r\n\tAll\u001b[2J   9.00")).toBe(
    "Pos   Price\n  1    9.00\n        All�[2J   9.00",
  );
});

test("cutting and filling count terminal columns and never split a character", () => {
  expect(truncated("abcdef", 4)).toBe("abc…");
  expect(truncated("東京都", 4)).toBe("東…");
  expect(padded("東", 4)).toBe("東  ");
  expect(truncated("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
});

test("printable JSON escapes what a terminal obeys and parses to the same value", () => {
  const value = { a: "\u009b31m\u202e\u{e0041}\u007f\n", b: "é東" };
  const text = printableJson(value);
  expect(text).toContain("\\u009b31m\\u202e\\udb40\\udc41\\u007f\\n");
  expect(JSON.parse(text)).toEqual(value);
});

test("ages are told in their largest whole unit", () => {
  const at = (elapsedMs: number) => age(1_000_000_000 - elapsedMs, 1_000_000_000);
  expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 49 * 3_600_000, -5].map(at)).toEqual([
    "now",
    "now",
    "1 min",
    "59 min",
    "1 h",
    "2 d",
    "now",
  ]);
});

function progressOn(isTTY: boolean, columns = 80) {
  const screen = new Screen(columns);
  let nowMs = 0;
  const progress = createProgress({ stream: screen, isTTY, color: false, label: "Judging", now: () => nowMs });
  return { screen, progress, wait: (ms: number) => (nowMs += ms) };
}

test("on a terminal progress is one line with percent, counts, rate and time left, redrawn at most ten times a second", () => {
  const { screen, progress, wait } = progressOn(true);
  for (let done = 0; done <= 100; done++) {
    progress.update({ done, total: 400, note: "3 proposals\u001b[2J" });
    wait(20);
  }
  const draws = screen.written.split("\r\u001b[2K").slice(1);
  expect(draws.length).toBeLessThanOrEqual(21);
  expect(draws.at(-1)).toMatch(/^Judging █{6}░{18} {2}25% {2}100\/400 {2}50\/s {2}6 s left {2}3 proposals�\[2J$/);
  expect(screen.written).not.toContain("\n");

  progress.finish();
  progress.update({ done: 400, total: 400 });
  expect(screen.written.endsWith("\n")).toBe(true);
  expect(screen.written.match(/\n/g)).toHaveLength(1);
});

test.each([20, 32, 40, 48, 80])(
  "a line of progress fits a terminal of %i columns, where it is drawn over",
  (columns) => {
    const { screen, progress } = progressOn(true, columns);
    progress.update({ done: 4_211, total: 10_000, note: "3,512 proposals of so many, and counting still" });
    const line = screen.written.replace("\r\u001b[2K", "");
    expect(line.length).toBeLessThan(columns);
    expect(line).toMatch(/^Judging .* {0,2}42%/);
  },
);

test("a work that stands still has no rate and no time left: nobody knows how long it takes", () => {
  const { screen, progress, wait } = progressOn(false);
  progress.update({ done: 5, total: 100 });
  wait(1_000);
  progress.update({ done: 10, total: 100 });
  for (let second = 0; second < 60; second++) {
    wait(1_000);
    progress.update({ done: 10, total: 100 });
  }
  const last = screen.written.trimEnd().split("\n").at(-1);
  expect(last).toBe("Judging 10%  10/100");
});

test("elsewhere progress is a plain line every five seconds in which something happened, and never the same again", () => {
  const { screen, progress, wait } = progressOn(false);
  for (let done = 0; done <= 100; done++) {
    progress.update({ done, total: 100 });
    wait(100);
  }
  for (let waited = 0; waited < 3; waited++) {
    progress.update({ done: 100, total: 100 });
    wait(6_000);
  }
  progress.finish();
  expect(screen.written.split("\n")).toEqual([
    "Judging 0%  0/100",
    "Judging 50%  50/100  10/s  5 s left",
    "Judging 100%  100/100  10/s",
    "Judging 100%  100/100",
    "",
  ]);
});

test("without a total progress shows counts alone; a log line does not tear the bar", () => {
  const { screen, progress } = progressOn(true);
  progress.update({ done: 7 });
  progress.log("a line");
  expect(screen.written).toBe("\r\u001b[2KJudging 7\r\u001b[2Ka line\n\r\u001b[2KJudging 7");
});

class Host extends EventEmitter {
  exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

test("the first Ctrl-C asks, the same one delivered twice counts once, a later one ends at once", () => {
  const host = new Host();
  let nowMs = 0;
  const signal = interruption(host, () => nowMs);
  host.emit("SIGINT");
  expect(signal.aborted).toBe(true);
  nowMs = 900;
  host.emit("SIGINT");
  host.emit("SIGTERM");
  expect(host.exits).toEqual([]);
  nowMs = 1_500;
  host.emit("SIGINT");
  expect(host.exits).toEqual([130]);
});

test("the end of the launcher interrupts, and listening for it keeps nothing alive", () => {
  let unrefs = 0;
  const host = Object.assign(new Host(), { channel: { unref: () => unrefs++ } });
  const signal = interruption(host, Date.now);
  host.emit("disconnect");
  expect(signal.aborted).toBe(true);
  expect(unrefs).toBe(1);
});

test("the end of what was to pass signals on interrupts, unless a signal has come", () => {
  const [left, told] = [new Host(), new Host()];
  let nowMs = 0;
  const listeners: (() => void)[] = [];
  const signals = [left, told].map((host) =>
    interruption(
      host,
      () => nowMs,
      (listener) => void listeners.push(listener),
    ),
  );
  told.emit("SIGTERM");
  nowMs = 5_000;
  for (const listener of listeners) listener();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect([left.exits, told.exits]).toEqual([[], []]);
});

test("nothing silent: whoever interrupts what takes its time to stop is told so, and how it ends at once", () => {
  const clock = new ManualClock();
  const said: string[] = [];
  const [slow, quick, done] = [1, 2, 3].map(() => {
    const interrupting = new AbortController();
    return { interrupting, ended: sayWhenStoppingIsSlow(interrupting.signal, clock, (each) => void said.push(each)) };
  });
  done?.ended();
  for (const each of [slow, quick, done]) each?.interrupting.abort();
  clock.advance(1_000);
  quick?.ended();
  expect(said).toEqual([]);
  clock.advance(10_000);
  expect(said).toEqual([expect.stringMatching(/^Stopping, .* interrupt again/)]);
});

const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;

test.skipIf(!hasBash)("the bash completion offers the commands and options of the place one is at", async () => {
  const screen = new Screen();
  await runCommand(["completion", "bash"], contextOn(screen, false), "1");
  const complete = (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(" ");
    const script = `${screen.written}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _scouts; echo "\${COMPREPLY[*]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim();
  };
  expect(complete("scouts", "prop")).toBe("proposals");
  expect(complete("scouts", "proposals", "")).toBe(
    "list show approve reject undo reopen convert merge draft snooze assign mute original --help",
  );
  expect(complete("scouts", "proposals", "list", "--st")).toBe("--status");
  expect(complete("scouts", "up", "--m")).toBe("--mailbox");
});

test.each(["zsh", "fish"])("the %s completion knows every command", async (shell) => {
  const screen = new Screen();
  await runCommand(["completion", shell], contextOn(screen, false), "1");
  for (const word of ["up", "proposals", "approve", "status", "doctor", "completion", "mailbox", "hostile"]) {
    expect(screen.written).toContain(word);
  }
});

test("a work that is soon over shows no progress where that is wanted, and a longer one does", () => {
  const screen = new Screen();
  let nowMs = 0;
  const progress = () =>
    createProgress({ stream: screen, isTTY: true, color: false, label: "Looking", now: () => nowMs, silentMs: 1_000 });
  const short = progress();
  short.update({ done: 1 });
  nowMs += 999;
  short.update({ done: 2 });
  short.finish();
  expect(screen.written).toBe("");

  const long = progress();
  long.update({ done: 1 });
  nowMs += 1_000;
  long.update({ done: 2 });
  expect(screen.written).toContain("Looking 2");
  long.finish();
});

test("a search that has nothing to index says nothing of indexing, however long it takes", () => {
  const screen = new Screen();
  let nowMs = 0;
  const shown = { stream: screen, color: false, label: "Indexing", now: () => nowMs, silentMs: 1_000 };
  for (const isTTY of [true, false]) {
    const progress = createProgress({ ...shown, isTTY });
    nowMs += 5_000;
    progress.finish();
  }
  expect(screen.written).toBe("");
});
