import { ImapFlow } from "imapflow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { askCloud } from "../../device/connect/cloud-api.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { type CreatedScoutResponse, createdScoutResponse } from "../../events/http/scouts.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import type { ImapPeer } from "../peers/imap/peer.ts";
import { writeCanaryMail } from "../privacy/canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "../privacy/canary-system.ts";
import type { Finding } from "../privacy/scan/scanner.ts";

/** A mailbox on the whole product, as deployed, with words in every place that must not be found at rest. */
export function mailboxOnHome(name: string, start: () => Promise<ImapPeer>): void {
  describe(`a mailbox on the local home (${name})`, () => {
    let peer: ImapPeer;
    let model: ScriptedModel;
    let running: CanarySystem;
    let made: CreatedScoutResponse;
    let proposal: StoredProposal;
    let full: string;
    let refused: unknown;
    let inStores: Finding[];
    let inFiles: Finding[];
    const prompts: string[] = [];
    const words: Record<string, string> = {};

    beforeAll(async () => {
      model = await startScriptedModel((prompt) => {
        prompts.push(prompt);
        return relevant();
      });
      running = await startCanarySystem(writeCanaryMail, {
        environment: { ...model.environment, IMAP_ADDRESSES: "any" },
      });
      await running.loadImapWorker();
      const { system, canaries } = running;
      for (const what of ["folder", "password", "id", "subject", "text", "sender", "file", "list", "old"]) {
        words[what] = canaries.plant(`${what} of the mailbox`);
      }
      peer = await start();
      await peer.setPassword(`${words["password"]}`);
      const auth = { user: peer.user, pass: `${words["password"]}` };
      const owner = new ImapFlow({
        host: "127.0.0.1",
        port: peer.plain,
        secure: false,
        doSTARTTLS: false,
        auth,
        logger: false,
      });
      await owner.connect();
      const folder = `Bücher & ${words["folder"]}`;
      await owner.mailboxCreate(folder);
      await owner.append(folder, letter({ ...words, subject: `${words["old"]}` }));
      const settings = {
        host: "127.0.0.1",
        port: peer.plain,
        tls: "none",
        user: peer.user,
        folders: ["INBOX", folder],
      };
      const body = { sourceType: "imap", name: "Post", purpose: "What matters?" };
      const ask = (password: string) =>
        askCloud(system.api, "POST", "/api/v1/scouts", createdScoutResponse, {
          ...body,
          settings: { ...settings, password },
        });
      refused = await ask("wrong").catch((error: unknown) => error);
      made = await ask(`${words["password"]}`);
      await system.home.whenIdle(new AbortController().signal);
      // The home listens to the server too: the letter may be there before anybody asks for it.
      const arrived = Promise.withResolvers<StoredProposal>();
      system.device.events.on("proposal", (each) => {
        if (each.sourceType === "imap") arrived.resolve(each);
      });
      await owner.append(folder, letter(words));
      await owner.logout();
      await askCloud(system.api, "POST", `/api/v1/scouts/${made.id}/run`, z.unknown());
      proposal = await arrived.promise;
      full = (await system.device.requestItem(proposal.id)).text;
      await system.home.whenIdle(new AbortController().signal);
      inStores = await running.lookIntoStores();
      await askCloud(system.api, "DELETE", `/api/v1/scouts/${made.id}`, z.unknown());
      inFiles = await running.stopAndLookIntoFiles();
    }, 240_000);
    afterAll(async () => {
      await running?.remove();
      await model?.close();
      await peer?.close();
    });

    test("wrong credentials make no scout and say what is wrong", () => {
      expect(refused).toMatchObject({ code: "source_credentials_refused" });
    });

    test("its scout is connected when it is made, and says what it sees", () => {
      expect(made).toMatchObject({ sourceType: "imap", connected: true, disabledCode: null });
      expect(made.sees).toMatchObject({ items: 1, unread: 1, push: "never" });
      expect(made.sees?.folders).toContainEqual(expect.stringContaining("Bücher & "));
    });

    test("what arrives becomes a proposal on the device; what was there before does not", () => {
      expect(proposal).toMatchObject({ scoutId: made.id, sourceType: "imap", status: "pending" });
      expect(proposal.rawSubject).toContain(words["subject"]);
      const asked = prompts.filter((prompt) => prompt.includes("Source type: imap"));
      expect(asked).toHaveLength(1);
      expect(asked.join()).not.toContain(words["old"]);
    });

    test("the full item is read from the server when the person asks", () => {
      expect(full).toContain(words["text"]);
    });

    test("P1: no password, folder, sender, subject, file, list or text is readable anywhere at rest in the cloud", () => {
      expect(inStores).toEqual([]);
      expect(inFiles).toEqual([]);
    });
  });
}

function letter(words: Record<string, string>): Buffer {
  const lines = [
    `Message-ID: <${words["id"]}@example.org>`,
    `From: ${words["sender"]} <${words["sender"]}@example.org>`,
    "To: ada@example.com",
    `Subject: About ${words["subject"]}`,
    `List-Id: <${words["list"]}.example.org>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    `It says ${words["text"]}.`,
    "--b",
    `Content-Type: application/pdf; name="${words["file"]}.pdf"`,
    `Content-Disposition: attachment; filename="${words["file"]}.pdf"`,
    "Content-Transfer-Encoding: base64",
    "",
    "AAAA",
    "--b--",
    "",
  ];
  return Buffer.from(lines.join("\r\n"));
}
