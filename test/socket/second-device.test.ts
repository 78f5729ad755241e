import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "../device/screen.ts";
import { temporaryFolder } from "../device/setting.ts";
import { type DeliveryHome, startDeliveryHome } from "./home.ts";

const timeoutMs = 240_000;
let home: DeliveryHome;
let second: string;
beforeAll(async () => {
  home = await startDeliveryHome();
  second = mkdtempSync(path.join(tmpdir(), "scouts-second-"));
  const person = await home.person("owner");
  await home.propose(person, home.deliver(1));
  const connected = await scouts("connect", "--once", "--home", home.dataFolder, "--data", second);
  expect(connected, connected.stderr).toMatchObject({ code: 0 });
}, timeoutMs);
afterAll(async () => {
  await home.close();
  rmSync(second, { recursive: true, force: true });
}, timeoutMs);

/** One command line in this process. */
async function scouts(...words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: tmpdir(), ...systemTimeAndIds };
  const code = await runCommand(words, context, "1");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

test("commands on a second device's folder find the home that it is a device of, and it comes back without being told where", async () => {
  const listed = await scouts("list", "--json", "--data", second);
  expect(listed, listed.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: home.owner.scoutId }]);
  const again = await scouts("connect", "--once", "--data", second);
  expect(again, again.stderr).toMatchObject({ code: 0 });
  const known = await scouts("devices", "--json", "--data", second);
  expect(JSON.parse(known.stdout).pairing.commands[0]).toContain(`scouts connect --home ${home.dataFolder} `);
  const { checks } = JSON.parse((await scouts("doctor", "--json", "--data", second)).stdout);
  expect(checks).toContainEqual(expect.objectContaining({ name: "home", state: "ok" }));
});

test("P4: nothing is proposed twice: no home of its own is started in a second device's folder, nor is a home's folder another's device", async () => {
  const up = await scouts("up", "--once", "--data", second);
  expect(up.code).not.toBe(0);
  expect(up.stderr).toContain("(home_other)");
  expect(up.stderr).toContain(`scouts up --data ${home.dataFolder}`);
  const another = temporaryFolder();
  const joined = await scouts("connect", "--once", "--home", another, "--data", home.dataFolder);
  expect(joined.stderr).toContain("(home_other)");
});

test("a word of the home that cannot be read is told with how it is said anew, by commands and by the doctor", async () => {
  const file = path.join(second, "device", "home-folder.json");
  writeFileSync(file, "{");
  const listed = await scouts("list", "--data", second);
  expect(listed.stderr).toContain("(folder_unusable)");
  expect(listed.stderr).toContain(`scouts connect --data ${second} --home`);
  const { checks } = JSON.parse((await scouts("doctor", "--json", "--data", second)).stdout);
  expect(checks).toContainEqual(expect.objectContaining({ name: "home", state: "fail" }));
  expect(await scouts("status", "--data", second)).not.toMatchObject({ code: 0 });
  expect(await scouts("connect", "--once", "--home", home.dataFolder, "--data", second)).toMatchObject({ code: 0 });
  expect(await scouts("list", "--data", second)).toMatchObject({ code: 0 });
});
