import { alarmOnFunction } from "./alarms.ts";
import { functionDefaults } from "./functions.ts";
import { settings } from "./settings.ts";

/** What a function is called on AWS. */
export const functionNamed = (name: string): string => `${$app.name}-${$app.stage}-${name}`;

/**
 * The arguments of a function, under a name of its own, so that alarms and the dashboard can be told of it beforehand: a
 * function that nobody watches cannot be written.
 */
export function lambda(name: string, args: Omit<sst.aws.FunctionArgs, keyof typeof functionDefaults | "name">) {
  const functionName = functionNamed(name);
  alarmOnFunction(name, functionName);
  watched.push(functionName);
  return { ...functionDefaults, ...reservedFor(name), name: functionName, ...args };
}

/** Names of all functions on AWS, for the dashboard. */
export const watched: string[] = [];

/** AWS keeps this many executions of an account for functions that reserve none (Lambda guide, "Reserved concurrency"). */
const keptUnreserved = 100;

/**
 * Functions that somebody waits for, and how many executions others may have of each besides. What is set aside is also the most
 * that run (Lambda guide, "Reserved concurrency"), so that a worker's queue needs its own share on top. A socket opens through
 * all three of its functions; the worker for mailboxes answers HTTP and sockets as well as its queue.
 */
const waitedFor: ReadonlyMap<string, number> = new Map([
  ["Http", 0],
  ["Uploads", 0],
  ["SocketAuthorizer", 0],
  ["SocketConnect", 0],
  ["SocketMessage", 0],
  ["ImapWorker", settings.imapConcurrency],
]);

/**
 * Executions set aside for a function, so that a backlog of workers cannot crowd it out. Off unless `RESERVED_CONCURRENCY`
 * says how many; a new account has few executions (often 10), so it is held against the quota.
 */
function reservedFor(name: string) {
  const ofOthers = waitedFor.get(name);
  if (settings.reservedConcurrency === 0 || ofOthers === undefined) return {};
  return { concurrency: { reserved: settings.reservedConcurrency + ofOthers } };
}

if (settings.reservedConcurrency > 0) {
  const ofOthers = [...waitedFor.values()].reduce((sum, each) => sum + each, 0);
  const quota = aws.servicequotas.getServiceQuotaOutput({ serviceCode: "lambda", quotaCode: "L-B99A9384" });
  quota.value.apply((limit) => {
    const most = Math.floor((limit - keptUnreserved - ofOthers) / waitedFor.size);
    if (settings.reservedConcurrency <= most) return;
    throw new Error(
      `RESERVED_CONCURRENCY is ${settings.reservedConcurrency} for each of ${waitedFor.size} functions, and their queues take ${ofOthers}, ` +
        `but this account runs ${limit} executions at once and ${keptUnreserved} must stay unreserved: set it to ${Math.max(most, 0)} at most, or ask AWS for more.`,
    );
  });
}
