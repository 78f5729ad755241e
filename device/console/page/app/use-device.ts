import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { proposalIsNow, refreshLists } from "../inbox/proposals.ts";
import { scanIsNow } from "../projects/scan-news.ts";
import { notifyOf } from "./notify.ts";
import { applyPreferences, loadPreferences } from "./preferences.ts";
import { listen, type StreamState } from "./stream.ts";
import { forgetToken, onTokenEnd, tokenOfTab } from "./tab.ts";

export interface DeviceState {
  readonly stream: StreamState;
  /** Whether the device reaches its cloud; undefined until it says so. */
  readonly online: boolean | undefined;
  /** Whether the mail that lay there when the device started is still being read. */
  readonly isReading: boolean;
}

/** Lists have a pace of their own, a text is asked of its source once, and what can be taken back when the tab is loaded. */
const askedElsewhere = new Set([
  "item",
  "proposals",
  "counts",
  "conversation",
  "brief",
  "connection",
  "data",
  "preview",
  "undoable",
]);

/** Least time between an event and what is asked for: others of the same moment say the same, or more. */
const togetherMs = 20;
const everything = "*";

/** Asks anew for what is another than it was, and once for what several events of one moment say. @returns what takes the names of queries */
function askTogether(client: QueryClient): (...names: readonly string[]) => void {
  const told = new Set<string>();
  const ask = () => {
    const names = new Set(told);
    told.clear();
    const isTold = (name: string) => names.has(name) || (names.has(everything) && !askedElsewhere.has(name));
    void client.invalidateQueries({
      predicate: ({ queryKey: [name, id] }) => isTold(String(name)) || names.has(`${name} ${id}`),
    });
    if (names.has("lists")) void refreshLists(client);
  };
  return (...names) => {
    if (told.size === 0) setTimeout(ask, togetherMs);
    for (const name of names) told.add(name);
  };
}

/** Keeps what is shown as the device has it, and says how the device is heard. */
export function useDevice(): DeviceState {
  const client = useQueryClient();
  const [stream, setStream] = useState<StreamState>(tokenOfTab() === null ? "refused" : "listening");
  const [online, setOnline] = useState<boolean>();
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (tokenOfTab() === null) return;
    const askAnew = askTogether(client);
    const end = new AbortController();
    const stop = onTokenEnd(() => {
      setStream("refused");
      end.abort();
    });
    void listen({
      signal: end.signal,
      onState: (state) => (state === "refused" ? forgetToken() : setStream(state)),
      onLine: ({ event }) => {
        if (event.type === "proposal") {
          proposalIsNow(client, event.proposal);
          notifyOf(event.proposal);
        } else if (event.type === "connection") {
          setOnline(event.online);
          askAnew("broken");
        } else if (event.type === "read") setReading(false);
        else if (event.type === "preferences") void applyPreferences(event.preferences);
        else if (event.type === "work") askAnew("work", "lists");
        else if (event.type === "activity" || event.type === "answers") askAnew(event.type);
        else if (event.type === "scouts") askAnew("scouts", "files", "broken", "lists");
        else if (event.type === "scan") scanIsNow(client, event);
        else if (event.type === "files") askAnew(`files ${event.project}`);
        if (event.type === "reset") {
          setOnline(event.online);
          setReading(event.isReading);
        }
        if (event.type === "reset" || event.type === "changed") {
          void loadPreferences();
          askAnew(everything, "lists");
        }
      },
    });
    return () => {
      stop();
      end.abort();
    };
  }, [client]);
  return { stream, online, isReading };
}
