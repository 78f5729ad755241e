import { expect, test } from "vitest";
import { modelLine } from "../../cli/home/model-line.ts";
import { isMisconfigured } from "../../device/doctor/model-trouble.ts";
import { WatchedModel } from "../../device/doctor/watched-model.ts";
import { type ErrorCode, errorCodes } from "../../events/error-kinds.ts";
import type { HomeAbout } from "../../events/health.ts";
import { modelFailureClass } from "../../shared/llm/model-failure-class.ts";
import type { ModelProbeResult } from "../../shared/llm/model-probe.ts";

const model = (code: ErrorCode | null, status: number | null = null, known: string[] = []): HomeAbout["model"] => ({
  name: "llama9",
  address: "http://127.0.0.1:11434/v1",
  state: { ok: code === null, code, status, known, probedAt: 0 },
});

test("a model that is not there: where, what it answers, what is there, what to set", () => {
  expect(modelLine(model("model_unknown", 404, ["llama3.2", "qwen3"]))).toBe(
    "The model at http://127.0.0.1:11434/v1 answers 404: no model 'llama9'. Known there: llama3.2, qwen3. Set OPENAI_MODEL to one of them.",
  );
  expect(modelLine(model("model_unknown", 404))).toContain("see whether OPENAI_BASE_URL is right");
  expect(modelLine(model(null))).toBeUndefined();
});

test("an answer that is cut off or no JSON is not told as a failure with the number of one that is well", () => {
  expect(modelLine(model("model_unavailable", 200))).toBe(
    "What the model at http://127.0.0.1:11434/v1 answers cannot be read: it is cut off, or no JSON. It is asked again by itself; nothing is lost meanwhile.",
  );
  expect(modelLine(model("model_unavailable", 500))).toContain("answers 500: it fails at the moment.");
});

const modelCodes = errorCodes.filter((code) => modelFailureClass(code) !== undefined);

test.each(modelCodes)("%s: one line of plain text that names the address", (code) => {
  const line = modelLine(model(code, 500, ["\u001b[2Jevil"])) ?? "";
  expect(line).toMatch(/^.*http:\/\/127\.0\.0\.1:11434\/v1.*\.$/u);
  expect(line).not.toMatch(/\p{Cc}/u);
});

test.each(modelCodes.filter((code) => modelFailureClass(code) === "configuration"))(
  "%s is the person's to mend, and the line says which setting or place",
  (code) => {
    expect(isMisconfigured(model(code))).toBe(true);
    expect(modelLine(model(code))).toMatch(/OPENAI_|credit/);
  },
);

function watched(results: ModelProbeResult[], baseUrl = "http://user:secret@127.0.0.1:1/v1?key=secret") {
  const time = { nowMs: 0, asked: 0 };
  const probe = {
    async probe() {
      time.asked += 1;
      return results.shift() ?? { ok: true as const };
    },
  };
  return { time, model: new WatchedModel({ name: "m", baseUrl, probe, now: () => time.nowMs }) };
}

test("a model that answers is left alone for a while; one that does not is asked again soon", async () => {
  const { time, model: of } = watched([{ ok: false, code: "model_unreachable" }]);
  expect((await of.about()).state).toMatchObject({ ok: false, code: "model_unreachable" });
  await of.about();
  expect(time.asked).toBe(1);
  time.nowMs = 3_000;
  expect((await of.about()).state.ok).toBe(true);
  time.nowMs = 60_000;
  await Promise.all([of.about(), of.about()]);
  expect(time.asked).toBe(2);
  time.nowMs = 63_000;
  await Promise.all([of.about(), of.about()]);
  expect(time.asked, "two who ask at once cost one probe").toBe(3);
});

test("what an address carries of credentials is shown to nobody", async () => {
  const { model: of } = watched([]);
  expect((await of.about()).address).toBe("http://127.0.0.1:1/v1");
});
