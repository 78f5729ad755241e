import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { createMcpServer } from "../../device/access/mcp/server.ts";
import { openProject } from "../../device/access/open-project.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryFolder } from "../device/setting.ts";

test("nothing silent: a client that asks for progress hears while a folder is looked at for the first time, and one that does not, does not", async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, "a.md"), "The pump is in the shed.\n");
  const clock = new ManualClock();
  const begun = Promise.withResolvers<void>();
  const mayOpen = Promise.withResolvers<void>();
  const { server, close } = await createMcpServer({
    version: "1",
    backend: "cloud",
    root: undefined,
    fallbackRoot: root,
    requireServable: () => undefined,
    further: [],
    withMail: false,
    clock,
    async open(folder) {
      begun.resolve();
      await mayOpen.promise;
      const approver = { approve: async () => false };
      return openProject({ ...systemTimeAndIds, root: folder, dataFolder: temporaryFolder(), approver });
    },
  });
  const client = new Client({ name: "test-client", version: "1" }, { capabilities: {} });
  const unasked: unknown[] = [];
  client.fallbackNotificationHandler = async (notification) => void unasked.push(notification);
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  await client.connect(here);
  onTestFinished(() => client.close().then(close));

  const heard: Progress[] = [];
  const read = { name: "read_file", arguments: { path: "a.md" } };
  const told = client.callTool(read, undefined, { onprogress: (progress) => heard.push(progress) });
  const untold = client.callTool(read);
  await begun.promise;
  clock.advance(15_000);
  mayOpen.resolve();
  const answers = await Promise.all([told, untold]);

  expect(answers.map(({ isError }) => isError)).toEqual([false, false]);
  expect(heard.map(({ progress }) => progress)).toEqual([5, 10, 15]);
  expect(heard[0]?.message).toBe("The folder is being looked at; that takes longest the first time.");
  expect(unasked).toEqual([]);
  clock.advance(60_000);
  expect(heard).toHaveLength(3);
});
