import type { HomeAbout } from "../../events/health.ts";
import { ago } from "../age.ts";
import { readCredentials } from "../connect/credentials.ts";
import { homeFolderOf } from "../connect/devices/home-folder.ts";
import { hasNotice } from "../connect/local-home.ts";
import { isDeviceError } from "../errors.ts";
import { aboutHomeOf } from "./about-home.ts";
import type { Check } from "./checks.ts";
import { found } from "./findings.ts";
import { modelTrouble } from "./model-trouble.ts";

const defaultAddress = "https://api.openai.com/v1";
const defaultModel = "gpt-4o-mini";

/** What a home that is started from here would work with; see the command line's environment. */
export interface HomeEnvironment {
  readonly OPENAI_API_KEY?: string | undefined;
  readonly OPENAI_BASE_URL?: string | undefined;
  readonly OPENAI_MODEL?: string | undefined;
  readonly TRIAGE_CASCADE?: string | undefined;
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
  if (trouble !== undefined) return { name, state: "fail", ...trouble };
  if (model.address === null) return { name, state: "ok", ...found("model_built_in") };
  const finding = model.isCascade ? "model_cascade" : "model_ok";
  return { name, state: "ok", ...found(finding, { name: model.name, where: model.address }) };
}

/** Whether work can be queued, and what waits. */
export function checkQueues({ queues, queueTrouble }: Pick<HomeAbout, "queues" | "queueTrouble">): Check {
  if (queueTrouble !== undefined) return { name: "queues", state: "fail", ...found(`queues_${queueTrouble}`) };
  const busy = queues.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  if (busy.length === 0) return { name: "queues", state: "ok", ...found("queues_empty") };
  const each = busy.map(({ name, waiting, inFlight: atWork }) => ({ name, waiting, atWork }));
  return busy.some(({ name }) => /dead/i.test(name))
    ? { name: "queues", state: "note", ...found("queues_set_aside", {}, { each }) }
    : { name: "queues", state: "ok", ...found("queues_busy", {}, { each }) };
}

/** Whether the mail on this machine can be read, and none of it is read twice. */
export function checkMail({
  mail,
  mailAway,
  mailUnread = [],
  mailTwice = [],
}: Pick<HomeAbout, "mail" | "mailAway" | "mailUnread" | "mailTwice">): Check {
  const name = "mail";
  if (mailAway !== undefined) return { name, state: "fail", ...found("mail_away", { path: mailAway }) };
  const [path] = mailUnread;
  if (path !== undefined) return { name, state: "fail", ...found("mail_unread", { total: mailUnread.length, path }) };
  const [pair] = mailTwice;
  if (pair !== undefined) return { name, state: "note", ...found("mail_twice", { total: mailTwice.length, ...pair }) };
  return { name, state: "ok", ...found(mail === "account" ? "mail_account" : "mail_mailbox") };
}

/** What a home that runs here says of itself. */
function checksOfAbout(about: HomeAbout, own: string, nowMs: number): Check[] {
  const { version, startedAt, model } = about;
  const runs = { version, since: startedAt, stood: ago(startedAt, nowMs) };
  const running: Check =
    version === own
      ? { name: "running", state: "ok", ...found("running_ok", runs) }
      : { name: "running", state: "note", ...found("running_other", { ...runs, own }) };
  return [running, checkMail(about), checkModel(model), checkQueues(about)];
}

/** Where no home runs: what one started from here would work with, and whether its model answers. */
async function checksOfEnvironment({ environment, now }: Looking): Promise<Check[]> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL, TRIAGE_CASCADE = "", ...google } = environment;
  const pulls = google.GOOGLE_APPLICATION_CREDENTIALS !== undefined && google.SCOUTS_PUBSUB_SUBSCRIPTION !== undefined;
  const source = pulls ? found("mail_account_next", { provider: "Gmail" }) : found("mail_mailbox_next");
  const mail: Check = { name: "mail", state: "ok", ...source };
  if (!["", "off", "on"].includes(TRIAGE_CASCADE)) {
    return [mail, { name: "model", state: "fail", ...found("model_cascade_unknown", { value: TRIAGE_CASCADE }) }];
  }
  if (OPENAI_API_KEY === undefined && OPENAI_BASE_URL === undefined) {
    return [mail, { name: "model", state: "ok", ...found("model_built_in") }];
  }
  // What the other commands do not need is not loaded for them.
  const [{ OpenAiProbe }, { WatchedModel }] = await Promise.all([
    import("../../shared/llm/openai-probe.ts"),
    import("./watched-model.ts"),
  ]);
  const baseUrl = OPENAI_BASE_URL ?? defaultAddress;
  const name = OPENAI_MODEL ?? defaultModel;
  const probe = new OpenAiProbe({ baseUrl, apiKey: OPENAI_API_KEY ?? "none", model: name });
  const isCascade = TRIAGE_CASCADE === "on";
  return [mail, checkModel(await new WatchedModel({ name, baseUrl, probe, now, isCascade }).about())];
}

/**
 * What the home that runs here works with, as it says itself: the environment of this command is not the one it was
 * started in. Of a home that runs elsewhere nothing is asked: its settings are its operator's.
 */
export async function checksOfRunning(looking: Looking, dataFolder: string): Promise<Check[]> {
  let homeFolder: string;
  try {
    if (readCredentials(dataFolder) !== undefined) return [];
    homeFolder = homeFolderOf(dataFolder);
  } catch (error) {
    // What is wrong with the sign-in, or the word of whose home it is, is said by the check of the home.
    if (isDeviceError(error)) return [];
    throw error;
  }
  const about = await aboutHomeOf(dataFolder);
  if (about !== undefined) return checksOfAbout(about, looking.version, looking.now());
  // A home that another folder's device would start is set there.
  if (homeFolder !== dataFolder || hasNotice(dataFolder)) return [];
  return checksOfEnvironment(looking);
}
