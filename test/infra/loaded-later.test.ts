import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { functionDefaults } from "../../infra/functions.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { sstOptions } from "../bench/function-bundles.ts";
import { ada, inbox } from "../unit/scouts/setting.ts";
import { root } from "./stack.ts";

/** The client of Gmail as a function on AWS has it: bundled as SST does, the library in a file beside it. */
async function bundledClient(): Promise<typeof GmailClient> {
  const folder = mkdtempSync(path.join(tmpdir(), "scouts-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const client = path.join(root, "shared/scouts/connectors/gmail/client.ts");
  const { splitting } = functionDefaults.nodejs;
  await build({ ...sstOptions, splitting, entryPoints: [client], outdir: folder, write: true });
  return (await import(pathToFileURL(path.join(folder, "client.js")).href)).GmailClient;
}

test("a function that was bundled as SST does it finds Gmail's library beside it at its first call", async () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: `${request.url} ${request.headers.authorization}` }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it listens on a port");
  const Client = await bundledClient();
  const tokens = { accessToken: async () => new Transient("word"), refused: async () => {} };
  const client = new Client(tokens, `http://127.0.0.1:${address.port}/`, () => 0);
  const answer = await client.call({ userId: ada, scoutId: inbox }, (users) =>
    users.messages.get({ userId: "me", id: "m1" }),
  );
  expect(answer.id).toBe("/gmail/v1/users/me/messages/m1 Bearer word");
});
