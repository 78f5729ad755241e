import { once } from "node:events";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { scoutHealth } from "../../events/health.ts";
import { itemListResponse, spamListResponse } from "../../events/http/items.ts";
import { scoutResponse } from "../../events/http/scouts.ts";
import { itemRef } from "../../events/ids.ts";
import { openLedger } from "../../infra/local/open-ledger.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { Screen } from "../device/screen.ts";
import { ownFolder } from "./folders.ts";
import { judgeBySubject, upTo, writeMail } from "./mail.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

const folder = ownFolder();
const data = join(folder.path, "data");
let model: ScriptedModel;
let system: LocalSystem;

beforeAll(async () => {
  const mailboxPath = join(folder.path, "mail");
  mkdirSync(mailboxPath);
  writeMail(mailboxPath, upTo(6));
  model = await startScriptedModel(judgeBySubject);
  const signal = new AbortController().signal;
  system = await startSystem({
    ...systemTimeAndIds,
    dataFolder: data,
    mailboxPath,
    environment: model.environment,
    signal,
  });
  await drain(system, signal);
}, 240_000);
afterAll(async () => {
  await system?.stop();
  await model?.close();
  folder.remove();
});

/** One `scouts …` in this process. */
async function scouts(words: string[], dataFolder = data) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: folder.path, ...systemTimeAndIds };
  const code = await runCommand([...words, "--data", dataFolder], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

async function json<S extends z.ZodType>(schema: S, words: string[]): Promise<z.infer<S>> {
  const { code, stdout, stderr } = await scouts([...words, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return schema.parse(JSON.parse(stdout));
}

const spamItems = spamListResponse.shape.items;

describe("scouts, asked of a running home", () => {
  test("the home leaves word that only its owner can read", () => {
    expect(statSync(join(data, "home.json")).mode & 0o777).toBe(0o600);
  });

  test("finds scouts by name or id, and says which it does not know", async () => {
    const found = await json(z.array(scoutResponse), ["list"]);
    expect(found).toMatchObject([{ id: system.scoutId, name: "Inbox", connected: true, paused: false }]);
    expect(await json(scoutResponse, ["show", "inbox"])).toMatchObject({ id: system.scoutId });
    expect(await json(scoutResponse, ["show", system.scoutId])).toMatchObject({ name: "Inbox" });
    expect(await scouts(["show", "Outbox"])).toEqual({
      code: 3,
      stdout: "",
      stderr: "scouts: There is no scout Outbox. There are: Inbox. (scout_unknown)\n",
    });
  });

  test("pauses and resumes; a paused scout is not run", async () => {
    expect(await scouts(["pause", "Inbox"])).toMatchObject({ code: 0, stdout: "paused  Inbox\n" });
    expect(await scouts(["run", "Inbox"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(scout_paused)"),
    });
    expect(await scouts(["resume", "Inbox"])).toMatchObject({ code: 0, stdout: "resumed  Inbox\n" });
    expect(await scouts(["run", "Inbox"])).toMatchObject({ code: 0, stdout: "queued  Inbox\n" });
  });

  test("P3: auto-trash asks for the right it needs, moves spam that comes from then on, and gives it back", async () => {
    const before = await json(spamItems, ["spam", "Inbox", "--no-source"]);
    expect(before.map(({ trashedAt, keptBecause }) => [trashedAt, keptBecause])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await json(scoutResponse, ["edit", "Inbox", "--auto-trash", "on"])).toMatchObject({ autoTrash: true });

    const raw = "From: Seller <seller@mail.example>\r\nSubject: Offer of the day\r\n\r\nBuy!\r\n";
    const id = system.world.mailbox.deliver(Buffer.from(raw));
    await drain(system, new AbortController().signal);
    expect(system.world.mailbox.labelsOf(id)?.toSorted()).toEqual(["TRASH", "UNREAD"]);
    const [newest, ...older] = await json(spamItems, ["spam", "Inbox", "--no-source"]);
    expect(newest).toMatchObject({ ref: id, trashedAt: expect.any(Number) });
    expect(older, "what was there before stays where it was").toEqual(before);

    expect(await scouts(["restore", id])).toMatchObject({ code: 0, stdout: `restored  ${id}\n` });
    expect(system.world.mailbox.labelsOf(id)?.toSorted()).toEqual(["INBOX", "UNREAD"]);
    await drain(system, new AbortController().signal);
    const [proposed] = system.store.proposals.list({ sourceMsgRef: id });
    expect(proposed).toMatchObject({ rawSubject: "Offer of the day", status: "pending" });
    expect(await json(spamItems, ["spam", "Inbox", "--no-source"])).toEqual(before);
  });

  test("P1: what was dismissed is looked at with sender and subject, and read in full once, as proposals are", async () => {
    const items = await json(spamItems, ["spam"]);
    expect(items.map(({ atSource }) => atSource)).toEqual(
      items.map(() => ({
        sender: { name: expect.any(String), address: expect.stringContaining("@") },
        subject: expect.any(String),
        receivedAt: expect.any(Number),
      })),
    );
    const shown = await scouts(["spam", "inbox"]);
    const [{ ref = "", atSource } = {}] = items;
    expect(shown.stdout).toContain("FROM");
    expect(shown.stdout).toContain(ref);
    expect((await scouts(["spam", "--no-source"])).stdout).not.toContain("SUBJECT");

    const [proposal] = system.store.proposals.list();
    for (const name of [ref.slice(0, 8), ref, proposal?.sourceMsgRef ?? "", proposal?.id ?? ""]) {
      const { code, stdout } = await scouts(["open", name]);
      expect([code, stdout.split("\n")[1]], name).toEqual([0, expect.stringContaining("@")]);
    }
    const subject = atSource !== undefined && "subject" in atSource ? atSource.subject : "";
    expect((await scouts(["open", ref])).stdout).toContain(subject);
    expect(await scouts(["open", "0000000000000000"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("(item_unknown)"),
    });
  });

  test("nothing silent: who opens a mail that has no text is told so, and which files it brings", async () => {
    const raw =
      "From: Ada <ada@mail.example>\r\nTo: me@mail.example\r\nSubject: For your eyes\r\nMIME-Version: 1.0\r\n" +
      'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\r\n' +
      'Content-Disposition: attachment; filename="smime.p7m"\r\nContent-Transfer-Encoding: base64\r\n\r\nMIIG\r\n';
    const id = system.world.mailbox.deliver(Buffer.from(raw));
    await drain(system, new AbortController().signal);
    const { stdout } = await scouts(["open", id]);
    expect(stdout).toMatch(
      /^For your eyes\nAda <ada@mail\.example>\nFiles: smime\.p7m \(3 B\)\n\n.*no text that can be shown/,
    );
    const [proposal] = system.store.proposals.list({ sourceMsgRef: id });
    if (!proposal) throw new Error("nothing was proposed");
    system.store.proposals.decide(proposal.id, "rejected");
  });

  test("P2: access withdrawn is said wherever scouts are shown, also offline, and reconnecting mends it", async () => {
    const { mailbox } = system.world;
    const told = once(system.device.events, "reauth");
    mailbox.revokeGrants();
    const late = "From: Ada <ada@mail.example>\r\nSubject: Arrived meanwhile\r\n\r\nHello\r\n";
    const id = mailbox.deliver(Buffer.from(late));
    await scouts(["run", "Inbox"]);
    await told;

    const line =
      /Inbox .*access to its source was withdrawn, or its password was changed. To mend it: scouts reconnect Inbox/;
    for (const words of [["list"], ["show", "inbox"], ["health"], ["health", "inbox"], ["status"]]) {
      const { code, stdout } = await scouts(words);
      expect([words, code, stdout]).toEqual([words, 0, expect.stringMatching(line)]);
    }
    expect(await scouts(["doctor"])).toMatchObject({ code: 6, stdout: expect.stringMatching(/fail {2}scout .*Inbox/) });
    expect(await json(z.looseObject({ scouts: z.array(z.unknown()) }), ["status"])).toMatchObject({
      scouts: [{ id: system.scoutId, name: "Inbox", offCode: "reauth" }],
    });

    const mended = once(system.device.events, "health");
    expect(await scouts(["reconnect", "inbox"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^reconnected {2}Inbox\n/),
      stderr: "",
    });
    expect(await mended).toMatchObject([{ scoutId: system.scoutId, disabledCode: null }]);
    expect((await scouts(["status"])).stdout).not.toContain("reconnect");
    await drain(system, new AbortController().signal);
    expect(system.store.proposals.list({ sourceMsgRef: id }), "what arrived meanwhile").toHaveLength(1);
  });

  test("nothing silent: what was set aside is listed, and brought back once, while the home runs", async () => {
    const raw = "From: Ada <ada@mail.example>\r\nSubject: Set aside\r\n\r\nHello\r\n";
    const id = itemRef.parse(system.world.mailbox.deliver(Buffer.from(raw)));
    await drain(system, new AbortController().signal);
    const userId = userIdOf(system.world.issuer.name, "owner");
    const { ledger, close } = openLedger(system.home);
    const dead = [[["status"], "dead"] as const, [["code"], "source_forbidden"] as const, [["attempts"], 5] as const];
    await ledger.update(ledgerKey.item(userId, system.scoutId, id), { set: dead, remove: [["openFor"], ["openAt"]] });
    close();

    const list = ["ops", "items", "list", "--status", "dead"];
    const { items } = itemListResponse.shape;
    expect(await json(items, [...list, "--scout", "inbox"])).toMatchObject([
      { scoutId: system.scoutId, ref: id, status: "dead", code: "source_forbidden", attempts: 5 },
    ]);
    expect((await scouts(list)).stdout).toMatch(new RegExp(`Inbox +dead +source_forbidden +5 +${id}\n`));

    const redrive = ["ops", "items", "redrive"];
    expect(await scouts(redrive)).toMatchObject({ code: 2, stderr: expect.stringContaining("--all") });
    expect(await scouts([...redrive, id, "--all"])).toMatchObject({ code: 2 });
    expect(await scouts([...redrive, "--code", "nonsense"])).toMatchObject({ code: 2 });
    expect(await scouts([...redrive, id, "0000000000000000"])).toMatchObject({
      code: 0,
      stdout: "1 item brought back; 1 could not be: see scouts ops items list\n",
    });
    expect(await scouts([...redrive, id])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 items .*; 1 /) });
    expect(await scouts([...redrive, "--all"])).toMatchObject({ code: 0, stdout: "0 items brought back\n" });

    await system.home.runCron("Due");
    await system.home.whenIdle(new AbortController().signal);
    expect((await scouts(list)).stdout).toBe("No item is without a verdict.\n");
    expect(await json(z.array(z.unknown()), ["ops", "items", "list"]), "it has its verdict").toEqual([]);
  });

  test("a consent page can be opened by the person: its address is printed, and nothing else is opened", async () => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const abort = new AbortController();
    const io = { stdout, stderr, isTTY: false, color: false, signal: abort.signal };
    const context = { io, environment: readEnvironment({}), workingFolder: folder.path, ...systemTimeAndIds };
    const printed = Promise.withResolvers<string>();
    const write = stderr._write.bind(stderr);
    stderr._write = (chunk, encoding, done) => {
      const found = /http:\S+/.exec(chunk.toString());
      if (found) printed.resolve(found[0]);
      write(chunk, encoding, done);
    };
    const ended = runCommand(["reconnect", "Inbox", "--print-url", "--data", data], context, "1.2.3");
    const { clientSecret } = JSON.parse(readFileSync(join(data, "home.json"), "utf8"));
    const headers = { authorization: `Bearer ${clientSecret}` };
    const page = await fetch(await printed.promise, { headers, redirect: "follow" });
    expect(await page.text()).toContain("Thank you");
    expect(await ended).toBe(0);
  });

  test("says how a scout is", async () => {
    expect(await json(scoutHealth, ["health", "Inbox"])).toMatchObject({ scoutId: system.scoutId, disabledCode: null });
    expect((await scouts(["health", "Inbox"])).stdout).toMatch(/^Inbox\nstate +\w+\n/);
  });

  test("removes when it is meant, and what belongs to the scout is gone", async () => {
    const wanted = { sourceType: "gmail", name: "Spare", purpose: "None" };
    await askCloud(system.api, "POST", "/api/v1/scouts", scoutResponse, wanted);
    expect(await scouts(["remove", "Spare"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(await scouts(["remove", "Spare", "--yes"])).toMatchObject({ code: 0, stdout: "removed  Spare\n" });
    expect(await json(z.array(scoutResponse), ["list"])).toHaveLength(1);
  });

  test("without a home there, says so with exit code 4", async () => {
    const { code, stderr } = await scouts(["list"], join(folder.path, "nowhere"));
    expect([code, stderr]).toEqual([4, expect.stringMatching(/No home is running .* \(home_not_running\)\n$/)]);
  });
});
