import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { lockData } from "../../infra/local/lock.ts";
import { readIdentity } from "../../infra/local/world/identity.ts";
import { damageTable } from "../chaos/damage-table.ts";
import { scoutsHere } from "../e2e/program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scouts-damage-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

describe("D8: damage is refused by name, with a remedy", () => {
  it("for every file a home keeps, whether a byte is another or the file is gone", async () => {
    const rows = await damageTable();
    expect(rows.length).toBeGreaterThan(20);
    const silent = rows.filter(
      ({ file, refusal }) => !refusal?.includes(file) || !/Restore|move it away|start it again/.test(refusal),
    );
    expect(silent).toEqual([]);
  }, 240_000);

  it("but not what was changed by somebody who says so, nor a folder whose home was killed", () => {
    const release = lockData(folder, "scouts up");
    writeFileSync(join(folder, "kept"), "one");
    release();
    writeFileSync(join(folder, "kept"), "two");
    expect(() => lockData(folder, "scouts up")).toThrow(/kept is damaged.*delete .*seal\.json/);
    expect(existsSync(join(folder, "seal.json")), "it is refused again, and not the first time only").toBe(true);
    rmSync(join(folder, "seal.json"));
    const again = lockData(folder, "scouts up");
    writeFileSync(join(folder, "kept"), "three");
    // The process dies here: its lock is gone with it, and there is no seal.
    cpSync(folder, `${folder}-killed`, { recursive: true });
    onTestFinished(() => rmSync(`${folder}-killed`, { recursive: true, force: true }));
    lockData(`${folder}-killed`, "scouts up")();
    again();
  });
});

describe("D8: a folder without any seal", () => {
  const database = (name: string): string => {
    const file = join(folder, name);
    const made = new DatabaseSync(file);
    made.exec("CREATE TABLE kept (text)");
    made.exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) INSERT INTO kept SELECT i FROM n",
    );
    made.close();
    return file;
  };

  it.each<[string, (file: string) => void]>([
    ["is none any more", (file) => writeFileSync(file, "not what it was")],
    ["is cut off", (file) => truncateSync(file, statSync(file).size / 2)],
  ])("is refused by the name of a database that %s, and taken when it is whole", (_name, damage) => {
    const file = database("fauxqs.db");
    lockData(folder, "scouts up")();
    rmSync(join(folder, "seal.json"));
    damage(file);
    expect(() => lockData(folder, "scouts up")).toThrow(
      expect.objectContaining({
        code: "data_unusable",
        message: expect.stringMatching(/fauxqs\.db is damaged \(.+\)\. Restore the whole data folder from a backup/),
      }),
    );
    rmSync(file);
    database("fauxqs.db");
    lockData(folder, "scouts up")();
  });
});

describe("D8: keys and names of a home that was killed", () => {
  /** A folder whose home took it, wrote into a file, and was killed. */
  function killedWith(name: string, before: string, after: string) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const release = lockData(folder, "scouts up");
    writeFileSync(path, before);
    release();
    const again = lockData(folder, "scouts up");
    onTestFinished(again);
    writeFileSync(path, after);
    const copy = `${folder}-killed`;
    cpSync(folder, copy, { recursive: true });
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    return copy;
  }

  it.each(["kms/keys.json", "issuer/signing-key.json", "push/signing-key.json", "identity.json", "secrets.json"])(
    "%s is refused by name when it is another of the same length, also where its time is another",
    (name) => {
      const copy = killedWith(name, '{"key":"AAAA"}', '{"key":"ABAA"}');
      expect(() => lockData(copy, "scouts up")).toThrow(`${join(copy, name)} is damaged`);
    },
  );

  it("as well where the disk had no room for the seal when the home stopped", () => {
    const key = join(folder, "kms", "keys.json");
    mkdirSync(dirname(key));
    writeFileSync(key, '{"key":"AAAA"}');
    lockData(folder, "scouts up")();
    const release = lockData(folder, "scouts up");
    const inTheWay = join(folder, "seal.json.new");
    mkdirSync(inTheWay);
    release();
    rmSync(inTheWay, { recursive: true });
    writeFileSync(key, '{"key":"ABAA"}');
    expect(() => lockData(folder, "scouts up")).toThrow(`${key} is damaged`);
  });

  it("a key that was added is none of that, nor what is written again and again", () => {
    const copy = killedWith("kms/keys.json", '{"key":"AAAA"}', '{"key":"AAAA","more":"BBBB"}');
    lockData(copy, "scouts up")();
    rmSync(folder, { recursive: true });
    const other = killedWith("mailbox/0a/watched.json", '{"path":"/a"}', '{"path":"/b"}');
    lockData(other, "scouts up")();
  });
});

describe("D8: doctor looks at what a home left", () => {
  const home = async () => {
    const { stdout } = await scoutsHere(["doctor", "--json", "--data", folder]);
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "home");
  };
  const names = () => readdirSync(folder, { recursive: true }).sort();

  it.each(["world", "cloud"])("and says of %s, where nobody has it, what the next start refuses", async (part) => {
    const kept = join(folder, part, "kept");
    const release = lockData(join(folder, part), "scouts up");
    writeFileSync(kept, "one");
    release();
    expect(await home()).toMatchObject({ state: "note", code: "home_none" });
    writeFileSync(kept, "two");
    const before = names();
    expect(await home()).toMatchObject({
      state: "fail",
      detail: expect.stringMatching(/kept is damaged.*Restore the whole data folder.*seal\.json/),
    });
    expect(names(), "and leaves it to be refused").toEqual(before);
    rmSync(join(folder, part, "seal.json"));
    expect(await home()).toMatchObject({ state: "note", code: "home_none" });
  });

  it("and of a folder that cannot be written, as on a disk that can only be read, says all it looks at", async () => {
    mkdirSync(join(folder, "world", "lock.kernel"), { recursive: true });
    expect(() => lockData(join(folder, "world"), "scouts up")).toThrow(/world cannot be written/);
    expect(await home()).toMatchObject({ state: "fail", detail: expect.stringContaining("world cannot be written") });
  });

  it("but not while a home has it, whose files are others from moment to moment", async () => {
    const release = lockData(join(folder, "cloud"), "scouts up");
    writeFileSync(join(folder, "cloud", "kept"), "one");
    release();
    const again = lockData(join(folder, "cloud"), "scouts up");
    rmSync(join(folder, "cloud", "kept"));
    expect(await home()).toMatchObject({ code: "home_none" });
    again();
  });
});

/** On the first port from `port` that is free. */
async function listenFrom(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return port;
  } catch {
    // Another test's.
    return listenFrom(server, port + 1);
  }
}

describe("D8: who a home's person is", () => {
  const world = () => join(folder, "world");

  it("is made once and kept, whatever becomes of the port", async () => {
    const made = await readIdentity(world(), () => 0.5);
    expect(made).toEqual({ issuer: `http://127.0.0.1:${made.port}`, port: made.port });
    writeFileSync(join(world(), "secrets.json"), "{}");
    expect(await readIdentity(world(), () => 0.9)).toEqual(made);
  });

  it("is named by a port that nobody listens on", async () => {
    const other = createServer();
    onTestFinished(() => void other.close());
    const taken = await listenFrom(other, 21_000);
    const draws = [taken, taken, taken + 1, taken + 2, taken + 3];
    const { port } = await readIdentity(world(), () => ((draws.shift() ?? 29_999) - 20_000) / 10_000);
    expect(port).toBeGreaterThan(taken);
  });

  it("is not called missing where an earlier version knew its person by a port", async () => {
    mkdirSync(world());
    writeFileSync(join(world(), "ports.json"), '{"issuer":24973}');
    writeFileSync(join(world(), "secrets.json"), "{}");
    await expect(readIdentity(world())).rejects.toThrow(
      /is the home of an earlier version.*another data folder with --data/,
    );
    expect(existsSync(join(world(), "identity.json"))).toBe(false);
  });

  it.each(["", "{", '{"issuer":"x"}', '{"issuer":0}'])("is never made anew over what is damaged: %s", async (text) => {
    mkdirSync(world());
    writeFileSync(join(world(), "identity.json"), text);
    await expect(readIdentity(world())).rejects.toThrow(/identity\.json is damaged\. Restore it/);
  });
});
