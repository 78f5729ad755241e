import type { QueryClient } from "@tanstack/react-query";
import type { ConsoleEvent } from "../../contract.ts";

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
  for (const name of ["project", "projects"]) askAgainOnceAnswered(client, name);
}

/**
 * What is being asked for is asked for once more when it is answered: that answer may be older than the news, and a scan's last news
 * is not followed by another. It is not cut off: on a slow line, with news after news, it would never come.
 */
function askAgainOnceAnswered(client: QueryClient, name: string): void {
  const asked = client.getQueryCache().findAll({ queryKey: ["scouts", name], fetchStatus: "fetching" });
  for (const { queryKey, promise } of asked) {
    const askAgain = () => client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
    void promise?.then(askAgain, askAgain);
  }
}
