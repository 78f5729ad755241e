import type { QueryClient } from "@tanstack/react-query";
import type { ConsoleEvent } from "../../contract.ts";
import { askAgainOnceAnswered } from "../app/query-client.ts";

type ScanEvent = Extract<ConsoleEvent, { readonly type: "scan" }>;
interface Scanned {
  readonly id: string;
  readonly scan: unknown;
}
interface Known {
  readonly project?: Scanned;
  readonly projects?: readonly Scanned[];
}

/** Shows how far a scan is on whatever shows its project; the rest of it stays as it is. */
export function scanIsNow(client: QueryClient, { project: id, scan }: ScanEvent): void {
  const now = <P extends Scanned>(known: P): P => (known.id === id ? { ...known, scan, state: "scanning" } : known);
  client.setQueriesData<Known>({ queryKey: ["scouts"] }, (known) => {
    if (known?.project !== undefined) return { ...known, project: now(known.project) };
    return known?.projects === undefined ? known : { ...known, projects: known.projects.map(now) };
  });
  askAgainOnceAnswered(client, ["scouts"]);
}
