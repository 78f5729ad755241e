import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { writeCredentials } from "../../device/connect/credentials.ts";
import { DeviceError } from "../../device/errors.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { contentOn, oneSession } from "./content/setting.ts";
import { Screen } from "./screen.ts";
import { startCloud, temporaryFolder } from "./setting.ts";

/** What a program writes, line by line; one that is waited for is heard of when it comes. */
class Heard extends Screen {
  #waiting: { readonly pattern: RegExp; readonly heard: () => void }[] = [];

  /** Resolves when it has written such a thing. */
  of(pattern: RegExp): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ pattern, heard: resolve });
    return promise;
  }

  override _write(chunk: Buffer, encoding: string, done: () => void): void {
    super._write(chunk, encoding, done);
    for (const { pattern, heard } of this.#waiting) if (pattern.test(this.written)) heard();
  }
}

/** A data folder whose token has ended, a home, and an issuer that answers as it is told. */
async function signedIn(answer: () => { status: number; body: object }) {
  const cloud = await startCloud();
  oneSession(cloud);
  const issuer = await serveLoopback(() => {
    const { status, body } = answer();
    return json(status, body);
  });
  onTestFinished(() => issuer.close());
  const dataFolder = temporaryFolder();
  writeCredentials(dataFolder, {
    v: 1,
    apiUrl: cloud.url,
    issuer: issuer.url,
    clientId: "scouts-cli",
    audience: null,
    scope: "openid offline_access",
    tokenEndpoint: `${issuer.url}/token`,
    revocationEndpoint: null,
    accessToken: "ended",
    expiresAt: 0,
    refreshToken: "again",
  });
  return { dataFolder, cloud };
}

/** `scouts connect` in this process. */
function connect(dataFolder: string, ...more: string[]) {
  const stop = new AbortController();
  const stdout = new Heard();
  const stderr = new Heard();
  const io = { stdout, stderr, isTTY: false, color: false, signal: stop.signal };
  const context = { io, environment: readEnvironment({}), workingFolder: dataFolder, ...systemTimeAndIds };
  const ended = runCommand(["connect", "--data", dataFolder, ...more], context, "1");
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { stdout, stderr, ended, stop };
}

const refreshed = { access_token: "fresh", token_type: "Bearer", expires_in: 3_600 };

test("a device that is started before the network is there says so, and connects when it is", async () => {
  let isThere = false;
  const { dataFolder } = await signedIn(() => (isThere ? { status: 200, body: refreshed } : { status: 503, body: {} }));
  const { stdout, stderr, ended, stop } = connect(dataFolder);
  await Promise.race([stderr.of(/\(issuer_unusable\)/), ended]);
  isThere = true;
  await Promise.race([stdout.of(/^connected$/m), ended]);
  stop.abort();
  expect(await ended).toBe(0);
  expect(stdout.written).toMatch(/^connected$/m);
});

test("a device whose clock is wrong says so once it is connected, and once only", async () => {
  const { dataFolder, cloud } = await signedIn(() => ({ status: 200, body: refreshed }));
  cloud.serverTime = () => Date.now() - 3_600_000;
  const { stdout, stderr, ended, stop } = connect(dataFolder);
  await Promise.race([stderr.of(/clock is 1 h ahead of its home's: .* Set this machine's clock/), ended]);
  for (const connection of cloud.connections) connection.cut();
  await Promise.race([stdout.of(/^connected$[\s\S]*^connected$/m), ended]);
  stop.abort();
  expect(await ended).toBe(0);
  expect(stderr.written.match(/clock is/g)).toHaveLength(1);
});

test("a device that has to be signed in to again says so and ends, and so does one that only fetches", async () => {
  const { dataFolder } = await signedIn(() => ({ status: 400, body: { error: "invalid_grant" } }));
  expect(await connect(dataFolder).ended).toBe(4);
  const { dataFolder: offline } = await signedIn(() => ({ status: 503, body: {} }));
  expect(await connect(offline, "--once").ended).toBe(1);
});

test("work on content outlasts an issuer that is away for a moment", async () => {
  const cloud = await startCloud();
  oneSession(cloud);
  let asked = 0;
  const auth = async () => {
    asked += 1;
    if (asked === 1) throw new DeviceError("issuer_unusable");
    return "token";
  };
  expect(await contentOn(cloud, { auth }).ready()).toBeTypeOf("string");
});
