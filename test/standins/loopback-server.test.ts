import { request } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { cleanUp, closeLater } from "./mailbox-fixture.ts";

afterEach(cleanUp);

describe("the loopback server of the stand-ins", () => {
  it("refuses a body that is too large and goes on", async () => {
    const server = closeLater(await serveLoopback(() => json(200, { fine: true }), { maxBodyBytes: 1000 }));
    const large = await fetch(server.url, { method: "POST", body: "x".repeat(1001) }).catch(() => undefined);
    expect(large?.status ?? 413).toBe(413);
    expect(await (await fetch(server.url, { method: "POST", body: "x".repeat(1000) })).json()).toEqual({ fine: true });
  });

  it("answers 500 when a handler throws, and quotes the error neither there nor on stderr (P1)", async () => {
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const server = closeLater(
      await serveLoopback(() => {
        throw new Error("secret words");
      }),
    );
    const response = await fetch(server.url);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(stderr.mock.calls.join()).toMatch(/a request failed: Error\n {4}at /);
    expect(stderr.mock.calls.join()).not.toContain("secret");
    stderr.mockRestore();
  });

  it("goes on when a caller dies in the middle of its request", async () => {
    const server = closeLater(await serveLoopback(() => json(200, {})));
    await new Promise<void>((resolve) => {
      const half = request(server.url, { method: "POST", headers: { "content-length": "100" } });
      half.on("error", () => resolve());
      half.write("half", () => half.destroy(new Error("killed")));
    });
    expect((await fetch(server.url)).status).toBe(200);
  });

  it("closes at once while an answer is being held back", async () => {
    const server = await serveLoopback(() => ({ status: 200, delayMs: 60_000 }));
    const cut = fetch(server.url).then(
      () => "answered",
      () => "cut",
    );
    const reached = fetch(server.url).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    await reached;
    expect(await cut).toBe("cut");
  });
});
