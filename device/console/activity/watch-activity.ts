import { type ActivityStore, openActivityStore } from "../../activity/activity-store.ts";
import { Trails } from "../../activity/trails.ts";
import type { Clock } from "../../connection/clock.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { EventLog } from "../event-log.ts";

/** How often it is looked whether any program has asked or done something. */
const lookEveryMs = 500;

export interface WatchedActivity {
  readonly activity: ActivityStore;
  readonly trails: Trails;
  close(): void;
}

/** The device's activity, whoever's it is, told to every tab that looks. @throws DeviceError as {@link openActivityStore} */
export function watchActivity(store: DeviceStore, clock: Clock, log: EventLog): WatchedActivity {
  const now = () => clock.now();
  const activity = openActivityStore(store.dataFolder, { now, newId: store.newId });
  const trails = new Trails(store, now);
  const version = () => `${activity.foreignVersion()} ${trails.version()}`;
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
