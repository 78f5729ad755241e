import { systemClock } from "../../device/connection/clock.ts";
import { type ExitCode, exitCodes } from "../../device/exit-codes.ts";
import type { PullSource } from "../../device/google/pull.ts";
import { pull } from "../../device/google/pull.ts";
import type { TimeAndIds } from "../../device/time-and-ids.ts";
import { LocalHomeError } from "../../infra/local/errors.ts";
import { type ExternalServices, startExternalServices } from "../../infra/local/world/external-services.ts";
import { readEnvironment } from "../environment.ts";
import { backgroundWork } from "../home/background-work.ts";
import type { CliIo, UpOptions } from "../home/up-options.ts";
import { outputOn } from "../output/output.ts";
import type { GmailAccess } from "./gmail-access.ts";
import { ModelNews } from "./shown/told-model.ts";
import { stayUp } from "./stay-up.ts";
import { type HomeSettings, type SystemOn, startSystemOn } from "./system.ts";

export interface GmailSystemOptions extends HomeSettings {
  readonly openConsent: (url: string) => Promise<void>;
  readonly openSource: (subscription: string) => Promise<PullSource>;
  /** Told what keeps notifications from coming; mail is found by polling all the same. */
  readonly onProblem: (error: Error) => void;
}

/**
 * The product on one machine and a real Gmail account: no stand-in but who pushes, signing and posting to the webhook
 * what is pulled from the account's subscription.
 */
export async function startOnGmail(
  access: GmailAccess,
  options: GmailSystemOptions,
): Promise<SystemOn<ExternalServices>> {
  const system = await startSystemOn(
    options,
    () => worldOf(access, options),
    () => options.openConsent,
  );
  try {
    const source = await options.openSource(access.subscription);
    const puller = pull(source, (message) => system.world.push.forward(message), options.onProblem, systemClock);
    return {
      ...system,
      stop: async () => {
        await puller.close();
        await system.stop();
      },
    };
  } catch (error) {
    await system.stop();
    throw error;
  }
}

async function worldOf(access: GmailAccess, options: GmailSystemOptions): Promise<ExternalServices> {
  const services = await startExternalServices(options, access.subscription);
  const google = { ...access.addresses, GOOGLE_CLIENT_ID: access.clientId, GMAIL_TOPIC: access.topic };
  return {
    ...services,
    deploy: { ...services.deploy, ...google },
    secrets: { ...services.secrets, GoogleClientSecret: access.clientSecret },
  };
}

/** `scouts up` on a real account: stays up until interrupted. */
export async function runOnGmail(
  access: GmailAccess,
  options: UpOptions,
  io: CliIo,
  { now, newId }: TimeAndIds,
): Promise<ExitCode> {
  if (options.once || options.hostile) {
    throw new LocalHomeError("config_invalid", "--once and --hostile need a mailbox on this machine: give --mailbox.");
  }
  if (options.lookAt) {
    throw new LocalHomeError(
      "config_invalid",
      "--since, --limit and --labels need a mailbox on this machine: --mailbox.",
    );
  }
  const { openCloudSubscription } = await import("../../device/google/cloud-subscription.ts");
  const tell = (line: string) => void io.stderr.write(`${line}\n`);
  const system = await startOnGmail(access, {
    dataFolder: options.dataFolder,
    ...(options.port === undefined ? {} : { port: options.port }),
    environment: process.env,
    signal: io.signal,
    now,
    newId,
    openConsent: async (url) => tell(`Open this address in your browser to give access to the mailbox:\n${url}`),
    openSource: async (subscription) => openCloudSubscription(subscription),
    onProblem: ({ message }) => tell(`scouts: ${message} Mail is looked for every quarter of an hour meanwhile.`),
  });
  const background = backgroundWork(
    { ...system, newId, environment: readEnvironment(process.env), variables: process.env },
    options,
    io,
  );
  try {
    const output = outputOn(io);
    background.start();
    if (!options.json) output.line(output.style("dim", `Pulling ${access.subscription} (${system.world.modelName}).`));
    const news = new ModelNews(system.model, tell);
    await news.look();
    await stayUp(system, news, options, io, now);
    return exitCodes.done;
  } finally {
    await background.close();
    await system.stop();
  }
}
