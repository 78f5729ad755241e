import { existsSync } from "node:fs";
import path from "node:path";
import type { HomeAbout } from "../../events/health.ts";
import { age } from "../age.ts";
import { readCredentials } from "../connect/credentials.ts";
import { isDeviceError } from "../errors.ts";
import { aboutHomeOf } from "./about-home.ts";
import type { Check } from "./checks.ts";
import { modelTrouble } from "./model-trouble.ts";

const defaultAddress = "https://api.openai.com/v1";
const defaultModel = "gpt-4o-mini";
const builtIn = "built-in (set OPENAI_API_KEY, or OPENAI_BASE_URL for a model of your own)";

/** What a home that is started from here would work with; see the command line's environment. */
export interface HomeEnvironment {
  readonly OPENAI_API_KEY?: string | undefined;
  readonly OPENAI_BASE_URL?: string | undefined;
  readonly OPENAI_MODEL?: string | undefined;
  readonly GOOGLE_APPLICATION_CREDENTIALS?: string | undefined;
  readonly SCOUTS_PUBSUB_SUBSCRIPTION?: string | undefined;
}

/** The program that looks. */
export interface Looking {
  readonly environment: HomeEnvironment;
  /** The program's version. */
  readonly version: string;
  readonly now: () => number;
}

/** Whether a language model answers. */
export function checkModel(model: HomeAbout["model"]): Check {
  const name = "model";
  const trouble = modelTrouble(model);
  if (trouble === undefined) {
    return {
      name,
      state: "ok",
      detail: model.address === null ? builtIn : `${model.name} at ${model.address} answers`,
    };
  }
  return { name, state: "fail", detail: `${trouble.cause}.`, advice: trouble.cure };
}

function checkQueues(queues: HomeAbout["queues"]): Check {
  const busy = queues.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  const texts = busy.map(({ name, waiting, inFlight }) => `${name} ${waiting} waiting, ${inFlight} at work`);
  const detail = busy.length === 0 ? "all empty" : texts.join("; ");
  if (!busy.some(({ name }) => /dead/i.test(name))) return { name: "queues", state: "ok", detail };
  const advice = "Work was set aside after it failed too often: scouts ops dlq list, with the home stopped.";
  return { name: "queues", state: "note", detail, advice };
}

/** What a home that runs here says of itself. */
function checksOfAbout({ version, startedAt, mail, model, queues }: HomeAbout, own: string, nowMs: number): Check[] {
  const runs = `version ${version}, started ${age(startedAt, nowMs)} ago`.replace("now ago", "just now");
  const running: Check =
    version === own
      ? { name: "running", state: "ok", detail: runs }
      : {
          name: "running",
          state: "note",
          detail: `${runs}; this program is ${own}`,
          advice: "Stop it and run `scouts up` again to have both of one version.",
        };
  const source = mail === "account" ? "an account at its provider" : "a mailbox on this machine";
  return [running, { name: "mail", state: "ok", detail: source }, checkModel(model), checkQueues(queues)];
}

/** Where no home runs: what one started from here would work with, and whether its model answers. */
async function checksOfEnvironment({ environment, now }: Looking): Promise<Check[]> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, ...google } = environment;
  const pulls = google.GOOGLE_APPLICATION_CREDENTIALS !== undefined && google.SCOUTS_PUBSUB_SUBSCRIPTION !== undefined;
  const source = pulls ? "Gmail, unless --mailbox is given" : "a mailbox on this machine (see --mailbox)";
  const mail: Check = { name: "mail", state: "ok", detail: source };
  if (OPENAI_API_KEY === undefined && OPENAI_BASE_URL === undefined) {
    return [mail, { name: "model", state: "ok", detail: builtIn }];
  }
  // What the other commands do not need is not loaded for them.
  const [{ OpenAiProbe }, { WatchedModel }] = await Promise.all([
    import("../../shared/llm/openai-probe.ts"),
    import("./watched-model.ts"),
  ]);
  const baseUrl = OPENAI_BASE_URL ?? defaultAddress;
  const name = OPENAI_MODEL ?? defaultModel;
  const probe = new OpenAiProbe({ baseUrl, apiKey: OPENAI_API_KEY ?? "none", model: name });
  return [mail, checkModel(await new WatchedModel({ name, baseUrl, probe, now }).about())];
}

/**
 * What the home that runs here works with, as it says itself: the environment of this command is not the one it was
 * started in. Of a home that runs elsewhere nothing is asked: its settings are its operator's.
 */
export async function checksOfRunning(looking: Looking, dataFolder: string): Promise<Check[]> {
  try {
    if (readCredentials(dataFolder) !== undefined) return [];
  } catch (error) {
    // What is wrong with the sign-in is said by the check of the home.
    if (isDeviceError(error)) return [];
    throw error;
  }
  const about = await aboutHomeOf(dataFolder);
  if (about !== undefined) return checksOfAbout(about, looking.version, looking.now());
  if (existsSync(path.join(dataFolder, "home.json"))) return [];
  return checksOfEnvironment(looking);
}
