import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checksOfRunning, type HomeEnvironment } from "../../device/doctor/running-checks.ts";
import { serveLoopback } from "../../infra/standins/loopback-server.ts";

/** What doctor says of the model where no home runs. */
async function modelCheck(environment: HomeEnvironment) {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "scouts-doctor-"));
  onTestFinished(() => rmSync(dataFolder, { recursive: true }));
  const checks = await checksOfRunning({ environment, version: "1", now: Date.now }, dataFolder);
  return checks.find(({ name }) => name === "model");
}

async function modelServer(): Promise<HomeEnvironment> {
  const data = [{ id: "tiny", object: "model", created: 0, owned_by: "us" }];
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } }];
  const server = await serveLoopback(({ url }) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(
      url.pathname.endsWith("/models")
        ? { object: "list", data }
        : { id: "c", object: "chat.completion", created: 0, model: "tiny", choices },
    ),
  }));
  onTestFinished(() => server.close());
  return { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: "tiny" };
}

test("doctor says which model a home would ask, and whether the built-in one judges before it", async () => {
  const model = await modelServer();
  expect(await modelCheck({})).toMatchObject({ state: "ok", detail: expect.stringMatching(/^built-in/) });
  expect(await modelCheck(model)).toMatchObject({ state: "ok", detail: expect.stringMatching(/^tiny at .* answers$/) });
  expect(await modelCheck({ ...model, TRIAGE_CASCADE: "on" })).toMatchObject({
    state: "ok",
    detail: expect.stringMatching(/^tiny at .* answers; the built-in model judges what it is sure of before it$/),
  });
});

test("doctor names a setting of the cascade that keeps a home from starting, with and without a model", async () => {
  for (const model of [{}, await modelServer()]) {
    expect(await modelCheck({ ...model, TRIAGE_CASCADE: "maybe" })).toMatchObject({
      state: "fail",
      detail: "TRIAGE_CASCADE is 'maybe', which is none of off, on; no home starts with it",
      advice: "Set it to on or off, or leave it away.",
    });
  }
});
