import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { FurtherTool } from "../../device/access/mcp/further-tool.ts";
import { createMcpServer } from "../../device/access/mcp/server.ts";
import { type OpenProject, type OpenProjectOptions, openProject } from "../../device/access/open-project.ts";
import type { ApproverAtClient } from "../../device/activity/waiting-approver.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ManualClock } from "../device/manual-clock.ts";

export interface ServedSetting {
  readonly root: string;
  readonly dataFolder: string;
  readonly name?: string;
  readonly further?: readonly FurtherTool[];
  readonly withMail?: boolean;
  readonly paidSummaries?: OpenProjectOptions["paidSummaries"];
  readonly approver?: (client: ApproverAtClient) => OpenProjectOptions["approver"];
  /** What the person at the client answers; without it the client cannot ask. */
  readonly answer?: (message: string) => Promise<ElicitResult>;
  readonly clientName?: string;
}

export interface ServedClient {
  readonly client: Client;
  readonly projects: readonly OpenProject[];
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Called>;
  resource(uri: string): Promise<string>;
  end(): Promise<void>;
}

export interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly whole: unknown;
}

const texts = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().default("") })),
  isError: z.boolean().default(false),
});

/** The server of `scouts mcp` and the SDK's own client, in one process. */
export async function servedClient(setting: ServedSetting): Promise<ServedClient> {
  const {
    root,
    dataFolder,
    name,
    further = [],
    withMail = false,
    paidSummaries,
    answer,
    clientName = "test-client",
  } = setting;
  const projects: OpenProject[] = [];
  const { server, close } = await createMcpServer({
    version: "1",
    backend: "cloud",
    root: { folder: root, name },
    fallbackRoot: root,
    requireServable: () => undefined,
    further,
    withMail,
    clock: new ManualClock(),
    async open(folder, client) {
      const atClient = {
        approve: async (...asked: Parameters<typeof client.approve>) => (await client.approve(...asked)) === true,
      };
      const approver = setting.approver?.(client) ?? atClient;
      const opened = await openProject({ ...systemTimeAndIds, root: folder, dataFolder, approver, paidSummaries });
      projects.push(opened);
      return opened;
    },
  });
  const client = new Client(
    { name: clientName, version: "1" },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  await client.connect(here);
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= client.close().then(close));
  onTestFinished(end);
  return {
    client,
    projects,
    end,
    async call(tool, args = {}, signal) {
      const whole = await client.callTool({ name: tool, arguments: args }, undefined, signal && { signal });
      const { content, isError } = texts.parse(whole);
      return { text: content.map(({ text }) => text).join("\n"), isError, whole };
    },
    async resource(uri) {
      const { contents } = await client.readResource({ uri });
      return contents.map((each) => ("text" in each ? String(each.text) : "")).join("\n");
    },
  };
}
