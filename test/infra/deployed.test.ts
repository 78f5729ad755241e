import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { evaluate } from "../../infra/local/graph.ts";
import { expectedGrants } from "./expected-grants.ts";
import { type Realised, realisedLocally, realisedOf } from "./from-local.ts";
import { inventoryOf } from "./from-pulumi.ts";
import type { Inventory, Lambda } from "./inventory.ts";
import { rules } from "./rules.ts";
import { declareStack, howToInstall, platformInstalled, root, secretNames } from "./stack.ts";

if (!platformInstalled) {
  console.warn(`skipped: test/infra/deployed.test.ts ${howToInstall}`);
  test.skip(`the stack that would be deployed ${howToInstall}`);
}

const item = <T>(list: T[], matches: (candidate: T) => boolean): T => {
  const found = list.find(matches);
  if (found === undefined) throw new Error("the mutation found nothing to break");
  return found;
};
const queue = (stack: Inventory, name: string) => item(stack.queues, (candidate) => candidate.name === name);
const table = (stack: Inventory, name: string) => item(stack.tables, (candidate) => candidate.name === name);
const bucket = (stack: Inventory) => item(stack.buckets, ({ name }) => name === "Transit");
const lambda = (stack: Inventory, handler: string) => item(stack.functions, (f) => f.handler.includes(handler));
const route = (stack: Inventory, key: string) => item(stack.routes, (candidate) => candidate.key === key);
const stage = (stack: Inventory, api: string) => item(stack.stages, (candidate) => candidate.api === api);

const grantList = ({ grants }: Pick<Lambda, "grants">) =>
  grants.flatMap(({ actions, resources }) => resources.flatMap((r) => actions.map((a) => `${a} on ${r}`))).sort();

/** By name instead of by order, and without the one address that is only known once a home exists. */
function comparable(home: Realised) {
  const keyed = <T>(list: readonly T[], key: (value: T) => string) =>
    Object.fromEntries(list.map((value) => [key(value), value]));
  return {
    ...home,
    queues: keyed(home.queues, ({ name }) => name),
    subscriptions: keyed(home.subscriptions, ({ queue }) => queue),
    tables: keyed(home.tables, ({ name }) => name),
    functions: keyed(
      home.functions.map((lambda) => {
        const { PUBLIC_URL, ...environment } = lambda.environment;
        return { ...lambda, environment, grants: grantList(lambda) };
      }),
      ({ handler }) => handler,
    ),
    routes: keyed(home.routes, ({ api, key }) => `${api} ${key}`),
    authorizers: keyed(home.authorizers, ({ api, kind }) => `${api} ${kind}`),
    timers: keyed(home.timers, ({ name }) => name),
    keys: keyed(home.keys, ({ name }) => name),
    secrets: [...home.secrets].sort(),
  };
}

/** Ways to break the stack, each with words of the rule that must notice. */
const mutations: [rule: string, (stack: Inventory) => void][] = [
  ["has a dead-letter queue of its own kind", (s) => delete queue(s, "Triage").deadLetters],
  ["has a dead-letter queue of its own kind", (s) => (queue(s, "SyncDeadLetters").fifo = false)],
  [
    "share a dead-letter queue",
    (s) => (queue(s, "Sync").deadLetters = { queue: "TriageDeadLetters", maxReceiveCount: 5 }),
  ],
  ["kept 14 days", (s) => (queue(s, "SyncDeadLetters").retentionSeconds = 345_600)],
  ["as long as SQS can keep them", (s) => (queue(s, "Triage").retentionSeconds = 345_600)],
  ["watches the depth", (s) => (item(s.alarms, ({ metric }) => metric.endsWith("Visible")).threshold = 100)],
  ["watches the depth", (s) => (item(s.alarms, ({ metric }) => metric.endsWith("Visible")).actions = 0)],
  ["is worked off", (s) => (item(s.alarms, ({ metric }) => metric.endsWith("OldestMessage")).actions = 0)],
  ["the dashboard shows", (s) => s.onDashboard.pop()],
  [
    "fails or is not let run",
    (s) => s.alarms.splice(0, s.alarms.length, ...s.alarms.filter((a) => a.name !== "HttpThrottles")),
  ],
  ["fails or is not let run", (s) => (item(s.alarms, ({ name }) => name === "SyncWorkerErrors").actions = 0)],
  ["timer that stops", (s) => (item(s.alarms, ({ name }) => name === "DueSilent").comparison = "GreaterThanThreshold")],
  [
    "whose every run fails",
    (s) => (item(s.alarms, ({ name }) => name === "SweepSilent").metric = "AWS/Lambda Invocations"),
  ],
  ["to its own queue", (s) => (item(s.subscriptions, ({ queue: q }) => q === "Triage").mayRecur = false)],
  [
    "to its own queue",
    (s) => {
      const worker = lambda(s, "worker/agent");
      worker.grants = worker.grants.filter(({ resources }) => !resources.includes("Agent"));
    },
  ],
  ["few of which most fail", (s) => (item(s.alarms, ({ name }) => name === "ApiMostlyFails").actions = 0)],
  ["sockets that fail", (s) => (item(s.alarms, ({ metric }) => metric.endsWith("IntegrationError")).actions = 0)],
  ["the functions count", (s) => (item(s.alarms, ({ name }) => name === "ModelBreakerOpen").metric = "Scouts Else")],
  ["a row in docs/operate.md", (s) => (item(s.alarms, ({ name }) => name === "DeadItems").name = "Unexplained")],
  ["bounded concurrency", (s) => delete item(s.subscriptions, ({ queue: q }) => q === "Sync").maximumConcurrency],
  ["worked by exactly one function", (s) => s.subscriptions.pop()],
  ["partial batch responses", (s) => (item(s.subscriptions, () => true).partialResponses = false)],
  ["visibility is at least six times", (s) => (queue(s, "Triage").visibilitySeconds = 30)],
  ["visibility is at least six times", (s) => (lambda(s, "worker/sync").timeoutSeconds = 900)],
  ["visibility is at least six times", (s) => (item(s.subscriptions, () => true).windowSeconds = 300)],
  ["leave deduplication to the sender's ids", (s) => (queue(s, "Sync").contentBasedDeduplication = true)],
  ["restored to any point", (s) => (table(s, "Ledger").pointInTimeRecovery = false)],
  ["Sessions keeps no backups", (s) => (table(s, "Sessions").pointInTimeRecovery = true)],
  ["no table has a stream", (s) => (table(s, "Ledger").stream = true)],
  ["buckets are private", (s) => (bucket(s).blocksPublicAccess = false)],
  ["over TLS only", (s) => (bucket(s).deniesPlainHttp = false)],
  ["forget within a day", (s) => (bucket(s).expiresAfterDays = [30])],
  ["forget within a day", (s) => (bucket(s).versioned = true)],
  ["the only bucket", (s) => (bucket(s).name = "ProjectFiles")],
  ["keys are rotated", (s) => (item(s.keys, () => true).rotates = false)],
  [
    "all actions of a service",
    (s) => lambda(s, "webhook").grants.push({ effect: "Allow", actions: ["sqs:*"], resources: ["Sync"] }),
  ],
  [
    "all actions of a service",
    (s) => lambda(s, "webhook").grants.push({ effect: "Allow", actions: ["kms:Decrypt"], resources: ["*"] }),
  ],
  ["no managed policy", (s) => lambda(s, "webhook").managedPolicies.push("AdministratorAccess")],
  ["kms:Decrypt is granted exactly", (s) => lambda(s, "webhook").links.push("VaultKeyRing")],
  [
    "kms:Decrypt is granted exactly",
    (s) =>
      lambda(s, "cron/due").grants.push({ effect: "Allow", actions: ["kms:Decrypt"], resources: ["SessionKeyRing"] }),
  ],
  ["logs are kept a month", (s) => delete lambda(s, "api/http").logRetentionDays],
  ["routes without authorization", (s) => (route(s, "ANY /api/v1/{proxy+}").authorization = "NONE")],
  ["routes without authorization", (s) => (route(s, "GET /health").authorization = "JWT")],
  ["only a part of what the account lets in", (s) => delete stage(s, "Api").throttledRoutes["GET /health"]],
  [
    "only a part of what the account lets in",
    (s) => (stage(s, "Api").throttledRoutes["GET /openapi.json"] = { burst: 100, rate: 10_000 }),
  ],
  ["opens only through the ticket", (s) => (route(s, "$connect").authorization = "NONE")],
  ["traces no data", (s) => (stage(s, "Socket").dataTrace = true)],
  ["traces no data", (s) => (stage(s, "Socket").loggingLevel = "INFO")],
  ["access logs hold no query string", (s) => (stage(s, "Api").accessLogFormat += "$context.querystring")],
  ["timers are tried again", (s) => (item(s.timers, () => true).retries = 0)],
];

describe.skipIf(!platformInstalled)("the stack that would be deployed", async () => {
  const declared = platformInstalled ? await declareStack("ci") : undefined;
  const stack = declared && inventoryOf(declared);
  if (!declared || !stack) return;

  test.each(rules.map((rule) => [rule.name, rule] as const))("%s", (_, rule) => {
    expect(rule.violations(stack)).toEqual([]);
  });

  test("least privilege: every function has exactly the grants of the table", () => {
    const granted = Object.fromEntries(stack.functions.map((lambda) => [lambda.handler, grantList(lambda)]));
    const expected = Object.fromEntries(Object.entries(expectedGrants).map(([k, v]) => [k, [...v].sort()]));
    expect(granted).toEqual(expected);
  });

  test("a function knows the name of every resource it may reach, and of no other", () => {
    for (const { handler, links, grants } of stack.functions) {
      const reached = grants
        .filter(({ actions }) => !actions.includes("sqs:ReceiveMessage"))
        .flatMap(({ resources }) => resources.map((resource) => resource.replace(/\/.*/, "")));
      const linked = links
        .filter((link) => /(Table|Queue|Bucket|KeyRing|Worker)$/.test(link))
        .map((link) => link.replace(/(Table|Queue|Bucket)$/, ""));
      expect(new Set(linked), handler).toEqual(new Set(reached.filter((resource) => resource !== "Socket")));
    }
  });

  test("every secret is one that docs/deploy.md tells how to make", () => {
    const guide = readFileSync(path.join(root, "docs/deploy.md"), "utf8");
    expect([...stack.secrets].sort()).toEqual([...secretNames]);
    expect(secretNames.filter((name) => !guide.includes(`sst secret set ${name}`))).toEqual([]);
  });

  test("P4: the local home has the same resources with the same names, settings, links and grants", async () => {
    const local = await evaluate({ stage: "ci" });
    expect(comparable(realisedLocally(local))).toEqual(comparable(realisedOf(stack)));
  });

  test("the provider's version is pinned", () => {
    expect(declared.app["providers"]).toEqual({ aws: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  test.each(mutations)("the rule “… %s …” notices when it is broken (%#)", (words, break_) => {
    const rule = item([...rules], ({ name }) => name.includes(words));
    const broken = structuredClone(stack);
    break_(broken);
    expect(rule.violations(broken)).not.toEqual([]);
  });

  test("every rule has a mutation that it notices", () => {
    expect(rules.filter(({ name }) => !mutations.some(([words]) => name.includes(words))).map((r) => r.name)).toEqual(
      [],
    );
  });
});
