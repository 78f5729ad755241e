import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import { writeCredentials } from "../../device/connect/credentials.ts";
import { deployedHome } from "../../device/connect/deployed-home.ts";
import { localHome } from "../../device/connect/local-home.ts";
import { ticketedAddress } from "../../device/connection/ticket.ts";
import { deviceId } from "../../events/ids.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { newId } from "../memory/chance.ts";
import { temporaryFolder } from "./setting.ts";

/** A home and its issuer: its API takes the token that was given last and no other, and none at all when `isClosed`. */
async function home() {
  const state = { given: 0, asked: 0, isClosed: false };
  const socketUrl = "ws://127.0.0.1:1/socket";
  const server = await serveLoopback(({ url, headers }) => {
    if (url.pathname === "/token") {
      state.given += 1;
      return json(200, { access_token: `t${state.given}`, token_type: "Bearer", expires_in: 3_600 });
    }
    state.asked += 1;
    if (state.isClosed || headers.authorization !== `Bearer t${state.given}`) {
      return json(401, { message: "Unauthorized" });
    }
    return json(200, { ticket: "one", expiresInSeconds: 30, socketUrl });
  });
  onTestFinished(() => server.close());
  return { state, url: server.url };
}
type Home = Awaited<ReturnType<typeof home>>;

const signedInAtMs = Date.UTC(2026, 10, 27);

function local({ url }: Home): CloudApi {
  const dataFolder = temporaryFolder();
  onTestFinished(
    announce(dataFolder, { apiUrl: url, tokenUrl: `${url}/token`, clientId: "owner", clientSecret: "secret" }),
  );
  // The clock of a machine that sleeps stands still.
  return localHome(dataFolder, () => 0);
}

function deployed({ url }: Home, nowMs: () => number): CloudApi {
  const dataFolder = temporaryFolder();
  writeCredentials(dataFolder, {
    v: 1,
    apiUrl: url,
    issuer: url,
    clientId: "scouts-cli",
    audience: null,
    scope: "openid offline_access",
    tokenEndpoint: `${url}/token`,
    revocationEndpoint: null,
    accessToken: "t0",
    expiresAt: signedInAtMs + 3_600_000,
    issuedAt: signedInAtMs,
    refreshToken: "again",
  });
  return deployedHome(dataFolder, nowMs);
}

const ask = (api: CloudApi) => askCloud(api, "GET", "/api/v1/things", z.looseObject({}));

test("a device whose machine slept past the end of its token asks for another one at once, by itself", async () => {
  const there = await home();
  const api = local(there);
  await ask(api);
  there.state.given += 1;
  const signal = new AbortController().signal;
  expect(await ticketedAddress(api, deviceId.parse(`dev_${newId()}`), signal)).toContain("ticket=one");
  there.state.given += 1;
  await ask(api);
});

test("a device whose clock was set back asks for another token when the home takes its own no more", async () => {
  const there = await home();
  const api = deployed(there, () => signedInAtMs + 1_800_000);
  there.state.given = 1;
  await ask(api);
  expect(there.state).toMatchObject({ given: 2, asked: 2 });
});

test("of a home that takes no token of this person none is asked for again and again", async () => {
  const there = await home();
  let nowMs = signedInAtMs + 1_800_000;
  const api = deployed(there, () => nowMs);
  there.state.isClosed = true;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(ask(api)).rejects.toMatchObject({ code: "request_refused", data: { status: 401 } });
    nowMs += 1_000;
  }
  expect(there.state.given).toBe(1);
});
