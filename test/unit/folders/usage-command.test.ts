import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import type { UsageResponse } from "../../../events/http/usage.ts";
import { Screen } from "../../device/screen.ts";
import { project } from "./setting.ts";

const within = [{ id: project as string, tokens: 95_000 }];

const usage: UsageResponse = {
  tier: "free",
  month: "2026-11",
  resetsAt: Date.UTC(2026, 11, 1),
  features: [
    { feature: "triage", used: 0, committed: 0, limit: null, within: [] },
    {
      feature: "folder_index",
      used: 90_000,
      committed: 95_000,
      limit: 100_000,
      within,
    },
  ],
};

const past: NonNullable<UsageResponse["past"]> = [
  { month: "2026-10", features: [{ feature: "folder_index", used: 12_345, within: [] }] },
];

/** What a home says of which it cannot read all. */
const torn: UsageResponse = {
  ...usage,
  tier: "unknown",
  features: usage.features.slice(0, 1),
  damaged: ["account", "agents"],
  past: past.map((month) => ({ ...month, damaged: ["triage"] })),
};
let damaged = false;

let server: Server;
let folder: string;
beforeAll(async () => {
  // A home's issuer and API, as far as this command asks.
  server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const isAsked =
      /^\/api\/v1\/usage(?:\?months=2)?$/.test(request.url ?? "") && request.headers.authorization === "Bearer token";
    const whole = request.url?.endsWith("months=2") ? { ...usage, past } : usage;
    const answer = damaged ? torn : whole;
    response.end(JSON.stringify(request.url === "/token" ? { access_token: "token" } : isAsked ? answer : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  folder = mkdtempSync(path.join(tmpdir(), "usage-"));
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: folder });
  within.push({ id: store.projects.add("Garden").id, tokens: 1_234 }, { id: "home", tokens: 567 });
  store.close();
  const url = `http://127.0.0.1:${port}`;
  const presence = { v: 1, apiUrl: url, tokenUrl: `${url}/token`, clientId: "owner", clientSecret: "s" };
  const check = crc32(JSON.stringify(presence));
  writeFileSync(path.join(folder, "home.json"), JSON.stringify({ ...presence, check }));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function scouts(words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: folder, ...systemTimeAndIds };
  const code = await runCommand([...words, "--data", folder], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

test("scouts usage shows the month: used, set aside, limit and share, and what took it", async () => {
  const { code, stdout, stderr } = await scouts(["usage"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("2026-11  free, until 2026-12-01");
  expect(stdout).toMatch(/triage +0 +0 +none\n/);
  expect(stdout).toMatch(/folders +90,000 +5,000 +100,000 +95%/);
  expect(stdout).toMatch(new RegExp(`folders +95,000 +${project}`));
});

test("scouts usage calls each scout, project and agent as the device and the page do; an id is left of what is not known here", async () => {
  const { stdout } = await scouts(["usage"]);
  expect(stdout).toMatch(/folders +1,234 +Garden\n/);
  expect(stdout).toMatch(/folders +567 +questions\n/);
});

test("scouts usage names what its home cannot read, and shows the rest", async () => {
  damaged = true;
  const { code, stdout } = await scouts(["usage", "--months", "2"]);
  damaged = false;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^2026-11 {2}unknown/);
  expect(stdout).toMatch(/triage +0 +0 +not known\n/);
  expect(stdout).toMatch(/^plan: A row of the store cannot be read.*\(row_damaged\)$/m);
  expect(stdout).toMatch(/^agents: A row of the store cannot be read.*\(row_damaged\)$/m);
  expect(stdout).toMatch(/MONTH +TRIAGE +FOLDERS\n2026-10 +not known +12,345\n/);
});

test("scouts usage --json is the answer itself", async () => {
  expect(JSON.parse((await scouts(["usage", "--json"])).stdout)).toEqual(usage);
});

test("scouts usage --months has a row for each month before", async () => {
  const { code, stdout } = await scouts(["usage", "--months", "2"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/MONTH +FOLDERS\n2026-10 +12,345\n/);
  expect((await scouts(["usage", "--months", "14"])).code).toBe(2);
});
