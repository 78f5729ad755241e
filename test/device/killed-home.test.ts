import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeCredentials } from "../../device/connect/credentials.ts";
import { askAboutHome } from "../../device/connect/local-home.ts";
import { isConnected } from "../../device/connection/is-connected.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { type HttpAnswer, json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { scoutsHere } from "../e2e/program.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const about = {
  ...{ version: "1", dataFolder: "d", startedAt: 0, mail: "mailbox", queues: [] },
  model: { name: "m", address: null, state: { ok: true, code: null, status: null, known: [], probedAt: 0 } },
};

/** A device that was connected a moment ago, and the notice of the home it was connected to, which runs until it is stopped. */
async function connectedHome(answer: () => HttpAnswer | Promise<HttpAnswer> = () => json(200, about)) {
  const dataFolder = temporaryFolder();
  const nowMs = systemTimeAndIds.now();
  temporaryStore(dataFolder).identity.update({ readyAt: nowMs, seenAt: nowMs });
  const server = await serveLoopback(() => answer());
  const stop = () => server.close();
  onTestFinished(stop);
  const { url } = server;
  const presence = { apiUrl: url, tokenUrl: `${url}/token`, clientId: "owner", clientSecret: "secret" };
  announce(dataFolder, { ...presence, aboutUrl: `${url}/about` });
  const isConnected = async () => {
    const { stdout } = await scoutsHere(["status", "--json", "--data", dataFolder]);
    return JSON.parse(stdout).connection.connected;
  };
  const home = async () => {
    const { stdout } = await scoutsHere(["doctor", "--json", "--data", dataFolder]);
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "home");
  };
  return { dataFolder, url, stop, isConnected, home };
}

test("of a home that was killed status does not say that it is connected, and doctor says to start it again", async () => {
  const { dataFolder, url, stop, isConnected, home } = await connectedHome();
  expect([await isConnected(), (await home()).state]).toEqual([true, "ok"]);
  await stop();
  expect(await isConnected()).toBe(false);
  expect(await home()).toMatchObject({
    state: "fail",
    detail: expect.stringContaining(`none answers at ${url}`),
    advice: expect.stringContaining(`Run \`scouts up --data ${dataFolder}\``),
  });
});

test("where a home was stopped doctor does not say that there never was one", async () => {
  const { dataFolder, home } = await connectedHome();
  rmSync(join(dataFolder, "home.json"));
  expect(await home()).toMatchObject({
    ...{ state: "note", detail: "none runs here" },
    advice: `Run \`scouts up --data ${dataFolder}\` or \`scouts login\`.`,
  });
});

test("a device that is signed in elsewhere is as connected as its database says", async () => {
  const { dataFolder, url, stop, isConnected, home } = await connectedHome();
  await stop();
  const tokens = { accessToken: "a", refreshToken: null, expiresAt: systemTimeAndIds.now() + 3_600_000 };
  const issuer = { issuer: url, audience: null, scope: "", tokenEndpoint: url, revocationEndpoint: null };
  writeCredentials(dataFolder, { v: 1, apiUrl: url, clientId: "c", ...issuer, ...tokens });
  expect(await isConnected()).toBe(true);
  expect(await home()).toMatchObject({ state: "fail", detail: `${new URL(url).origin} cannot be reached` });
});

/** A home that takes connections and answers nothing; every wait for it is over as soon as it was asked. */
async function hangingHome() {
  const waits: number[] = [];
  const asked = new Set<AbortController>();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    waits.push(ms);
    const wait = new AbortController();
    asked.add(wait);
    return wait.signal;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const never = Promise.withResolvers<HttpAnswer>();
  const home = await connectedHome(() => {
    for (const wait of asked) wait.abort(new DOMException("", "TimeoutError"));
    return never.promise;
  });
  onTestFinished(() => never.resolve(json(503, {})));
  return { ...home, waits };
}

test("a home that hangs keeps doctor and status waiting once, and not for as long as its model may take", async () => {
  const { home, isConnected, waits } = await hangingHome();
  expect(await home()).toMatchObject({ state: "fail", detail: expect.stringContaining("was killed, or hangs") });
  expect(waits).toEqual([10_000]);
  waits.length = 0;
  expect(await isConnected()).toBe(false);
  expect(waits).toEqual([10_000]);
});

test("status says why it is not connected where the home that ran here answers no more, and nothing of one that was stopped", async () => {
  const { dataFolder, stop } = await connectedHome();
  const status = async () => (await scoutsHere(["status", "--data", dataFolder])).stdout;
  const why = "The home that ran here does not answer: it was killed, or hangs.";
  expect(await status()).not.toContain(why);
  await stop();
  expect(await status()).toContain(why);
  const json = JSON.parse((await scoutsHere(["status", "--json", "--data", dataFolder])).stdout);
  expect(json).toMatchObject({ connection: { connected: false }, isHomeSilent: true });
  rmSync(join(dataFolder, "home.json"));
  expect(await status()).not.toContain(why);
  mkdirSync(join(dataFolder, "cloud"), { recursive: true });
  expect(await status()).toContain(`No home runs here; \`scouts up --data ${dataFolder}\` starts it again.`);
});

test("a command says of a home that hangs that it does not answer, and not that none runs", async () => {
  const { dataFolder } = await hangingHome();
  const { stderr, code } = await scoutsHere(["list", "--data", dataFolder]);
  expect(code).toBe(4);
  expect(stderr).toContain(`The home on ${dataFolder} (process ${process.pid}) has not answered within 10 s`);
});

test("on a copy of the folder of a home that runs no home runs; where the folder is moved, it still does", async () => {
  const { dataFolder } = await connectedHome();
  const [copy, moved] = [`${dataFolder}-copy`, `${dataFolder}-moved`];
  cpSync(dataFolder, copy, { recursive: true, preserveTimestamps: true });
  const runsOn = async (folder: string) => (await askAboutHome(folder)) !== undefined;
  expect([await runsOn(dataFolder), await runsOn(copy)]).toEqual([true, false]);
  const { stderr } = await scoutsHere(["list", "--data", copy]);
  expect(stderr).toContain(`No home is running on ${copy}`);
  const doctor = await scoutsHere(["doctor", "--json", "--data", copy]);
  expect(JSON.parse(doctor.stdout).checks).toContainEqual(expect.objectContaining({ name: "home", code: "home_none" }));
  renameSync(dataFolder, moved);
  onTestFinished(() => {
    for (const folder of [copy, moved]) rmSync(folder, { recursive: true, force: true });
  });
  expect(await runsOn(moved)).toBe(true);
});

test("a device that was killed while the clock was ahead counts as gone when the clock is right", () => {
  const nowMs = Date.UTC(2026, 10, 27);
  const seenAt = nowMs + 365 * 86_400_000;
  expect(isConnected({ readyAt: seenAt, seenAt }, seenAt + 1_000)).toBe(true);
  expect(isConnected({ readyAt: seenAt, seenAt }, nowMs)).toBe(false);
  expect(isConnected({ readyAt: nowMs, seenAt: nowMs + 2_000 }, nowMs)).toBe(true);
});
