import { WatchedModel } from "../../device/doctor/watched-model.ts";
import type { HomeAbout } from "../../events/health.ts";
import type { Home } from "../../infra/local/home.ts";
import type { ExternalServices } from "../../infra/local/world/external-services.ts";
import { OpenAiProbe } from "../../shared/llm/openai-probe.ts";

/** The language model a home was started with. */
export function watchedModel({ deploy, secrets, hasOwnModel }: ExternalServices, now: () => number): WatchedModel {
  const { OPENAI_BASE_URL: baseUrl = "", OPENAI_MODEL: name = "" } = deploy;
  const apiKey = secrets["ModelApiKey"] ?? "";
  const probe = hasOwnModel ? { probe: new OpenAiProbe({ baseUrl, apiKey, model: name }) } : {};
  return new WatchedModel({ name, baseUrl, now, isCascade: deploy["TRIAGE_CASCADE"] === "on", ...probe });
}

/** How many messages wait in each queue of a home, and how many are being worked on. */
export function queuesOf(home: Home): HomeAbout["queues"] {
  return Object.entries(home.depths()).map(([name, { visible, delayed, inFlight }]) => ({
    name,
    waiting: visible + delayed,
    inFlight,
  }));
}
