import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { showConsole } from "../../cli/console/shown-console.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { Screen } from "../device/screen.ts";
import { noRescans, program } from "./console-home.ts";
import { startConsole } from "./setting.ts";

const canary = "canary-of-the-logs";

/** What anything in this process writes past the program's own outputs. */
function writtenBesides(): string[] {
  const written: string[] = [];
  const note = (...words: unknown[]) => void written.push(words.map(String).join(" "));
  for (const way of ["log", "info", "warn", "error", "debug"] as const) {
    const spy = vi.spyOn(console, way).mockImplementation(note);
    onTestFinished(() => spy.mockRestore());
  }
  return written;
}

it("P1: nothing of mail is in what the process of a console writes, whatever is asked of it and whatever fails", async () => {
  const proposals = [1, 2].map((n) => makeProposal(n, { rawSubject: canary, rawSnippet: canary, reason: canary }));
  const home = await startConsole({ proposals, text: () => canary, dismissed: [{ ref: "m9", subject: canary }] });
  await home.served.close();
  const besides = writtenBesides();
  const [stdout, stderr] = [new Screen(), new Screen()];
  const { device, store } = home;
  const shown = showConsole(
    {
      ...{ device, store, program },
      api: { apiUrl: home.cloud.url, auth: async () => "token" },
      rescans: noRescans,
    },
    { json: false },
    { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal },
  );
  onTestFinished(() => shown.close());
  await shown.start();
  const [, origin = ""] = /Console: (http:\S+)/.exec(stdout.written) ?? [];
  const heard: string[] = [];
  const session = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: home.code() }),
  });
  const { token } = z.object({ token: z.string() }).parse(await session.json());
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${origin}${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    heard.push(await answer.text());
    return answer.status;
  };
  const [first, second] = proposals;
  const one = `/api/proposals/${first?.id}`;
  expect(await ask("POST", "/api/proposals/page", { from: 0, words: canary })).toBe(200);
  expect(await ask("GET", `/api/items/${first?.id}`)).toBe(200);
  expect(await ask("GET", `/api/dismissed?scout=${first?.scoutId}`)).toBe(200);
  expect(await ask("PUT", `${one}/decision`, { outcome: "approved" })).toBe(200);
  expect(heard.filter((text) => text.includes(canary)).length).toBeGreaterThan(3);
  expect(await ask("PUT", `${one}/decision`, { outcome: canary })).toBe(400);
  expect(await ask("PUT", `${one}/decision`, `{"${canary}`)).toBe(400);
  expect(await ask("GET", `/api/${canary}?${canary}`)).toBe(404);
  store.proposals.facets = () => {
    throw new Error(`no such column: ${canary}`, { cause: new Error(canary) });
  };
  device.requestItem = () => Promise.reject(new TypeError(`cannot read ${canary}`));
  expect(await ask("POST", "/api/proposals/counts", {})).toBe(500);
  expect(await ask("GET", `/api/items/${second?.id}`)).toBe(500);
  await expect.poll(() => stderr.written.split("\n").filter((line) => line.startsWith("console: ")).length).toBe(2);
  expect([stdout.written, stderr.written, ...besides].join("\n")).not.toContain("canary");
});
