import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { patienceMs } from "./tab.ts";

/** Of something that is answered when somebody has done something, however long that takes. */
export const waitsForPerson = { waitsForPerson: true } as const;
/** Of a look at what is not the device's own, a mail server or a large folder on a slow disk: nothing is wrong when it takes a while. */
export const looksElsewhere = { looksElsewhere: true } as const;

/** A home gives a source twenty seconds; a folder takes as long as its disk does. */
const elsewhereMs = 60_000;

const isWaitedFor = (query: Query): boolean =>
  query.state.fetchStatus === "fetching" && query.isActive() && query.meta?.["waitsForPerson"] !== true;

/** Whether something that the page shows was asked for long ago and is not answered, whatever of it was. */
export function useIsLate(): boolean {
  const client = useQueryClient();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const late = new Set<string>();
    const stop = client.getQueryCache().subscribe(({ query }) => {
      const { queryHash: name } = query;
      const timer = timers.get(name);
      if (!isWaitedFor(query)) {
        clearTimeout(timer);
        timers.delete(name);
        if (late.delete(name)) setLate(late.size > 0);
      } else if (timer === undefined) {
        const isNow = () => {
          late.add(name);
          setLate(true);
        };
        timers.set(name, setTimeout(isNow, query.meta?.["looksElsewhere"] === true ? elsewhereMs : patienceMs));
      }
    });
    return () => {
      stop();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [client]);
  return isLate;
}
