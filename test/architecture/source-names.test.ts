import { describe, expect, test } from "vitest";
import { connectorFolders, sources } from "./registry.ts";
import { code } from "./source-tree.ts";

/** How a source is named in code: its type, its connector's folder, its settings. */
const namesOf = (source: string) =>
  new RegExp(`["'\`]${source}["'\`]|connectors/${source}/|\\b${source.replace("-", "_").toUpperCase()}_`);
/** Other words some sources are known by. */
const alsoKnownAs = [/gmail|google/i, /\bFeed[A-Z]|feeds?\//];
const names = [...sources.map(namesOf), ...alsoKnownAs];

const hostsOfMail = "shared/scouts/connectors/mail/form/hosts.ts";

/** What serves every source alike: engine, queues, delivery, tables, timers, protocol. Comments count as well. */
const serving = [
  "events/queues.ts",
  "events/frames/",
  "events/ids.ts",
  "events/proposals/",
  "shared/scouts/",
  "shared/devices/",
  "shared/ports/",
  "shared/aws/",
  "shared/llm/",
  "shared/keys.ts",
  "shared/outcome/outcome.ts",
  "functions/worker/",
  "functions/cron/",
  "functions/socket/",
  "infra/queues.ts",
  "infra/storage.ts",
  "infra/crons.ts",
  "infra/alarms.ts",
  "device/connection/",
  "device/store/",
];

/** Where sources are named, and why there. */
const naming: readonly [path: string, why: string][] = [
  ...connectorFolders.map((folder): [string, string] => [folder, "the connector"]),
  ["functions/webhook/gmail.ts", "Gmail's push"],
  ["functions/api/", "consent: /gmail/connect, /complete and /callback"],
  ["functions/compose/connectors.ts", "the one registry"],
  ["functions/compose/work/imap.ts", "the connector that one function alone carries"],
  ["functions/compose/work/source-queues.ts", "which sources have a queue of their own"],
  ["functions/worker/imap.ts", "the worker of one source's queue"],
  ["functions/environment.ts", "names of settings"],
  ["infra/settings.ts", "values of settings"],
  ["infra/imap/", "the queue and the worker of one source"],
  ["infra/secrets.ts", "the OAuth client's secret"],
  ["infra/access.ts", "the OAuth client's secret"],
  ["infra/api.ts", "settings of the function that gives consent; the webhook's route"],
  ["infra/workers.ts", "settings, handed on"],
  ["infra/socket.ts", "settings, handed on"],
  ["events/http/consent.ts", "consent"],
  ["events/health.ts", "what a home on one machine began with"],
  ["events/webhooks.ts", "Gmail's notification"],
  ["device/connect/", "consent, the device's part"],
  ["device/sources/", "which sources take a consent"],
  ["cli/", "commands: what they say of the mailbox, setting Gmail up"],
  ["device/google/", "setting Pub/Sub up, pulling from it"],
  ["device/errors.ts", "what setting it up may meet"],
  ["device/errors/cures.ts", "the same, and what is done about it"],
  ["device/doctor/running-checks.ts", "what a home that is started from here would read"],
  ["infra/local/", "the person's mailbox on one machine"],
  ["infra/standins/", "the sources' stand-ins"],
  ["infra/model/triage/signals/signals.ts", "a word of mail that asks for passwords"],
  ["infra/model/triage/kinds/reason-code.ts", "the same"],
  ["infra/model/triage/lexicon/", "brands that mail names"],
  [hostsOfMail, "whose hosts anybody may have a mailbox or a page at"],
  ["shared/privacy/redaction/", "the form of Google's API keys, not a source"],
  ["shared/privacy/opaque.ts", "a comment on the ids of pushes"],
];

const within = (file: string, paths: readonly string[]) => paths.some((path) => file.startsWith(path));
const named = code.filter(({ text }) => names.some((name) => name.test(text))).map(({ path }) => path);

describe("a source is known to its connector, and to nobody who serves them all", () => {
  test("the registry was read: every folder of a connector is in it", () => {
    const folders = code.flatMap(
      ({ path }) => /^(shared\/scouts\/connectors\/[\w-]+\/)connector\.ts$/.exec(path)?.[1] ?? [],
    );
    expect([...connectorFolders].sort()).toEqual(folders.sort());
  });

  test("engine, queues, delivery and tables name no source", () => {
    const own = [...connectorFolders, "functions/worker/imap.ts", hostsOfMail];
    expect(named.filter((file) => within(file, serving) && !within(file, own))).toEqual([]);
  });

  test("wherever else one is named, it is for a reason given here", () => {
    const reasons = naming.map(([path]) => path);
    expect(named.filter((file) => !within(file, reasons))).toEqual([]);
  });

  test("and every reason given is one", () => {
    expect(naming.filter(([path]) => !named.some((file) => file.startsWith(path)))).toEqual([]);
  });
});
