import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { json, type LoopbackServer, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { quick } from "../rounds.ts";
import { ownFolder } from "./folders.ts";
import { scouts, scoutsHere, startProgram } from "./program.ts";
import { answerOf, relevant } from "./scripted-model.ts";

const folder = ownFolder();
let server: LoopbackServer;
let environment: Record<string, string>;
let isMended = false;

/** A server of models that knows two others, in the words of Ollama. */
beforeAll(async () => {
  server = await serveLoopback(({ url, body }) => {
    if (url.pathname.endsWith("/models")) return json(200, { data: [{ id: "llama3.2" }, { id: "qwen3" }] });
    const { model } = JSON.parse(body.toString());
    if (isMended) return answerOf(relevant());
    return json(404, { error: { message: `model '${model}' not found`, type: "api_error", code: null } });
  });
  environment = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: "llama9" };
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

const line = () =>
  `The model at ${server.url}/v1 answers 404: no model 'llama9'. Known there: llama3.2, qwen3. Set OPENAI_MODEL to one of them.`;

describe("a model that cannot be used", () => {
  test.skipIf(quick)(
    "P2: `up --once` says why nothing was judged, and does not end as if it were done",
    async () => {
      const { code, stdout, stderr } = await scouts(
        ["up", "--once", "--json", "--data", join(folder.path, "once")],
        environment,
      );
      expect(stderr).toContain(`scouts: ${line()} (model_unknown)\n`);
      expect(stderr).toMatch(/Nothing was judged\. .*\(nothing_judged\)\n$/);
      expect(code).toBe(9);
      expect(JSON.parse(stdout)).toMatchObject({ relevant: 0, spam: 0, deadLettered: 0 });
    },
    120_000,
  );

  test.skipIf(quick)(
    "every command that needs it says so of the running home, whatever its own environment is; mended, it is told",
    async () => {
      const data = join(folder.path, "stays");
      const program = startProgram(["up", "--data", data], environment);
      await program.line(/^Listening on/);
      const run = (...words: string[]) => scoutsHere([...words, "--data", data]);

      expect((await run("status")).stdout).toContain(line());
      expect((await run("health")).stderr).toContain(line());
      const doctor = await run("doctor");
      expect([doctor.code, doctor.stdout]).toEqual([6, expect.stringMatching(/fail {2}model +.*no model 'llama9'/)]);
      expect(JSON.parse((await run("status", "--json")).stdout).model).toMatchObject({
        name: "llama9",
        state: { ok: false },
      });
      const asked = await run("ask", "What", "is", "new?");
      expect(asked).toEqual({ code: 9, stdout: "", stderr: `scouts: ${line()} (model_unusable)\n` });

      const { aboutUrl } = JSON.parse(readFileSync(join(data, "home.json"), "utf8"));
      expect((await fetch(aboutUrl)).status, "for who knows the owner's secret").toBe(401);
      isMended = true;
      onTestFinished(() => {
        isMended = false;
      });
      expect(await program.line(/answers again/)).toBe(
        `scouts: The model 'llama9' at ${server.url}/v1 answers again; what waited is judged within minutes.`,
      );
      expect(await program.line(/^new /), "what waited is shown").toBeTruthy();
      program.child.kill("SIGINT");
      expect((await program.ended()).code).toBe(0);
      expect((await run("status")).stdout, "nobody is there to say so").not.toContain("The model at");
    },
    240_000,
  );
});
