import { type ActivityStore, openActivityStore } from "../../activity/activity-store.ts";
import { Trails } from "../../activity/trails.ts";
import type { Clock } from "../../connection/clock.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { EventLog } from "../news/event-log.ts";

/** How often it is looked whether any program has asked or done something: of an idle device, most of what it does. */
const lookEveryMs = 1_000;

export interface WatchedActivity {
  readonly activity: ActivityStore;
  readonly trails: Trails;
  close(): void;
}

interface WatchParts {
  readonly store: DeviceStore;
  readonly clock: Clock;
  readonly log: EventLog;
  /** Hears why a look failed, once until another reason or none. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * The device's activity, whoever's it is, told to every tab that looks.
 *
 * @throws DeviceError as {@link openActivityStore}
 */
export function watchActivity({ store, clock, log, onProblem }: WatchParts): WatchedActivity {
  const now = () => clock.now();
  const activity = openActivityStore(store.dataFolder, { now, newId: store.newId });
  const trails = new Trails(store, now);
  const tell = tellOnce(onProblem);
  const version = () => {
    try {
      const text = `${activity.foreignVersion()} ${trails.version()}`;
      tell(trails.unreadable()[0]?.error);
      return text;
    } catch (error) {
      tell(error);
      return undefined;
    }
  };
  let seen = version();
  let cancel = () => {};
  const watch = () => {
    cancel = clock.after(lookEveryMs, () => {
      const at = version();
      if (at !== seen) log.add({ type: "activity" });
      seen = at;
      watch();
    });
  };
  watch();
  return {
    activity,
    trails,
    close() {
      cancel();
      trails.close();
      activity.close();
    },
  };
}

/** Tells what is new: the same once until another or none. */
function tellOnce(onProblem: (error: unknown) => void): (error: unknown) => void {
  let told: string | undefined;
  return (error) => {
    const text = error === undefined ? undefined : String(error);
    if (text !== undefined && text !== told) onProblem(error);
    told = text;
  };
}
