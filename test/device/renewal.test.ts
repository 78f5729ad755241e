import { mkdirSync, readdirSync, rmdirSync, utimesSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readCredentials, removeCredentials, writeCredentials } from "../../device/connect/credentials.ts";
import { deployedHome } from "../../device/connect/deployed-home.ts";
import { serveLoopback } from "../../infra/standins/loopback-server.ts";
import { temporaryFolder } from "./setting.ts";

/** Credentials whose access token has ended, and an issuer that answers each use of a refresh token as it is told. */
async function endedSignIn(answers: (uses: number) => Promise<void> | void) {
  const dataFolder = temporaryFolder();
  const used: string[] = [];
  const server = await serveLoopback(async ({ url, body }) => {
    if (url.pathname !== "/token") return { status: 200, body: "{}" };
    const token = new URLSearchParams(body.toString()).get("refresh_token") ?? "";
    await answers(used.push(token));
    const answer = { access_token: "fresh", token_type: "Bearer", expires_in: 3_600, refresh_token: `${token}+` };
    return { status: 200, body: JSON.stringify(answer) };
  });
  onTestFinished(() => server.close());
  writeCredentials(dataFolder, {
    v: 1,
    apiUrl: "http://127.0.0.1:1/",
    issuer: server.url,
    clientId: "scouts-cli",
    audience: null,
    scope: "openid offline_access",
    tokenEndpoint: `${server.url}/token`,
    revocationEndpoint: null,
    accessToken: "ended",
    expiresAt: 0,
    refreshToken: "once",
  });
  return { dataFolder, used, otherAddress: `${server.url}/other` };
}

test("P2: however long a renewal takes, as on a laptop that was suspended, no other process uses the refresh token", async () => {
  const others: Promise<string>[] = [];
  const { dataFolder, used, otherAddress } = await endedSignIn(async () => {
    const locks = readdirSync(path.join(dataFolder, "device")).filter((name) => name.endsWith(".lock"));
    for (const name of locks) utimesSync(path.join(dataFolder, "device", name), 1, 1);
    for (let other = 0; other < 2; other += 1) others.push(deployedHome(dataFolder, Date.now).auth());
    // Whatever they ask the issuer at once has arrived before this.
    await fetch(otherAddress);
  });
  expect(await deployedHome(dataFolder, Date.now).auth()).toBe("fresh");
  expect(await Promise.all(others)).toEqual(["fresh", "fresh"]);
  expect(used).toEqual(["once"]);
});

test.each([
  ["while a token is renewed", 0],
  ["before one is asked for", Number.MAX_SAFE_INTEGER],
])(
  "a token is for its own home alone: of another one that was signed in to %s nothing is told to the first",
  async (_, expiresAt) => {
    const other = { apiUrl: "http://127.0.0.1:2/", accessToken: "of the other", refreshToken: "other" };
    const signIn = () => {
      const known = readCredentials(dataFolder);
      if (known) writeCredentials(dataFolder, { ...known, ...other, expiresAt });
    };
    const { dataFolder } = await endedSignIn(signIn);
    const home = deployedHome(dataFolder, Date.now);
    if (expiresAt > 0) signIn();
    await expect(home.auth()).rejects.toMatchObject({
      code: "login_needed",
      message: expect.stringContaining(other.apiUrl),
    });
    expect(readCredentials(dataFolder)).toMatchObject(other);
  },
);

test.each([
  ["signed out", undefined, { code: "login_needed" }],
  ["signed in anew", "new", "new"],
])("who has %s while a token is renewed stays so", async (_, accessToken, became) => {
  const { dataFolder } = await endedSignIn(() => {
    const known = readCredentials(dataFolder);
    removeCredentials(dataFolder);
    if (known && accessToken) writeCredentials(dataFolder, { ...known, accessToken, refreshToken: "other" });
  });
  const asked = deployedHome(dataFolder, Date.now).auth();
  if (typeof became === "string") expect(await asked).toBe(became);
  else await expect(asked).rejects.toMatchObject(became);
  expect(readCredentials(dataFolder)?.accessToken).toBe(accessToken);
});

test("nothing lost: a refresh token that is good once is not used where the next one cannot be kept, as on a full disk", async () => {
  const { dataFolder, used } = await endedSignIn(() => {});
  // Where the file is written first.
  const inTheWay = path.join(dataFolder, "device", `credentials.json.room.${process.pid}`);
  mkdirSync(inTheWay);
  const { auth } = deployedHome(dataFolder, Date.now);
  await expect(auth()).rejects.toMatchObject({ code: "folder_unusable" });
  expect(used).toEqual([]);
  rmdirSync(inTheWay);
  expect(await auth()).toBe("fresh");
});
