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
import type * as Gmail from "../../shared/scouts/connectors/gmail/client.ts";
import type * as Session from "../../shared/scouts/connectors/imap/session.ts";
import { sstOptions } from "../bench/function-bundles.ts";
import { startScripted } from "../connectors/scripted-imap.ts";
import { ada, inbox } from "../unit/scouts/setting.ts";
import { root } from "./stack.ts";

/** A module as a function on AWS has it: bundled as SST does, what is loaded later in files beside it. */
async function bundled<Module>(file: string): Promise<Module> {
  const folder = mkdtempSync(path.join(tmpdir(), "scouts-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const { splitting } = functionDefaults.nodejs;
  await build({ ...sstOptions, splitting, entryPoints: [path.join(root, file)], outdir: folder, write: true });
  return import(pathToFileURL(path.join(folder, `${path.basename(file, ".ts")}.js`)).href);
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
  const { GmailClient } = await bundled<typeof Gmail>("shared/scouts/connectors/gmail/client.ts");
  const tokens = { accessToken: async () => new Transient("word"), refused: async () => {} };
  const client = new GmailClient(tokens, `http://127.0.0.1:${address.port}/`, () => 0);
  const answer = await client.call({ userId: ada, scoutId: inbox }, (users) =>
    users.messages.get({ userId: "me", id: "m1" }),
  );
  expect(answer.id).toBe("/gmail/v1/users/me/messages/m1 Bearer word");
});

test("a function that was bundled as SST does it finds the library for IMAP beside it at its first connection", async () => {
  const server = await startScripted();
  onTestFinished(() => server.close());
  const { openSession } = await bundled<typeof Session>("shared/scouts/connectors/imap/session.ts");
  const access = { host: "127.0.0.1", port: server.port, tls: "none", user: "ada@example.org" } as const;
  const client = await openSession(access, { pass: "a-password" }, { reach: "any" });
  onTestFinished(() => client.close());
  const folders = await client.list();
  expect(folders.map((each) => each.path)).toContain("INBOX");
});
