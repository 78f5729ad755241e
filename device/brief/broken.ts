import { isScoutsError, type ScoutsError } from "../../events/errors.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { isConnected } from "../connection/is-connected.ts";
import type { Check } from "../doctor/checks.ts";
import { type DeviceError, isDeviceError } from "../errors.ts";
import { type LocalScout, localScouts } from "../folders/local-scouts.ts";
import { type Failing, failingIn, type Trouble, troublesIn, vanishedIn } from "../sources/trouble.ts";
import type { DeviceStore } from "../store/open.ts";
import type { WaitingCause } from "../store/tables/waiting-scouts.ts";

/** What keeps something from reaching the person, and is theirs or somebody's to mend. */
export type Broken =
  /** The device is not connected: nothing new arrives. Why, where that is known. */
  | { readonly what: "offline"; readonly code: string | null; readonly since: number | null }
  /** The home could not be asked how its scouts fare. */
  | { readonly what: "home"; readonly error: DeviceError | ScoutsError }
  | { readonly what: "off"; readonly trouble: Trouble }
  | { readonly what: "failing"; readonly failing: Failing }
  /** Mail on the home's machine cannot be read. */
  | { readonly what: "mail"; readonly check: Check }
  /** Scouts wait for something: the language model, mostly. */
  | { readonly what: "waiting"; readonly cause: WaitingCause }
  | { readonly what: "folder"; readonly folder: LocalScout & { readonly trouble: NonNullable<LocalScout["trouble"]> } };

/** What is asked of the home. */
export interface AskedHome {
  /** Every scout. */
  scouts(): Promise<readonly ScoutResponse[]>;
  /** What keeps mail on its machine from being read. */
  mail(): Promise<Check | undefined>;
}

/**
 * What is broken now, what concerns most first. The home is asked for its scouts, which the device keeps; where it does not
 * answer, what this device was told counts.
 *
 * @param home what is asked of it
 */
export async function whatIsBroken(store: DeviceStore, home: AskedHome, nowMs: number): Promise<Broken[]> {
  const { readyAt, seenAt, troubleCode, troubleAt } = store.identity.get();
  const isOffline = !isConnected({ readyAt, seenAt }, nowMs);
  const [asked, mail] = await Promise.all([askedFor(home.scouts), home.mail().catch(unknown)]);
  const listed = "listed" in asked ? asked.listed : undefined;
  if (listed !== undefined) store.knownScouts.replace(listed);
  const known = store.knownScouts.off();
  const off: readonly Trouble[] = listed === undefined ? known : [...troublesIn(listed, known), ...vanishedIn(known)];
  return [
    ...(isOffline ? [{ what: "offline", code: troubleCode, since: troubleAt ?? seenAt } as const] : []),
    // Who is not connected has been told so.
    ...("error" in asked && !isOffline ? [{ what: "home", error: asked.error } as const] : []),
    ...(mail === undefined ? [] : [{ what: "mail", check: mail } as const]),
    ...store.waitingScouts.causes().map((cause) => ({ what: "waiting", cause }) as const),
    ...off.map((trouble) => ({ what: "off", trouble }) as const),
    ...failingIn(listed ?? []).map((failing) => ({ what: "failing", failing }) as const),
    ...localScouts(store).flatMap(({ trouble, ...folder }) =>
      trouble === null ? [] : [{ what: "folder", folder: { ...folder, trouble } } as const],
    ),
  ];
}

type Asked = { readonly listed: readonly ScoutResponse[] } | { readonly error: DeviceError | ScoutsError };

async function askedFor(scouts: () => Promise<readonly ScoutResponse[]>): Promise<Asked> {
  try {
    return { listed: await scouts() };
  } catch (error) {
    if (isDeviceError(error) || isScoutsError(error)) return { error };
    throw error;
  }
}

/** Whoever cannot ask the home is told so once, by what became of its scouts. */
function unknown(error: unknown): undefined {
  if (!isDeviceError(error)) throw error;
}
