import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { SettingsConnection, SourceConnector } from "../../shared/scouts/connectors/connector.ts";
import { seen } from "../../shared/scouts/connectors/metadata.ts";
import { type ApiSetting, apiSetting } from "../api/setting.ts";
import { cleanUp } from "../standins/mailbox-fixture.ts";
import { asOwner } from "../standins/owner.ts";
import type { ConsoleHome } from "./console-home.ts";
import { startConsole } from "./setting.ts";

/** A source that wants a secret, which is right when it is "open sesame". */
const lockedSettings = z.strictObject({
  host: z.string(),
  password: z.string(),
  port: z.number().int().min(1).max(65_535).optional(),
  most: z.number().int().min(10).max(500).optional(),
  folders: z.array(z.string()).optional(),
});
const settingsOf: SettingsConnection<z.infer<typeof lockedSettings>> = {
  schema: lockedSettings,
  secrets: ["password"],
  async verify(_, kept) {
    const { host, password } = kept.reveal().given;
    if (password !== "open sesame") throw new ScoutsError("source_credentials_refused");
    return { sees: seen(`Safe at ${host}`, { items: 1 }), identity: new Transient(host), cursor: "0" };
  },
};
const locked: SourceConnector = {
  sourceType: "locked",
  settings: settingsOf,
  pollOnly: true,
  sees: async () => seen("Safe", { items: 1 }),
  currentCursor: async () => "0",
  listNew: async () => ({ refs: [], cursor: "0" }),
  fetchMetadata: () => Promise.reject(new ScoutsError("item_gone")),
  fetchContent: () => Promise.reject(new ScoutsError("item_gone")),
  setupWatch: async () => undefined,
  stopWatch: async () => {},
};

export interface RealHome extends ConsoleHome {
  /** The home's API, on tables in memory. */
  readonly home: ApiSetting;
  readonly feeds: Feeds;
  /** Says yes on a source's consent page, as a person in a browser would. */
  consent(url: string): Promise<void>;
}

/** A console whose home is the real API, with a feed to read and a mailbox that asks for consent. */
export async function startConsoleOnHome(): Promise<RealHome> {
  const home = await apiSetting();
  // The registry is asked for each request.
  Object.assign(home.ports, { connectors: new Map([...home.ports.connectors, ["locked", locked]]) });
  onTestFinished(cleanUp);
  const feeds = await startFeeds();
  onTestFinished(() => feeds.close());
  for (const guid of ["one", "two"]) feeds.publish({ guid });
  const setting = await startConsole({ proposals: [] });
  setting.cloud.onRequest = (path, body, response) => {
    void answer(home, path, body, response);
    return "handled";
  };
  return {
    ...setting,
    home,
    feeds,
    async consent(url) {
      const page = await fetch(url, { headers: asOwner, redirect: "manual" });
      const back = new URL(page.headers.get("location") ?? "");
      const callback = await home.ask("GET", `${back.pathname}${back.search}`, { as: null });
      await (await fetch(callback.headers.get("location") ?? "")).text();
    },
  };
}

async function answer(
  home: ApiSetting,
  path: string,
  body: Buffer,
  response: ServerResponse<IncomingMessage>,
): Promise<void> {
  const text = body.toString("utf8");
  const reply = await home.ask(response.req.method ?? "GET", path, text === "" ? {} : { text });
  const headers = Object.fromEntries(reply.headers);
  delete headers["content-length"];
  response.writeHead(reply.status, headers).end(reply.body === undefined ? "" : JSON.stringify(reply.body));
}

const addedScout = z.object({ status: z.literal("done"), connected: z.object({ id: z.string(), name: z.string() }) });

/** Adds a feed over the console's API. @returns the scout's id */
export async function addFeed(setting: RealHome, token: string, name: string): Promise<string> {
  const url = setting.feeds.feedUrl();
  const body = { source: "feed", settings: { url }, name, purpose: "What is new?" };
  const reply = await setting.ask("POST", "/api/scouts", { token, body });
  return addedScout.parse(await reply.json()).connected.id;
}
