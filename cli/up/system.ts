import { createDevice, type Device } from "../../device/connection/device.ts";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import type { ScoutId } from "../../events/ids.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { type Home, type HomeOptions, startHome } from "../../infra/local/home.ts";
import { ensureScout, followConsent, type OpenConsent } from "./account.ts";
import { Counter } from "../../infra/local/up/census.ts";
import type { Ground } from "../../infra/local/world/ground.ts";
import { liftCaps } from "../../infra/local/up/own-tier.ts";
import { announce } from "../../infra/local/world/presence.ts";
import { startWorld, type World } from "../../infra/local/world/world.ts";

/** The one person of a local home. */
const owner = "owner";

export interface HomeSettings {
  readonly dataFolder: string;
  readonly port?: number;
  readonly hostileSeed?: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** What else the home is started with, for tests. */
  readonly home?: Pick<HomeOptions, "backOffMs" | "configFile" | "hostile" | "onLog" | "timers">;
}

export interface SystemOptions extends HomeSettings {
  readonly mailboxPath: string;
}

/** The whole product on one machine: the world outside, the cloud half, and one device. */
export interface SystemOn<W extends Ground> {
  readonly world: W;
  readonly home: Home;
  readonly device: Device;
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly scoutId: ScoutId;
  readonly counter: Counter;
  stop(): Promise<void>;
}

/** With a mailbox on this machine. */
export type LocalSystem = SystemOn<World>;

/** @throws StandInError, LocalHomeError, DeviceError, ScoutsError */
export function startSystem(options: SystemOptions): Promise<LocalSystem> {
  return startSystemOn(options, () => startWorld(options), followConsent);
}

/**
 * Starts everything, outermost first; what has started is stopped again when a later part fails.
 *
 * @throws StandInError, LocalHomeError, DeviceError, ScoutsError
 */
export async function startSystemOn<W extends Ground>(
  options: HomeSettings,
  startWorldOutside: () => Promise<W>,
  openConsent: OpenConsent,
): Promise<SystemOn<W>> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    const store = openDeviceStore({ dataFolder: options.dataFolder });
    stops.push(() => store.close());
    const world = await startWorldOutside();
    stops.push(() => world.close());
    const home = await startHome({
      dataDir: options.dataFolder,
      port: options.port ?? 0,
      deploy: world.deploy,
      secrets: world.secrets,
      endpoints: { kms: world.kmsUrl },
      ...(options.hostileSeed === undefined ? {} : { hostile: { seed: options.hostileSeed } }),
      ...options.home,
    });
    stops.push(() => home.stop());
    const user = userIdOf(world.issuer.url, owner);
    await liftCaps(home, user);
    world.push.setEndpoint(`${home.apiUrl}/api/v1/scouts/webhooks/gmail`);
    const api: CloudApi = { apiUrl: home.apiUrl, auth: () => world.issuer.token(owner) };
    const tokenUrl = `${world.issuer.url}/token`;
    stops.push(announce(options.dataFolder, { apiUrl: home.apiUrl, tokenUrl, clientId: owner }));
    const device = createDevice({ ...api, store });
    stops.push(() => device.close({ keepSession: true }));
    device.connect();
    const scoutId = await ensureScout(api, store.identity.get().deviceId, openConsent, options.signal);
    const counter = new Counter(home, user, scoutId);
    stops.push(() => counter.close());
    return { world, home, device, store, api, scoutId, counter, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
