import { createHash } from "node:crypto";
import { ModelBreaker } from "../../../shared/breaker/model-breaker.ts";
import type { OpenAiOptions } from "../../../shared/llm/openai/model-endpoint.ts";
import { OpenAiProbe } from "../../../shared/llm/openai-probe.ts";
import { systemClock } from "../../../shared/ports/clock.ts";
import { linked, setting } from "../../environment.ts";
import { newId } from "../../ids.ts";
import { log } from "../../log.ts";
import { once } from "../../once.ts";
import { ledger } from "../tables.ts";
import { breakerView } from "./breaker-view.ts";

/** Whether the model can be asked, for functions that ask it themselves. Kept for the environment's life. */
export const breaker = once(() => {
  const ports = { ledger: ledger(), clock: systemClock, log, random: Math.random, newId };
  const model = {
    apiKey: linked("ModelApiKey").value,
    baseUrl: setting("OPENAI_BASE_URL"),
    model: setting("OPENAI_MODEL"),
  };
  return new ModelBreaker({ ...ports, probe: new OpenAiProbe(model), setting: digestOf(model) }, breakerView());
});

/** Tells one set of settings from another, and none of them. */
function digestOf(settings: OpenAiOptions): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("hex").slice(0, 16);
}
