import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { lockData } from "../../infra/local/lock.ts";

const holderFile = fileURLToPath(new URL("./lock-holder.ts", import.meta.url));
/** What a version of scouts that named its process in a file leaves after a kill. */
const leftover = (pid: number) => writeFileSync(join(folder, "lock"), `${pid}\n`);
/** More of them: `RACES=3000 npx vitest run test/doors/lock.test.ts`. */
const races = Number(process.env["RACES"] ?? 300);
const timeoutMs = 400 * races;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scouts-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

async function startHolder(): Promise<{ child: ChildProcess; ask(message: object): Promise<Record<string, unknown>> }> {
  const child = fork(holderFile, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return {
    child,
    async ask(message) {
      const answered = once(child, "message");
      child.send(message);
      const [answer] = await answered;
      return answer;
    },
  };
}

describe("D4: the lock of a data folder", () => {
  it(
    "has one winner in every race, also over what a killed process has left",
    async () => {
      const starters = await Promise.all([startHolder(), startHolder()]);
      const odd: unknown[] = [];
      for (let race = 0; race < races; race += 1) {
        const take = join(folder, String(race));
        mkdirSync(take);
        if (race % 2 === 0) writeFileSync(join(take, "lock"), "999999999\n");
        const outcomes = await Promise.all(starters.map(({ ask }) => ask({ take })));
        const winners = outcomes.filter(({ won }) => won === true);
        const losers = outcomes.filter(({ code }) => code === "data_in_use");
        if (winners.length !== 1 || losers.length !== 1) odd.push({ race, outcomes });
        await Promise.all(starters.map(({ ask }) => ask({})));
      }
      expect(odd).toEqual([]);
    },
    timeoutMs,
  );

  it("is won although another starter stands between its two steps, who then has lost", () => {
    const other = new DatabaseSync(join(folder, "lock.kernel"), { timeout: 0 });
    onTestFinished(() => other.close());
    // SHARED, the first step of every SQLite transaction.
    other.exec("BEGIN; SELECT COUNT(*) FROM sqlite_schema");
    const release = lockData(folder, "scouts up");
    expect(() => other.exec("COMMIT; BEGIN IMMEDIATE")).toThrow("database is locked");
    release();
  });

  it("is free at once when its holder is killed, whoever has that number now", async () => {
    const { child, ask } = await startHolder();
    expect(await ask({ take: folder })).toEqual({ won: true });
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    lockData(folder, "scouts up")();
    // In a container the first process of every start has the same number.
    leftover(process.pid);
    lockData(folder, "scouts up")();
    leftover(1);
    lockData(folder, "scouts up")();
  });

  it("is held by a process that is stopped, and its holder is told with what to do", async () => {
    const { child, ask } = await startHolder();
    await ask({ take: folder });
    child.kill("SIGSTOP");
    expect(() => lockData(folder, "scouts ops keys rotate")).toThrow(
      expect.objectContaining({
        code: "data_in_use",
        message: expect.stringMatching(
          new RegExp(
            `^The data folder .* is in use by process ${child.pid} \\(scouts up, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\)\\. Stop it first .*--data`,
          ),
        ),
      }),
    );
    child.kill("SIGCONT");
    expect(await ask({})).toEqual({ released: true });
    lockData(folder, "scouts up")();
  });

  it("is held against this very process as well, and given back by its holder only", async () => {
    const { ask } = await startHolder();
    const release = lockData(folder, "scouts up", () => Date.UTC(2026, 0, 2, 3, 4));
    expect(() => lockData(folder, "scouts up")).toThrow(expect.objectContaining({ code: "data_in_use" }));
    expect(await ask({ take: folder })).toMatchObject({ won: false });
    release();
    const again = lockData(folder, "scouts up");
    release();
    expect(() => lockData(folder, "scouts up")).toThrow(expect.objectContaining({ code: "data_in_use" }));
    again();
  });

  it("is taken whatever its files hold, and leaves nothing of its holder", () => {
    for (const name of ["lock.kernel", "holder.json"]) writeFileSync(join(folder, name), "\u0000damaged".repeat(1000));
    const release = lockData(folder, "scouts up");
    expect(statSync(join(folder, "holder.json")).mode & 0o777).toBe(0o600);
    release();
    expect(readdirSync(folder)).toEqual(["lock.kernel", "seal.json"]);
  });
});
