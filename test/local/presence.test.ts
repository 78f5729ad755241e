import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startExternalServices } from "../../infra/local/world/external-services.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";
import { startFixture } from "./start-fixture.ts";

let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), "scouts-presence-"));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
});

const word = {
  apiUrl: "http://127.0.0.1:1",
  tokenUrl: "http://127.0.0.1:1/token",
  clientId: "owner",
  clientSecret: "s",
};
const isThere = () => existsSync(join(dataFolder, "home.json"));

test("the word of a home that was killed is gone before the next one's issuer answers", async () => {
  announce(dataFolder, word);
  const services = await startExternalServices(
    { dataFolder, environment: {}, now: Date.now },
    "projects/local/subscriptions/mail",
  );
  onTestFinished(() => services.close());
  expect(isThere()).toBe(false);
});

test("a start that is refused, because a home runs on the folder, leaves that home's word", async () => {
  const options = [{ dataFolder, environment: {}, now: Date.now }, "projects/local/subscriptions/mail"] as const;
  const services = await startExternalServices(...options);
  onTestFinished(() => services.close());
  const withdraw = announce(dataFolder, word);
  await expect(startExternalServices(...options)).rejects.toMatchObject({ code: "data_in_use" });
  expect(isThere()).toBe(true);
  withdraw();
  expect(isThere()).toBe(false);
});

test("what a home keeps is for its owner's eyes only, also where it was open to others before", async () => {
  mkdirSync(join(dataFolder, "cloud"), { mode: 0o755 });
  await using _ = await startFixture({ dataDir: dataFolder });
  const mailbox = openMailboxDatabase(join(dataFolder, "world"));
  onTestFinished(() => mailbox.close());
  announce(dataFolder, word);
  const modes = ["cloud", "cloud/dynamodb", "cloud/logs"].map((name) => statSync(join(dataFolder, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o700]);
  const files = readdirSync(dataFolder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(db|sqlite)(-\w+)?$/.test(name),
  );
  expect(files).toEqual(expect.arrayContaining(["cloud/fauxqs.db", "cloud/fauxqs.db-wal", "world/mailbox.sqlite"]));
  expect(files.filter((name) => (statSync(join(dataFolder, name)).mode & 0o077) !== 0)).toEqual([]);
  expect(statSync(join(dataFolder, "home.json")).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(dataFolder, "home.json"), "utf8"))).toMatchObject({ clientSecret: "s" });
});

test("a home that ends by an error nobody could catch, as of a full disk, leaves no word: commands would wait for it", async () => {
  const module = new URL("../../infra/local/world/presence.ts", import.meta.url).href;
  const code = `
    const { announce } = await import(${JSON.stringify(module)});
    process.on("uncaughtException", () => process.exit(4));
    announce(${JSON.stringify(dataFolder)}, ${JSON.stringify(word)});
    console.log((await import("node:fs")).existsSync(${JSON.stringify(join(dataFolder, "home.json"))}));
    setImmediate(() => { throw new Error("no space left"); });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [said, [exitCode]] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect([said.trim(), exitCode]).toEqual(["true", 4]);
  expect(isThere()).toBe(false);
});

/** Where this user may mount in a room of its own. */
const ofItsOwn = (...words: readonly string[]) => spawnSync("unshare", ["-rm", ...words], { encoding: "utf8" });
const mayMount = ofItsOwn("mount", "-t", "tmpfs", "-o", "ro", "none", tmpdir()).status === 0;

test.skipIf(!mayMount)(
  "a home whose disk can only be read any more ends with its own word, and none of what it leaves there",
  () => {
    const program = `
    import { execFileSync } from "node:child_process";
    import { announce } from ${JSON.stringify(new URL("../../infra/local/world/presence.ts", import.meta.url).href)};
    const folder = ${JSON.stringify(dataFolder)};
    announce(folder, ${JSON.stringify(word)});
    execFileSync("mount", ["--bind", folder, folder]);
    execFileSync("mount", ["-o", "remount,bind,ro", folder]);
    process.exit(4);
  `;
    const { status, stderr } = ofItsOwn(process.execPath, "--input-type=module", "-e", program);
    expect({ status, stderr }).toEqual({ status: 4, stderr: "" });
  },
);
