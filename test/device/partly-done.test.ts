import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { writeCredentials } from "../../device/connect/credentials.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { type HttpAnswer, type HttpRequest, json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

const scoutId = "sct_01JD0000000000000000000001";
const scout = {
  ...{ id: scoutId, name: "News", sourceType: "feed", purpose: "News.", connected: true, paused: false },
  ...{ autoTrash: false, mutedSenders: 0, pauseAfterDays: 14, schedule: null, disabledCode: null, restingSince: null },
  ...{ createdAt: 1, lastRunAt: null, nextRunAt: null },
};

const refusal = (code: string) => ({ error: { code, message: "No.", data: {}, requestId: "r" } });

/** The command line on a data folder that is signed in to a home that answers so. */
async function signedIn(answer: (request: HttpRequest) => HttpAnswer) {
  const server = await serveLoopback(answer);
  onTestFinished(() => server.close());
  const data = temporaryFolder();
  openDeviceStore({ ...systemTimeAndIds, dataFolder: data }).close();
  writeCredentials(data, {
    ...{ v: 1, apiUrl: server.url, issuer: server.url, clientId: "c", audience: null, scope: "openid" },
    ...{ tokenEndpoint: server.url, revocationEndpoint: null, accessToken: "t", refreshToken: null },
    ...{ issuedAt: Date.now(), expiresAt: Date.now() + 3_600_000 },
  });
  return async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const base = { io, environment: readEnvironment({}), workingFolder: data, ...systemTimeAndIds };
    const code = await runCommand([...words, "--data", data], base, "1");
    return { code, stdout: stdout.written, stderr: stderr.written };
  };
}

test("restore of several with --json says which were restored before one could not be", async () => {
  const item = { reasonCode: "muted", confidence: 1, triagedAt: 1, trashedAt: null, keptBecause: null };
  const scouts = await signedIn(({ url }) => {
    if (url.pathname.endsWith("/abcd1111/restore")) return { status: 204 };
    if (url.pathname.endsWith("/restore")) return json(404, refusal("proposal_not_found"));
    if (url.pathname.endsWith("/spam")) return json(200, { items: [{ ref: "abcd1111", ...item }], nextCursor: null });
    return json(200, { scouts: [scout], nextCursor: null });
  });
  const { code, stdout } = await scouts("restore", "abcd1111", "nothing", "--json");
  expect(code).toBe(3);
  const [done, failure] = stdout.split(/^(?=\{)/m).map((each) => JSON.parse(each));
  expect(done).toEqual({ restored: ["abcd1111"] });
  expect(failure).toMatchObject({ success: false, code: "item_unknown" });
});

test("a source that is made and cannot be looked at once more is added all the same, as it was seen", async () => {
  const sees = {
    ...{ place: "News", folders: [], missing: [], items: 3, unread: null, pollEveryMs: 900_000 },
    ...{ push: "soon", pushCode: null },
  };
  const scouts = await signedIn(({ method, url }) => {
    if (url.pathname.endsWith("/sees")) return json(502, refusal("source_unavailable"));
    if (method === "PATCH") return json(200, scout);
    if (method === "POST") return json(201, { ...scout, sees });
    return json(200, { scouts: [], nextCursor: null });
  });
  const { code, stdout } = await scouts("add", "feed", "https://example.org/feed", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ scoutId, sees: { items: 3 } });
});

test("where a folder is signed in, a damaged word of another home is none of its business", async () => {
  const scouts = await signedIn(({ url }) =>
    url.pathname.endsWith("/scouts") ? json(200, { scouts: [scout], nextCursor: null }) : json(503, {}),
  );
  const data = (await scouts("status", "--json")).stdout;
  writeFileSync(join(JSON.parse(data).dataFolder, "device", "home-folder.json"), "{");
  expect(await scouts("status")).toMatchObject({ code: 0, stderr: "" });
  const { checks } = JSON.parse((await scouts("doctor", "--json")).stdout);
  expect(JSON.stringify(checks)).not.toContain("home-folder.json");
});
