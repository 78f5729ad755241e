import { once } from "node:events";
import { createServer } from "node:net";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { addressOf } from "../../device/connect/cloud-api.ts";
import { localHome } from "../../device/connect/local-home.ts";
import { ofOnePerson } from "../../device/connect/one-person.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { ownFolder } from "../e2e/folders.ts";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

/** A data folder whose home gives tokens as it is told to. */
async function homeThatAnswers(answer: () => { status: number; body: object }) {
  const folder = ownFolder();
  const server = await serveLoopback(() => {
    const { status, body } = answer();
    return json(status, body);
  });
  onTestFinished(async () => {
    await server.close();
    folder.remove();
  });
  const { url } = server;
  announce(folder.path, { apiUrl: url, tokenUrl: `${url}/token`, clientId: "owner", clientSecret: "secret" });
  return folder.path;
}

test("a home that is gone for a moment ends no program that waits for it; the next token is asked for anew", async () => {
  let isThere = false;
  const folder = await homeThatAnswers(() =>
    isThere ? { status: 200, body: { access_token: "t1" } } : { status: 503, body: {} },
  );
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  const { auth } = localHome(folder, Date.now);
  const gone = expect.objectContaining({ code: "home_not_running" });
  await expect(auth()).rejects.toEqual(gone);
  expect(await Promise.allSettled([auth(), auth()])).toEqual([
    { status: "rejected", reason: gone },
    { status: "rejected", reason: gone },
  ]);
  await setImmediate();
  expect(unheard).toEqual([]);
  isThere = true;
  expect(await auth()).toBe("t1");
});

test("of a home that takes no connection it is not said that none runs: another cannot be started beside it", async () => {
  const folder = ownFolder();
  const server = createServer((socket) => void socket.destroy());
  onTestFinished(() => {
    server.close();
    folder.remove();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const url = `http://127.0.0.1:${port}`;
  announce(folder.path, { apiUrl: url, tokenUrl: `${url}/token`, clientId: "owner", clientSecret: "secret" });
  await expect(localHome(folder.path, Date.now).auth()).rejects.toThrow(
    `The home on ${folder.path} (process ${process.pid}) takes no connection`,
  );
});

test("a token is asked for once, however many ask at the same time, and again after half its life", async () => {
  let given = 0;
  let nowMs = 0;
  const folder = await homeThatAnswers(() => {
    given += 1;
    return { status: 200, body: { access_token: `t${given}`, expires_in: 10 } };
  });
  const { auth } = localHome(folder, () => nowMs);
  expect(await Promise.all([auth(), auth()])).toEqual(["t1", "t1"]);
  nowMs = 4_999;
  expect(await auth()).toBe("t1");
  nowMs = 5_000;
  expect(await auth()).toBe("t2");
});

test("nothing silent: a home that has ended is said to be gone at once, also while its token is good", async () => {
  const folder = ownFolder();
  const server = await serveLoopback(() => json(200, { access_token: "t1" }));
  onTestFinished(async () => {
    await server.close();
    folder.remove();
  });
  const { url } = server;
  const home = { apiUrl: url, tokenUrl: `${url}/token`, clientId: "owner", clientSecret: "secret" };
  const takeBack = announce(folder.path, home);
  const { auth } = localHome(folder.path, Date.now);
  expect(await auth()).toBe("t1");
  takeBack();
  await expect(auth()).rejects.toMatchObject({ code: "home_not_running" });
  onTestFinished(announce(folder.path, home));
  expect(await auth()).toBe("t1");
});

test("P3: a device of a home on this machine finds it again where it is after a restart, and what was found meanwhile", async () => {
  const folder = ownFolder();
  onTestFinished(() => folder.remove());
  const issuer = await serveLoopback(() => json(200, { access_token: "t1" }));
  onTestFinished(() => issuer.close());
  const before = await startCloud();
  const at = { tokenUrl: `${issuer.url}/token`, clientId: "owner", clientSecret: "secret" };
  const takeBack = announce(folder.path, { apiUrl: before.url, ...at });
  const store = temporaryStore();
  const home = ofOnePerson(
    localHome(folder.path, () => 0),
    store,
  );
  const device = deviceOn(before, store, home);
  device.connect();
  await device.settled();

  const after = await startCloud();
  after.proposals.push(makeProposal(1));
  const arrived = once(device.events, "proposal");
  await before.stop();
  takeBack();
  onTestFinished(announce(folder.path, { apiUrl: after.url, ...at }));

  expect(await arrived).toMatchObject([{ id: makeProposal(1).id }]);
  const content = device.openContent();
  onTestFinished(() => content.close());
  await content.ready();
  expect(addressOf(home)).toBe(after.url);
});
