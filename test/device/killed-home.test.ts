import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeCredentials } from "../../device/connect/credentials.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { scoutsHere } from "../e2e/program.ts";
import { temporaryFolder, temporaryStore } from "./setting.ts";

const about = {
  ...{ version: "1", dataFolder: "d", startedAt: 0, mail: "mailbox", queues: [] },
  model: { name: "m", address: null, state: { ok: true, code: null, status: null, known: [], probedAt: 0 } },
};

/** A device that was connected a moment ago, and the notice of the home it was connected to, which runs until it is stopped. */
async function connectedHome() {
  const dataFolder = temporaryFolder();
  const nowMs = systemTimeAndIds.now();
  temporaryStore(dataFolder).identity.update({ readyAt: nowMs, seenAt: nowMs });
  const server = await serveLoopback(() => json(200, about));
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
  const { url, stop, isConnected, home } = await connectedHome();
  expect([await isConnected(), (await home()).state]).toEqual([true, "ok"]);
  await stop();
  expect(await isConnected()).toBe(false);
  expect(await home()).toMatchObject({
    state: "fail",
    detail: expect.stringContaining(`none answers at ${url}`),
    advice: expect.stringMatching(/^Run `scouts up`/),
  });
});

test("where a home was stopped doctor does not say that there never was one", async () => {
  const { dataFolder, home } = await connectedHome();
  rmSync(join(dataFolder, "home.json"));
  expect(await home()).toMatchObject({ state: "note", detail: "none runs here" });
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
