import { useQueryClient } from "@tanstack/react-query";
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

/** Keeps what is shown as the device has it, and says how the device is heard. */
export function useDevice(): DeviceState {
  const client = useQueryClient();
  const [stream, setStream] = useState<StreamState>(tokenOfTab() === null ? "refused" : "listening");
  const [online, setOnline] = useState<boolean>();
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (tokenOfTab() === null) return;
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
          void client.invalidateQueries({ queryKey: ["broken"] });
        } else if (event.type === "read") setReading(false);
        else if (event.type === "preferences") void applyPreferences(event.preferences);
        else if (event.type === "work") {
          void client.invalidateQueries({ queryKey: ["work"] });
          void refreshLists(client);
        } else if (event.type === "activity") void client.invalidateQueries({ queryKey: ["activity"] });
        else if (event.type === "answers") void client.invalidateQueries({ queryKey: ["answers"] });
        else if (event.type === "scouts") {
          void client.invalidateQueries({ queryKey: ["scouts"] });
          void client.invalidateQueries({ queryKey: ["files"] });
          void client.invalidateQueries({ queryKey: ["broken"] });
          void refreshLists(client);
        } else if (event.type === "scan") scanIsNow(client, event);
        else if (event.type === "files") void client.invalidateQueries({ queryKey: ["files", event.project] });
        if (event.type === "reset") {
          setOnline(event.online);
          setReading(event.isReading);
        }
        if (event.type === "reset" || event.type === "changed") {
          void loadPreferences();
          void client.invalidateQueries({ predicate: ({ queryKey }) => !askedElsewhere.has(String(queryKey[0])) });
          void refreshLists(client);
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
