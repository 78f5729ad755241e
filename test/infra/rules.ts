import { readFileSync } from "node:fs";
import path from "node:path";
import { countedMetrics } from "../../functions/metrics.ts";
import type { Grant, Inventory, Queue } from "./inventory.ts";
import { root } from "./stack.ts";

/** A promise about the stack. `violations` names every place that breaks it; none means that it holds. */
export interface Rule {
  readonly name: string;
  violations(stack: Inventory): string[];
}

const fourteenDaysSeconds = 14 * 24 * 3600;
/** Their messages name items whose scout has moved on: who drops one has lost the item. */
const ofItems = new Set(["Triage", "Imap"]);
const deadLetterNames = (stack: Inventory) => new Set(stack.queues.map((queue) => queue.deadLetters?.queue));
const isDeadLetterQueue = (stack: Inventory, queue: Queue) => deadLetterNames(stack).has(queue.name);

const operating = readFileSync(path.join(root, "docs/operate.md"), "utf8");
/** Alarms of one kind share a row: `…Errors`. */
const explained = (name: string) =>
  [...operating.matchAll(/^\| (`.+?`) \|/gm)].some(([, names = ""]) =>
    [...names.matchAll(/`(…?)([A-Za-z]+)`/g)].some(([, any, word = ""]) => (any ? name.endsWith(word) : name === word)),
  );

const watches = (stack: Inventory, metric: string, lambda: string, comparison = "GreaterThanThreshold") =>
  stack.alarms.some(
    (alarm) =>
      alarm.metric === metric && alarm.lambda === lambda && alarm.comparison === comparison && alarm.actions > 0,
  );

const allows = (grant: Grant, action: string) => grant.effect === "Allow" && grant.actions.includes(action);

const queueRules: Rule[] = [
  {
    name: "P2: every queue but a dead-letter queue has a dead-letter queue of its own kind",
    violations: (stack) =>
      stack.queues
        .filter((queue) => !isDeadLetterQueue(stack, queue))
        .filter((queue) => stack.queues.find(({ name }) => name === queue.deadLetters?.queue)?.fifo !== queue.fifo)
        .map(({ name }) => name),
  },
  {
    name: "P2: no two queues share a dead-letter queue",
    violations: (stack) => {
      const targets = stack.queues.flatMap(({ deadLetters }) => deadLetters?.queue ?? []);
      return targets.filter((target, index) => targets.indexOf(target) !== index);
    },
  },
  {
    name: "P2: dead letters are kept 14 days",
    violations: (stack) =>
      stack.queues
        .filter((queue) => isDeadLetterQueue(stack, queue) && queue.retentionSeconds !== fourteenDaysSeconds)
        .map(({ name }) => name),
  },
  {
    name: "P2: items that are in no row yet wait as long as SQS can keep them",
    violations: (stack) =>
      stack.queues
        .filter(({ name, retentionSeconds }) => ofItems.has(name) && retentionSeconds !== fourteenDaysSeconds)
        .map(({ name }) => name),
  },
  {
    name: "an alarm that reaches somebody watches the depth of every dead-letter queue from the first message on",
    violations: (stack) =>
      [...deadLetterNames(stack)].flatMap((name) => {
        const watched = stack.alarms.some(
          (alarm) =>
            alarm.queue === name &&
            alarm.metric === "AWS/SQS ApproximateNumberOfMessagesVisible" &&
            alarm.comparison === "GreaterThanThreshold" &&
            alarm.threshold === 0 &&
            alarm.actions > 0,
        );
        return watched || name === undefined ? [] : [name];
      }),
  },
  {
    name: "an alarm that reaches somebody watches that every queue is worked off",
    violations: (stack) =>
      stack.queues
        .filter((queue) => !isDeadLetterQueue(stack, queue))
        .filter(({ name }) => {
          const metric = "AWS/SQS ApproximateAgeOfOldestMessage";
          return !stack.alarms.some((alarm) => alarm.queue === name && alarm.metric === metric && alarm.actions > 0);
        })
        .map(({ name }) => name),
  },
  {
    name: "an alarm that reaches somebody watches every function that fails or is not let run",
    violations: (stack) =>
      stack.functions.flatMap(({ name, handler }) =>
        ["Errors", "Throttles"]
          .filter((metric) => !watches(stack, `AWS/Lambda ${metric}`, name))
          .map((m) => `${handler} ${m}`),
      ),
  },
  {
    name: "an alarm that reaches somebody tells of a timer that stops, and of one whose every run fails",
    violations: (stack) =>
      stack.timers
        .filter(({ handler }) => {
          const name = stack.functions.find((lambda) => lambda.handler === handler)?.name ?? "";
          return !watches(stack, "AWS/Lambda Invocations - AWS/Lambda Errors", name, "LessThanThreshold");
        })
        .map(({ name }) => name),
  },
  {
    name: "an alarm that reaches somebody tells of many requests that fail, and of few of which most fail",
    violations: (stack) =>
      ["5xx", "5xx - AWS/ApiGateway Count / 2"].filter((metric) => !watches(stack, `AWS/ApiGateway ${metric}`, "")),
  },
  {
    name: "an alarm that reaches somebody watches sockets that fail",
    violations: (stack) =>
      ["IntegrationError", "ExecutionError"].filter((metric) => !watches(stack, `AWS/ApiGateway ${metric}`, "")),
  },
  {
    name: "an alarm that reaches somebody watches everything the functions count in their logs",
    violations: (stack) => countedMetrics.filter((metric) => !watches(stack, `Scouts ${metric}`, "")),
  },
  {
    name: "every alarm has a row in docs/operate.md",
    violations: (stack) => stack.alarms.map(({ name }) => name).filter((name) => !explained(name)),
  },
  {
    name: "P2: every queue is worked with a bounded concurrency",
    violations: (stack) =>
      stack.subscriptions.filter((s) => s.maximumConcurrency === undefined).map(({ queue }) => queue),
  },
  {
    name: "the dashboard shows every queue and every table",
    violations: (stack) =>
      [...stack.queues, ...stack.tables].map(({ name }) => name).filter((name) => !stack.onDashboard.includes(name)),
  },
  {
    name: "P2: every queue but a dead-letter queue is worked by exactly one function",
    violations: (stack) =>
      stack.queues
        .filter((queue) => {
          const subscribers = stack.subscriptions.filter((subscription) => subscription.queue === queue.name).length;
          return subscribers !== (isDeadLetterQueue(stack, queue) ? 0 : 1);
        })
        .map(({ name }) => name),
  },
  {
    name: "P2: partial batch responses are on",
    violations: (stack) => stack.subscriptions.filter((s) => !s.partialResponses).map(({ queue }) => queue),
  },
  {
    // What waits goes back to the queue it came from. Lambda takes sixteen such turns of a message for an endless loop and drops it:
    // https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
    name: "P2: a worker that sends to its own queue may do so for ever, and no other may",
    violations: (stack) =>
      stack.subscriptions
        .filter(({ queue, handler, mayRecur }) => {
          const grants = stack.functions.find((lambda) => lambda.handler === handler)?.grants ?? [];
          const sends = grants.some((grant) => allows(grant, "sqs:SendMessage") && grant.resources.includes(queue));
          return sends !== mayRecur;
        })
        .map(({ queue }) => queue),
  },
  {
    name: "P2: visibility is at least six times the worker's timeout and the batch window",
    violations: (stack) =>
      stack.subscriptions
        .filter((subscription) => {
          const visibility = stack.queues.find(({ name }) => name === subscription.queue)?.visibilitySeconds ?? 0;
          const timeout = stack.functions.find(({ handler }) => handler === subscription.handler)?.timeoutSeconds;
          return timeout === undefined || visibility < 6 * timeout + subscription.windowSeconds;
        })
        .map(({ queue }) => queue),
  },
  {
    name: "P2: FIFO queues are high-throughput and leave deduplication to the sender's ids",
    violations: (stack) =>
      stack.queues
        .filter((queue) => queue.fifo && !isDeadLetterQueue(stack, queue))
        .filter((queue) => !queue.highThroughput || queue.contentBasedDeduplication)
        .map(({ name }) => name),
  },
];

const storageRules: Rule[] = [
  {
    name: "the Ledger can be restored to any point in time",
    violations: (stack) =>
      stack.tables.some(({ name, pointInTimeRecovery }) => name === "Ledger" && pointInTimeRecovery) ? [] : ["Ledger"],
  },
  {
    name: "P1: Sessions keeps no backups, so that a deleted key is gone",
    violations: (stack) =>
      stack.tables.some(({ name, pointInTimeRecovery }) => name === "Sessions" && !pointInTimeRecovery)
        ? []
        : ["Sessions"],
  },
  {
    name: "no table has a stream: nothing reads one, and it would keep deleted items for a day",
    violations: (stack) => stack.tables.filter(({ stream }) => stream).map(({ name }) => name),
  },
  {
    name: "buckets are private",
    violations: (stack) => stack.buckets.filter((bucket) => !bucket.blocksPublicAccess).map(({ name }) => name),
  },
  {
    name: "buckets answer over TLS only",
    violations: (stack) => stack.buckets.filter((bucket) => !bucket.deniesPlainHttp).map(({ name }) => name),
  },
  {
    name: "P1: buckets forget within a day and keep no versions",
    violations: (stack) =>
      stack.buckets
        .filter((bucket) => bucket.versioned || !bucket.expiresAfterDays.includes(1))
        .map(({ name }) => name),
  },
  {
    name: "P5: the only bucket is for payloads in transit; the files of a project stay on the device",
    violations: (stack) => stack.buckets.filter(({ name }) => name !== "Transit").map(({ name }) => name),
  },
  {
    name: "KMS keys are rotated",
    violations: (stack) => stack.keys.filter(({ rotates }) => !rotates).map(({ name }) => name),
  },
];

const permissionRules: Rule[] = [
  {
    name: "no grant names all actions of a service or all resources",
    violations: (stack) =>
      stack.functions.flatMap(({ handler, grants }) =>
        grants
          .filter(({ effect }) => effect === "Allow")
          .filter(({ actions, resources }) => actions.some((a) => a.endsWith("*")) || resources.some((r) => r === "*"))
          .map(({ actions, resources }) => `${handler}: ${actions} on ${resources}`),
      ),
  },
  {
    name: "functions have no managed policy but the one for writing their log",
    violations: (stack) =>
      stack.functions.flatMap(({ handler, managedPolicies }) =>
        managedPolicies
          .filter((policy) => policy !== "AWSLambdaBasicExecutionRole")
          .map((policy) => `${handler}: ${policy}`),
      ),
  },
  {
    name: "P1: kms:Decrypt is granted exactly where the ring of that key is linked",
    violations: (stack) =>
      stack.functions.flatMap(({ handler, links, grants }) =>
        stack.keys
          .filter(({ name }) => {
            const decrypts = grants.some((grant) => allows(grant, "kms:Decrypt") && grant.resources.includes(name));
            return decrypts !== links.includes(name);
          })
          .map(({ name }) => `${handler}: ${name}`),
      ),
  },
  {
    name: "logs are kept a month, not for ever",
    violations: (stack) => stack.functions.filter((f) => f.logRetentionDays !== 30).map(({ handler }) => handler),
  },
];

/** Everything that answers without a person's token: each proves its caller in another way or has nothing to hide. */
const openRoutes = new Set([
  "POST /api/v1/scouts/webhooks/gmail",
  "GET /api/v1/scouts/gmail/callback",
  "GET /health",
  "GET /openapi.json",
]);

/** Requests a second that an account lets in, of all APIs together (API Gateway's quotas; younger regions 2,500). */
const accountRate = 2_500;

const edgeRules: Rule[] = [
  {
    name: "a route that needs no token may take only a part of what the account lets in",
    violations: (stack) => {
      const limits = stack.stages.find(({ api }) => api === "Api")?.throttledRoutes ?? {};
      const isBounded = (bound = accountRate) => bound > 0 && bound < accountRate;
      return [...openRoutes].filter((key) => !isBounded(limits[key]?.rate) || !isBounded(limits[key]?.burst));
    },
  },
  {
    name: "the HTTP routes without authorization are exactly webhook, OAuth callback, health and the OpenAPI document",
    violations: (stack) => {
      const open = stack.routes.filter(({ api, authorization }) => api === "Api" && authorization === "NONE");
      const keys = open.map(({ key }) => key);
      return [...keys.filter((key) => !openRoutes.has(key)), ...[...openRoutes].filter((key) => !keys.includes(key))];
    },
  },
  {
    name: "every other HTTP route wants the person's token, and a socket opens only through the ticket authorizer",
    violations: (stack) =>
      stack.routes
        .filter(({ api, key, authorization }) => {
          if (api === "Api") return !openRoutes.has(key) && authorization !== "JWT";
          return key === "$connect" && authorization !== "CUSTOM";
        })
        .map(({ key }) => key),
  },
  {
    name: "P1: API Gateway traces no data and writes no execution log",
    violations: (stack) =>
      stack.stages.filter(({ dataTrace, loggingLevel }) => dataTrace || loggingLevel !== "OFF").map(({ api }) => api),
  },
  {
    name: "P1: access logs hold no query string, body, header or authorizer's answer",
    violations: (stack) =>
      stack.stages
        .filter(({ accessLogFormat }) =>
          /querystring|requestOverride|context\.authorizer|context\.error\.message|input\b|header/i.test(
            accessLogFormat,
          ),
        )
        .map(({ api }) => api),
  },
  {
    name: "timers are tried again when they could not be started",
    violations: (stack) => stack.timers.filter(({ retries }) => retries < 1).map(({ name }) => name),
  },
];

/** What must be true of the stack wherever it is deployed. */
export const rules: readonly Rule[] = [...queueRules, ...storageRules, ...permissionRules, ...edgeRules];
