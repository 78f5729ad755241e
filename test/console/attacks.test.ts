import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { takeLaunch } from "../../device/console/entrance/launch-codes.ts";
import { consoleFolder } from "../../device/console/presence.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { foreignHeaders, send } from "../doors/foreign-requests.ts";
import { startConsole } from "./setting.ts";

const list = `/api/proposals/${makeProposal(1).id}`;

describe("P1: who may read the console", () => {
  it("is a tab with a token, and nobody without one", async () => {
    const { ask, token } = await startConsole();
    expect((await ask("GET", list, { token: await token() })).status).toBe(200);
    const guess = "A".repeat(43);
    for (const path of [list, "/api/scouts", "/api/events?after=x.0", "/api/nothing", `/api/items/${"x".repeat(9)}`]) {
      for (const given of [{}, { token: guess }, { token: "short" }]) {
        const answer = await ask("GET", path, given);
        expect(answer.status, path).toBe(401);
        expect(await answer.text()).not.toContain("Subject");
      }
    }
  });

  it("is no page or name of others, even with a good token", async () => {
    const { port, token } = await startConsole();
    const authorization = `Bearer ${await token()}`;
    for (const [who, headers] of foreignHeaders(port)) {
      for (const [method, path] of [
        ["GET", list],
        ["OPTIONS", list],
        ["POST", "/api/session"],
        ["GET", "/"],
      ] as const) {
        const answer = await send(port, { method, path, headers: { ...headers, authorization } });
        expect(answer.status, `${method} ${path} of ${who}`).toBe(403);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
        expect(answer.body).not.toContain("Subject");
      }
    }
  });

  it("is no page that a link leads to the API from, while one may lead to the page", async () => {
    const { port } = await startConsole();
    const host = `127.0.0.1:${port}`;
    const link = { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await send(port, { path: list, headers: link })).status).toBe(403);
    expect((await send(port, { path: "/", headers: link })).status).not.toBe(403);
  });

  it("is told in every answer that nothing is kept, framed, or taken for markup", async () => {
    const { ask, token } = await startConsole();
    for (const answer of [
      await ask("GET", "/"),
      await ask("GET", list),
      await ask("GET", list, { token: await token() }),
    ]) {
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });

  it("is asked each thing once: of two no one is passed over in silence", async () => {
    const { ask, token } = await startConsole();
    const tab = { token: await token() };
    for (const path of ["/api/events?after=x.0&after=x.1", "/api/scouts?a=1&a=2", "/v1/files?limit=5&limit=9"]) {
      const answer = await ask("GET", path, tab);
      expect(answer.status, path).toBe(400);
      expect(await answer.json(), path).toEqual({
        error: {
          code: "invalid_request",
          message: expect.stringMatching(/^The address says "(after|a|limit)" more than once; say it once\.$/),
        },
      });
    }
    expect((await ask("GET", "/v1/files?globs=a&globs=b", tab)).status).toBe(200);
    expect((await ask("GET", "/?a=1&a=2")).status).not.toBe(400);
  });

  it("sends little at once, and says how much", async () => {
    const { port, ask } = await startConsole();
    expect((await ask("POST", "/api/session", { body: { code: "A".repeat(40_000) } })).status).toBe(413);
    const headers = { host: `127.0.0.1:${port}`, "transfer-encoding": "chunked" };
    expect((await send(port, { method: "POST", path: "/api/session", headers, body: "{}" })).status).toBe(413);
  });

  it("gets no file beside the page's own", async () => {
    const { port } = await startConsole();
    for (const path of [
      "/../serve.ts",
      "/..%2fserve.ts",
      "/assets/../../vite.config.ts",
      "/main.tsx",
      "/index.html%00.js",
    ]) {
      const { body } = await send(port, { path, headers: { host: `127.0.0.1:${port}` } });
      expect(body, path).not.toMatch(/import |export /);
    }
  });
});

describe("P1: the code of a launch", () => {
  it("is in a file of its owner's alone, and opens one tab", async () => {
    const { ask, code, store } = await startConsole();
    const folder = consoleFolder(store.dataFolder);
    const fresh = code();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const launches = readdirSync(folder).filter((name) => name.endsWith(".html"));
    expect(launches).toHaveLength(1);
    for (const name of launches) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(name).not.toContain(fresh);
    }
    expect((await ask("POST", "/api/session", { body: { code: fresh } })).status).toBe(200);
    expect(readdirSync(folder).filter((name) => name.endsWith(".html"))).toEqual([]);
    const again = await ask("POST", "/api/session", { body: { code: fresh } });
    expect(again.status).toBe(401);
    expect(await again.text()).not.toContain("token");
  });

  it("is won by one of many who race for it", async () => {
    const { ask, code } = await startConsole();
    const fresh = code();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask("POST", "/api/session", { body: { code: fresh } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it("is good for a minute, and guesses are good never", async () => {
    const clock = new ManualClock();
    const { ask, code } = await startConsole({ clock });
    const [early, late] = [code(), code()];
    clock.advance(59_999);
    expect((await ask("POST", "/api/session", { body: { code: early } })).status).toBe(200);
    clock.advance(1);
    expect((await ask("POST", "/api/session", { body: { code: late } })).status).toBe(401);
    for (const guess of ["A".repeat(43), `${"../".repeat(14)}A`]) {
      expect((await ask("POST", "/api/session", { body: { code: guess } })).status).toBeGreaterThanOrEqual(400);
    }
  });

  it("made while the clock stood ahead does not last until then", async () => {
    const clock = new ManualClock();
    const { code, store } = await startConsole({ clock });
    const made = code();
    expect(takeLaunch(consoleFolder(store.dataFolder), made, clock.now() - 3_600_000)).toBe(false);
  });
});

describe("P1: the token of a tab", () => {
  it("ends when the tab asks for nothing for half a day", async () => {
    const clock = new ManualClock();
    const { ask, token } = await startConsole({ clock });
    const used = await token();
    const idle = await token();
    clock.sleep(11 * 3_600_000);
    expect((await ask("GET", list, { token: used })).status).toBe(200);
    clock.sleep(2 * 3_600_000);
    expect((await ask("GET", list, { token: used })).status).toBe(200);
    expect((await ask("GET", list, { token: idle })).status).toBe(401);
  });
});
