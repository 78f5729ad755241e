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

/** Whether one of several things is waited for too long. @returns what notes how one of them is now, and what ends that */
function watchLate(setLate: (isLate: boolean) => void) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const late = new Set<string>();
  return {
    note(name: string, isWaited: boolean, mostMs: number): void {
      const timer = timers.get(name);
      if (!isWaited) {
        clearTimeout(timer);
        timers.delete(name);
        if (late.delete(name)) setLate(late.size > 0);
      } else if (timer === undefined) {
        const isNow = () => {
          late.add(name);
          setLate(true);
        };
        timers.set(name, setTimeout(isNow, mostMs));
      }
    },
    end(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** Whether something that the page shows was asked for long ago and is not answered, whatever of it was. */
export function useIsLate(): boolean {
  const client = useQueryClient();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const watch = watchLate(setLate);
    const stop = client.getQueryCache().subscribe(({ query }) => {
      const mostMs = query.meta?.["looksElsewhere"] === true ? elsewhereMs : patienceMs;
      watch.note(query.queryHash, isWaitedFor(query), mostMs);
    });
    return () => {
      stop();
      watch.end();
    };
  }, [client]);
  return isLate;
}

/** Of something that a person has the device do. */
export const isDeed = { isDeed: true } as const;

/** Whether the device was to do something long ago and has not said what came of it, on this page or one that was left. */
export function useIsDeedLate(): boolean {
  const client = useQueryClient();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const watch = watchLate(setLate);
    const stop = client.getMutationCache().subscribe(({ mutation }) => {
      if (mutation?.meta?.["isDeed"] !== true) return;
      watch.note(String(mutation.mutationId), mutation.state.status === "pending", patienceMs);
    });
    return () => {
      stop();
      watch.end();
    };
  }, [client]);
  return isLate;
}
