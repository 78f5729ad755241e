import type { Requests } from "../bench/pipeline/requests.ts";
import type { Habits } from "./habits.ts";
import { dollarsFor, dollarsPerConnectionMinute, dollarsPerGbSecond, dollarsPerMillionTokens } from "./prices.ts";

const daysAMonth = 30;
/** `socketLimits.pingEveryMs` and `lifeMs` as they come to pass: a ping and a pull, each answered; 1.8 h a connection. */
const minutesAPing = 4;
const hoursAConnection = 1.8;
/** 512 MB, as infra/functions.ts sets it. */
const gigabytes = 0.5;
/** Seconds a batch of ten triages takes with a model that answers within two. */
const batchSeconds = 2.5;

export interface Month {
  readonly mail: number;
  readonly presence: number;
  readonly folders: number;
  readonly agents: number;
  readonly lambdaTime: number;
  readonly aws: number;
  readonly tokens: number;
}

/** AWS requests of one person's mail, of their devices being there, of their files and of their questions, a month. */
export function monthlyRequests(
  perMail: Requests,
  habits: Habits,
): Record<"mail" | "presence" | "folders" | "agents", Requests> {
  const mails = habits.mailsADay * daysAMonth;
  const connectedHours = habits.devices * habits.connectedHoursADay * daysAMonth;
  const pings = (connectedHours * 60) / minutesAPing;
  const connections = connectedHours / hoursAConnection;
  const steps = habits.runsAMonth * habits.stepsARun;
  return {
    mail: scaled(perMail, mails),
    presence: {
      "websocket:message": 2 * pings + 3 * connections,
      "websocket:post": 2 * pings + 4 * connections,
      "dynamodb:Query": pings + 2 * connections,
      "dynamodb:UpdateItem": 3 * connections,
      "lambda:invocation": 2 * pings + 6 * connections,
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

/** Dollars a month for one person. */
export function monthlyDollars(perMail: Requests, habits: Habits): Month {
  const requests = monthlyRequests(perMail, habits);
  const minutes = habits.devices * habits.connectedHoursADay * 60 * daysAMonth;
  const mails = habits.mailsADay * daysAMonth;
  const seconds = (mails / 10) * batchSeconds + habits.filesAMonth * 2 + habits.runsAMonth * habits.stepsARun * 4;
  const lambdaTime = seconds * gigabytes * dollarsPerGbSecond;
  const mail = dollarsFor(requests.mail);
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
  return { mail, presence, folders, agents, lambdaTime, aws: mail + presence + folders + agents + lambdaTime, tokens };
}

function scaled(requests: Requests, by: number): Requests {
  return Object.fromEntries(Object.entries(requests).map(([operation, count]) => [operation, count * by]));
}
