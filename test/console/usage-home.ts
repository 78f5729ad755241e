import type { ServerResponse } from "node:http";
import type { UsageResponse } from "../../events/http/usage.ts";
import { type ConsoleHome, inbox, scoutId } from "./console-home.ts";
import { startConsole } from "./setting.ts";

const noTokens = { used: 0, committed: 0, limit: null, within: [] };

/** A home that says what was used, until it does not answer, or cannot read all of it. */
export async function startCounting(): Promise<
  ConsoleHome & { isAway: boolean; isTorn: boolean; readonly project: string }
> {
  const home = await startConsole({ proposals: [] });
  const { id: project } = home.store.projects.add("Garden");
  const usage: UsageResponse = {
    tier: "free",
    month: "2026-11",
    resetsAt: Date.UTC(2026, 11, 1),
    features: [
      {
        feature: "triage",
        used: 1_234_567,
        committed: 1_234_567,
        limit: null,
        within: [{ id: scoutId, tokens: 1_234_567 }],
      },
      {
        feature: "folder_index",
        used: 90_000,
        committed: 95_000,
        limit: 100_000,
        within: [{ id: project, tokens: 95_000 }],
      },
      {
        feature: "agents",
        ...noTokens,
        within: [
          { id: "sct_gone", tokens: 7 },
          { id: "home", tokens: 5 },
        ],
      },
      { feature: "categorize", ...noTokens, limit: 0 },
    ],
    past: [
      { month: "2026-10", features: [{ feature: "triage", used: 500, within: [] }] },
      { month: "2026-09", features: [] },
    ],
  };
  const torn: UsageResponse = {
    ...usage,
    tier: "unknown",
    features: usage.features.filter(({ feature }) => feature !== "triage").map((each) => ({ ...each, limit: null })),
    damaged: ["account", "triage"],
  };
  const setting = Object.assign(home, { isAway: false, isTorn: false, project });
  home.cloud.onRequest = (path, _body, response: ServerResponse) => {
    response.setHeader("content-type", "application/json");
    if (setting.isAway) response.writeHead(502).end("{}");
    else if (path.startsWith("/api/v1/usage"))
      response.end(JSON.stringify(path.includes("months=12") ? (setting.isTorn ? torn : usage) : {}));
    else if (path.startsWith("/api/v1/scouts?")) response.end(JSON.stringify({ scouts: [inbox], nextCursor: null }));
    else return "default";
    return "handled";
  };
  return setting;
}
