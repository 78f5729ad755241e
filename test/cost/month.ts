import { socketLimits } from "../../events/frames/limits.ts";
import type { Requests } from "../bench/pipeline/requests.ts";
import type { Habits } from "./habits.ts";
import { dollarsFor, dollarsPerConnectionMinute, dollarsPerGbSecond, dollarsPerMillionTokens } from "./prices.ts";

const daysAMonth = 30;
/** A pull and its page keep a connection; it is replaced after 85 to 95 % of its life. */
const minutesAPull = socketLimits.pingEveryMs / 60_000;
const hoursAConnection = (socketLimits.lifeMs / 3_600_000) * 0.9;
/** 512 MB, as infra/functions.ts sets it. */
const gigabytes = 0.5;
/** Seconds a batch of triages takes, side by side, with a model that answers within two. */
const batchSeconds = 2.5;
/** Seconds of a sync that asks its source and finds nothing. */
const syncSeconds = 0.3;

/** How many mails share an invocation, on average: those of a push are one person's, a batch of triages is anybody's. */
export interface Sharing {
  readonly mailsAPush: number;
  readonly mailsABatch: number;
}

export interface Month {
  readonly mail: number;
  readonly timers: number;
  readonly presence: number;
  readonly folders: number;
  readonly agents: number;
  readonly lambdaTime: number;
  readonly aws: number;
  readonly tokens: number;
}

/** AWS requests of one person's mail, of the timers that look for it, of their devices being there, of their files and of their questions, a month. */
export function monthlyRequests(
  perMail: Requests,
  perEmptySync: Requests,
  { mailsAPush, mailsABatch }: Sharing,
  habits: Habits,
): Record<"mail" | "timers" | "presence" | "folders" | "agents", Requests> {
  const mails = habits.mailsADay * daysAMonth;
  const timedSyncs = habits.timedSyncsADay * daysAMonth;
  const connectedHours = habits.devices * habits.connectedHoursADay * daysAMonth;
  const pulls = (connectedHours * 60) / minutesAPull;
  const connections = connectedHours / hoursAConnection;
  const steps = habits.runsAMonth * habits.stepsARun;
  return {
    mail: {
      ...scaled(perMail, mails),
      "http:push": mails / mailsAPush,
      // Webhook, sync and the ack; triage.
      "lambda:invocation": (3 * mails) / mailsAPush + mails / mailsABatch,
    },
    timers: { ...scaled(perEmptySync, timedSyncs), "lambda:invocation": timedSyncs },
    presence: {
      "websocket:message": pulls + 3 * connections,
      "websocket:post": pulls + 4 * connections,
      "dynamodb:Query": pulls + 2 * connections,
      "dynamodb:UpdateItem": 3 * connections,
      "lambda:invocation": pulls + 6 * connections,
      "http:request": connections,
    },
    folders: {
      "sqs:request": habits.filesAMonth * 0.8,
      "dynamodb:UpdateItem": habits.filesAMonth * 3,
      "dynamodb:GetItem": habits.filesAMonth * 2,
      "websocket:message": habits.filesAMonth * 0.4,
      "websocket:post": habits.filesAMonth * 2,
      "lambda:invocation": habits.filesAMonth * 0.6,
    },
    agents: {
      "sqs:request": steps * 3,
      "dynamodb:UpdateItem": steps * 4,
      "dynamodb:GetItem": steps * 3,
      "websocket:message": steps,
      "websocket:post": steps * 8,
      "lambda:invocation": steps * 2,
    },
  };
}

/**
 * Dollars a month for one person.
 *
 * @param perMail AWS requests a mail
 * @param perEmptySync AWS requests of a sync that finds nothing
 */
export function monthlyDollars(perMail: Requests, perEmptySync: Requests, sharing: Sharing, habits: Habits): Month {
  const requests = monthlyRequests(perMail, perEmptySync, sharing, habits);
  const minutes = habits.devices * habits.connectedHoursADay * 60 * daysAMonth;
  const mails = habits.mailsADay * daysAMonth;
  const seconds =
    (mails / sharing.mailsABatch) * batchSeconds +
    habits.timedSyncsADay * daysAMonth * syncSeconds +
    habits.filesAMonth * 2 +
    habits.runsAMonth * habits.stepsARun * 4;
  const lambdaTime = seconds * gigabytes * dollarsPerGbSecond;
  const mail = dollarsFor(requests.mail);
  const timers = dollarsFor(requests.timers);
  const presence = dollarsFor(requests.presence) + minutes * dollarsPerConnectionMinute;
  const folders = dollarsFor(requests.folders);
  const agents = dollarsFor(requests.agents);
  const input =
    mails * habits.triageTokens.input +
    habits.filesAMonth * habits.fileTokens.input +
    habits.runsAMonth * habits.runTokens.input;
  const output =
    mails * habits.triageTokens.output +
    habits.filesAMonth * habits.fileTokens.output +
    habits.runsAMonth * habits.runTokens.output;
  const tokens = (input * dollarsPerMillionTokens.input + output * dollarsPerMillionTokens.output) / 1e6;
  const aws = mail + timers + presence + folders + agents + lambdaTime;
  return { mail, timers, presence, folders, agents, lambdaTime, aws, tokens };
}

function scaled(requests: Requests, by: number): Requests {
  return Object.fromEntries(Object.entries(requests).map(([operation, count]) => [operation, count * by]));
}
