import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { checkPassphrase } from "../../device/doctor/passphrase-check.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
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

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** As the account "nobody", in a process that becomes it when all code is loaded: access(2) asks for the real account. */
function asNobody(files: readonly string[], work: string): unknown {
  const modules = files.map((path) => new URL(`../../${path}`, import.meta.url).href);
  const script = `
    const modules = await Promise.all(${JSON.stringify(modules)}.map((file) => import(file)));
    const all = Object.assign({}, ...modules);
    const folder = ${JSON.stringify(folder)};
    const cloud = ${JSON.stringify(join(folder, "cloud"))};
    process.setuid(${nobody});
    const said = (work) => {
      try {
        return work() ?? null;
      } catch ({ code, message }) {
        return { code, message };
      }
    };
    process.stdout.write(JSON.stringify(said(() => ${work})));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return JSON.parse(stdout);
}

function nobodys(part: string): string {
  const path = join(folder, part);
  mkdirSync(path, { mode: 0o700 });
  for (const each of [folder, path]) chownSync(each, nobody, nobody);
  return path;
}

describe.skipIf(!isRoot)("D8: what in a data folder is another user's (needs root, to become one)", () => {
  const others = { code: "data_unusable", message: expect.stringMatching(/kept is not this user's.*chown/) };

  it("is named before a start, with what to do, and by who looks", () => {
    const cloud = nobodys("cloud");
    lockData(cloud, "scouts up")();
    for (const name of readdirSync(cloud)) chownSync(join(cloud, name), nobody, nobody);
    writeFileSync(join(cloud, "kept"), "root's", { mode: 0o600 });
    const lock = ["infra/local/lock.ts"];
    const take = "all.lockData(cloud, 'scouts up')()";
    const look = "all.damageBetweenHomes(cloud)";
    expect(asNobody(lock, take)).toMatchObject(others);
    expect(asNobody(lock, `(({ code, message }) => ({ code, message }))(${look})`)).toMatchObject(others);
    rmSync(join(cloud, "kept"));
    expect([asNobody(lock, take), asNobody(lock, look)]).toEqual([null, null]);
  });

  it("is no reason to move a database or a key away, nor taken for a folder without one", () => {
    const device = nobodys("device");
    openDeviceStore({ ...systemTimeAndIds, dataFolder: folder }).close();
    chownSync(device, nobody, nobody);
    const store = ["device/store/open.ts", "device/time-and-ids.ts"];
    const checks = [...store, "device/doctor/checks.ts", "device/doctor/passphrase-check.ts"];
    const open = "all.openDeviceStore({ ...all.systemTimeAndIds, dataFolder: folder, mustExist: true })";
    const message = expect.stringContaining(join(device, "device.sqlite"));
    expect(asNobody(store, open)).toMatchObject({ code: "folder_unusable", message });
    writeFileSync(join(device, "passphrase.json"), "{}", { mode: 0o600 });
    const look = "[...all.checkDatabase(folder, all.systemTimeAndIds), ...all.checkPassphrase(folder)]";
    expect(asNobody(checks, look)).toMatchObject([
      { code: "database_refused", detail: expect.stringContaining("chown") },
      { code: "record_unusable" },
    ]);
    expect(checkPassphrase(folder)).toMatchObject([{ code: "passphrase_damaged" }]);
    chownSync(device, 0, 0);
    expect(asNobody(store, open)).toMatchObject({ code: "folder_unusable" });
  });
});

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
