import { join } from "node:path";
import type { Mailbox } from "../../standins/mailbox/mailbox.ts";
import { startMailbox } from "../../standins/mailbox/start.ts";
import type { LookAt, Watched } from "../../standins/mailbox/store/selection.ts";
import { seededRandom } from "../../standins/seeded-random.ts";
import { type ExternalServices, type ExternalServicesOptions, startExternalServices } from "./external-services.ts";

/** The owner of the local mailbox, and what the deployment is told of Google's side. */
const address = "you@example.com";
const project = "projects/local";
const clientId = "scouts-local.apps.googleusercontent.com";
/** A file on this disk has no quota; the product's own budget is tested against Google's real figures elsewhere. */
const unitsPerMinute = 1e12;
const unlimited = { unitsPerUserMinute: unitsPerMinute, unitsPerProjectMinute: unitsPerMinute };

export interface WorldOptions extends ExternalServicesOptions {
  readonly mailboxPath: string;
  readonly lookAt?: LookAt;
}

/** Messages of the mailbox that are not looked at, by where they lie or by the choice that leaves them out. */
export type NotLookedAt = Watched["aside"];

/** Everything outside the product, with a mailbox on this machine in Gmail's place. */
export interface World extends ExternalServices {
  readonly mailbox: Mailbox;
}

/** @throws StandInError, LocalHomeError */
export async function startWorld(options: WorldOptions): Promise<World> {
  const own = { path: options.mailboxPath, address };
  const services = await startExternalServices(options, `${project}/subscriptions/scouts-gmail`, own);
  try {
    const mailbox = services.keep(
      await startMailbox({
        path: options.mailboxPath,
        ...(options.lookAt && { lookAt: options.lookAt }),
        stateDir: join(options.dataFolder, "world", "mailbox"),
        address,
        oauth: {
          clientId,
          clientSecret: services.secrets["GoogleClientSecret"] ?? "",
          ownerSecret: services.ownerSecret,
        },
        push: (notification) => void services.push.publish(notification),
        limits: unlimited,
        ...(options.hostileSeed === undefined ? {} : { random: seededRandom(options.hostileSeed) }),
      }),
    );
    const deploy = {
      ...services.deploy,
      GMAIL_UNITS_PER_MINUTE: String(unitsPerMinute),
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_AUTH_URL: mailbox.authUrl,
      GOOGLE_TOKEN_URL: mailbox.tokenUrl,
      GOOGLE_REVOKE_URL: mailbox.revokeUrl,
      GMAIL_API_URL: `${mailbox.url}/`,
      GMAIL_TOPIC: `${project}/topics/scouts-gmail`,
    };
    const mailAway = () => (mailbox.isReadable() ? undefined : options.mailboxPath);
    return { ...services, deploy, mailbox, consentUrl: mailbox.authUrl, mailAway, mailUnread: mailbox.unread };
  } catch (error) {
    await services.close();
    throw error;
  }
}
