import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import type { WatchedModel } from "../../device/doctor/watched-model.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { requireSound } from "../../device/store/require-sound.ts";
import type { TimeAndIds } from "../../device/time-and-ids.ts";
import type { ScoutId } from "../../events/ids.ts";
import { type Home, type HomeOptions, startHome } from "../../infra/local/home.ts";
import { openLedger } from "../../infra/local/open-ledger.ts";
import { openAboutServer } from "../../infra/local/world/about-server.ts";
import type { ExternalServices } from "../../infra/local/world/external-services.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { startWorld, type World } from "../../infra/local/world/world.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import type { LookAt } from "../home/up-options.ts";
import { programVersion } from "../version.ts";
import { ensureScout, followConsent, type OpenConsent } from "./account.ts";
import { Counter, isModelRowDamaged } from "./item-counts.ts";
import { MailboxScout } from "./mailbox-scout.ts";
import { liftCaps } from "./own-tier.ts";
import { queuesOf, watchedModel } from "./running.ts";
import { tellOfNews } from "./tell-of-news.ts";

/** The one person of a local home. */
const owner = "owner";

export interface HomeSettings extends TimeAndIds {
  readonly dataFolder: string;
  readonly port?: number;
  readonly hostileSeed?: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** What else the home is started with, for tests. */
  readonly home?: Pick<HomeOptions, "backOffMs" | "configFile" | "delayMs" | "hostile" | "onLog" | "timers" | "warm">;
}

export interface SystemOptions extends HomeSettings {
  readonly mailboxPath: string;
  /** Which of its messages are looked at; everything received unless told. */
  readonly lookAt?: LookAt;
}

/** The whole product on one machine: the world outside, the cloud half, and one device. */
export interface SystemOn<W extends ExternalServices> {
  readonly world: W;
  readonly home: Home;
  readonly device: Device;
  readonly store: DeviceStore;
  readonly api: CloudApi;
  /** The scout on the home's own mailbox. */
  readonly scoutId: ScoutId;
  /** Its owner has removed it: nobody looks at that mailbox. */
  readonly isRemoved: boolean;
  /** Another was there before it: what had come by then is none of this one's. */
  readonly isMadeAnew: boolean;
  readonly model: WatchedModel;
  readonly counter: Counter;
  stop(): Promise<void>;
}

/** With a mailbox on this machine. */
export type LocalSystem = SystemOn<World>;

/** @throws StandInError, LocalHomeError, DeviceError, ScoutsError */
export function startSystem(options: SystemOptions): Promise<LocalSystem> {
  return startSystemOn(
    options,
    () => startWorld(options),
    (world) => followConsent(world.ownerSecret),
  );
}

/**
 * Starts everything, outermost first; what has started is stopped again when a later part fails.
 *
 * @throws StandInError, LocalHomeError, DeviceError, ScoutsError
 */
export async function startSystemOn<W extends ExternalServices>(
  options: HomeSettings,
  startWorldOutside: () => Promise<W>,
  consentOn: (world: W) => OpenConsent,
): Promise<SystemOn<W>> {
  const { dataFolder, now, newId, signal } = options;
  const startedAt = now();
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const store = openDeviceStore({ dataFolder, now, newId, passphrase: options.environment["SCOUTS_PASSPHRASE"] });
    stops.push(() => store.close());
    requireSound(store);
    // Who interrupts a start does not wait for the rest of it.
    signal.throwIfAborted();
    const world = await startWorldOutside();
    stops.push(() => world.close());
    signal.throwIfAborted();
    const home = await startHome({
      dataDir: dataFolder,
      port: options.port ?? 0,
      deploy: world.deploy,
      secrets: world.secrets,
      endpoints: { kms: world.kms },
      issuers: { [world.issuer.name]: world.issuer.url },
      ...(options.hostileSeed === undefined ? {} : { hostile: { seed: options.hostileSeed } }),
      ...options.home,
    });
    stops.push(() => home.stop());
    signal.throwIfAborted();
    const user = userIdOf(world.issuer.name, owner);
    await liftCaps(home, user);
    world.push.setEndpoint(`${home.apiUrl}/api/v1/scouts/webhooks/gmail`);
    const api: CloudApi = { apiUrl: home.apiUrl, auth: () => world.issuer.token(owner) };
    const stopping = new AbortController();
    stops.push(() => stopping.abort());
    const tell = (scout: ScoutId) => tellOfNews(api, scout, stopping.signal);
    world.mailboxes.onNews(async (scout) => void (await tell(scout)));
    world.mailListener.onNews(tell);
    const tokenUrl = `${world.issuer.url}/token`;
    const { ownerSecret: clientSecret, consentUrl } = world;
    const at = consentUrl === undefined ? {} : { consentUrl };
    const model = watchedModel(world, now);
    const { ledger, close: closeLedger } = openLedger(home);
    stops.push(closeLedger);
    const about = await openAboutServer(clientSecret, async (isModelAskedAnew) => ({
      version: programVersion(),
      dataFolder,
      startedAt,
      mail: consentUrl === undefined ? "account" : "mailbox",
      mailAway: world.mailAway?.(),
      mailUnread: [...(world.mailUnread?.() ?? []), ...world.mailboxes.unread()],
      mailTwice: [...(await world.mailboxes.readTwice())],
      model: await model.about(isModelAskedAnew),
      isModelRowDamaged: await isModelRowDamaged(ledger),
      queues: queuesOf(home),
      queueTrouble: home.queueTrouble(),
    }));
    stops.push(() => about.close());
    const aboutUrl = `${about.url}/about`;
    const presence = { apiUrl: home.apiUrl, tokenUrl, clientId: owner, clientSecret, aboutUrl, ...at };
    stops.push(announce(dataFolder, presence));
    const device = new Device({ ...api, ...systemPorts, store });
    stops.push(() => device.close({ keepSession: true }));
    device.connect();
    const made = new MailboxScout(dataFolder);
    const found = await ensureScout(api, store.identity.get().deviceId, consentOn(world), signal, made);
    const { scoutId, isRemoved, isMadeAnew } = found;
    await lookAtMailServers(api, tell);
    signal.throwIfAborted();
    const counter = new Counter(home, user, scoutId, startedAt, now);
    stops.push(() => counter.close());
    return { world, home, device, store, api, scoutId, isRemoved, isMadeAnew, model, counter, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What came while the home was down is found, and from then on mail servers are listened to (infra/local/world). */
async function lookAtMailServers(api: CloudApi, tell: (scout: ScoutId) => Promise<unknown>): Promise<void> {
  for (const { id, sourceType } of await listScouts(api)) if (sourceType === "imap") await tell(id);
}
