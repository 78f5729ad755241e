import { type Command, InvalidArgumentError, Option } from "commander";
import type { PubSubAdmin } from "../../device/google/pubsub-admin.ts";
import { type GmailSetup, namesOf, planSetup, type Step } from "../../device/google/setup-plan.ts";
import type { CliContext } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";

interface SetupFlags {
  readonly project: string;
  readonly topic: string;
  readonly subscription: string;
  readonly endpoint?: string;
  readonly serviceAccount?: string;
  readonly audience: string;
  readonly pull?: boolean;
  readonly projectNumber?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Opens Pub/Sub's administration; Google's client is loaded only when it is needed. */
export type OpenPubSub = (project: string, projectNumber?: string) => Promise<PubSubAdmin>;

const openGoogle: OpenPubSub = async (project, projectNumber) => {
  const { openCloudPubSub } = await import("../../device/google/cloud-pubsub.ts");
  return openCloudPubSub(project, projectNumber);
};

function matching(pattern: RegExp, what: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`It is not ${what}.`);
  };
}

/** Pub/Sub's rule for ids of topics and subscriptions, leaving room for our `-dead-letters`. */
const resourceId = matching(/^(?!goog)[A-Za-z][\w.~+%-]{2,239}$/, "an id of Pub/Sub, such as scouts-gmail");
const httpsUrl = (text: string): string => {
  if (URL.parse(text)?.protocol === "https:") return text;
  throw new InvalidArgumentError("It is not an https address: Google pushes to no other.");
};

/** `scouts gmail setup`: what Gmail's notifications need on Google's side. */
export function addGmail(program: Command, context: CliContext, open: OpenPubSub = openGoogle): void {
  const gmail = program.command("gmail").description("what Gmail needs on Google's side");
  gmail
    .command("setup")
    .summary("make topic, subscription and permissions of Gmail's notifications")
    .description(
      "Makes the Pub/Sub topic Gmail publishes to, the subscription that hands its notifications to scouts, and the " +
        "permissions both need. Run again it changes only what differs. See docs/connect-gmail.md.",
    )
    .requiredOption(
      "--project <id>",
      "the project of the OAuth client",
      matching(/^[a-z][a-z0-9:.-]{4,60}$/, "a project id"),
    )
    .requiredOption("--topic <id>", "the topic Gmail publishes to", resourceId)
    .requiredOption("--subscription <id>", "the subscription of this deployment", resourceId)
    .option("--endpoint <url>", "the webhook: <api>/api/v1/scouts/webhooks/gmail", httpsUrl)
    .option(
      "--service-account <email>",
      "the account pushes are signed as",
      matching(/^[^@\s]+@[^@\s]+$/, "an address"),
    )
    .option("--audience <text>", "the audience pushes name", "scouts-gmail-webhook")
    .addOption(
      new Option("--pull", "for a home without a public address, which pulls").conflicts([
        "endpoint",
        "serviceAccount",
      ]),
    )
    .option(
      "--project-number <number>",
      "the project's number, when it cannot be asked for",
      matching(/^\d+$/, "a number"),
    )
    .option("--dry-run", "say what would be done, and do nothing")
    .option("--json", "print JSON for programs")
    .action(async (flags: SetupFlags, command: Command) => {
      const setup = setupOf(flags);
      if (!setup) return command.error("error: --endpoint and --service-account are needed, or --pull");
      await runSetup(setup, flags, outputOn(context.io), open);
    });
}

function setupOf({ project, topic, subscription, pull, ...flags }: SetupFlags): GmailSetup | undefined {
  if (pull) return { project, topic, subscription };
  const { endpoint, serviceAccount, audience } = flags;
  if (endpoint === undefined || serviceAccount === undefined) return undefined;
  return { project, topic, subscription, push: { endpoint, serviceAccount, audience } };
}

async function runSetup(setup: GmailSetup, flags: SetupFlags, output: Output, open: OpenPubSub): Promise<void> {
  const admin = await open(setup.project, flags.projectNumber);
  try {
    const steps = await planSetup(admin, setup);
    for (const step of steps) {
      if (!flags.json) show(output, step, flags.dryRun ?? false);
      if (!flags.dryRun && step.action !== "exists") await step.apply();
    }
    const settings = settingsOf(setup);
    if (flags.json) {
      const told = steps.map(({ what, name, action, changes }) => ({ what, name, action, changes }));
      output.json({ dryRun: flags.dryRun ?? false, steps: told, settings });
    } else {
      output.line();
      output.line("Settings to go with it:");
      for (const [name, value] of Object.entries(settings)) output.line(`  ${name}=${printable(value)}`);
    }
  } finally {
    await admin.close();
  }
}

const verbs = {
  exists: ["exists", "exists"],
  create: ["created", "would be created"],
  change: ["changed", "would be changed"],
} as const;

function show(output: Output, { what, name, action, changes }: Step, dryRun: boolean): void {
  const verb = verbs[action][dryRun ? 1 : 0];
  output.line(`${output.style(action === "exists" ? "dim" : "green", verb.padEnd(17))}${what}  ${printable(name)}`);
  for (const change of changes) output.line(`${" ".repeat(17)}  ${printable(change)}`);
}

/** What the deployment has to be told (infra/settings.ts), or the home that pulls. */
function settingsOf(setup: GmailSetup): Record<string, string> {
  const { topic, subscription } = namesOf(setup);
  if (!setup.push) return { GMAIL_TOPIC: topic, SCOUTS_PUBSUB_SUBSCRIPTION: subscription };
  const { serviceAccount, audience } = setup.push;
  return {
    GMAIL_TOPIC: topic,
    PUSH_SUBSCRIPTION: subscription,
    PUSH_SERVICE_ACCOUNT: serviceAccount,
    PUSH_AUDIENCE: audience,
  };
}
