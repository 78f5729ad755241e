import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { scoutListResponse } from "../../events/http/scouts.ts";
import { quick } from "../rounds.ts";
import { ownFolder } from "./folders.ts";
import { judgeBySubject, upTo, writeMail } from "./mail.ts";
import { scouts } from "./program.ts";
import { startScriptedModel } from "./scripted-model.ts";

const rotated = z.object({
  kid: z.string(),
  keys: z.number(),
  seen: z.number(),
  resealed: z.number(),
  moved: z.number(),
  unreadable: z.number(),
});

test.skipIf(quick)(
  "scouts ops keys rotate: with the old key gone, names open, tokens work and mail is judged",
  async () => {
    const folder = ownFolder();
    const dataFolder = join(folder.path, "data");
    const mailboxPath = join(folder.path, "mail");
    mkdirSync(mailboxPath);
    writeMail(mailboxPath, upTo(2));
    const model = await startScriptedModel(judgeBySubject);
    const signal = new AbortController().signal;
    let system: LocalSystem | undefined;
    const start = async () =>
      startSystem({ ...systemTimeAndIds, dataFolder, mailboxPath, environment: model.environment, signal });
    onTestFinished(async () => {
      await system?.stop();
      await model.close();
      folder.remove();
    });
    const ring = () => JSON.parse(readFileSync(join(dataFolder, "world", "secrets.json"), "utf8")).VaultKeyRing;
    const rotate = () => scouts(["ops", "keys", "rotate", "--data", dataFolder, "--json"]);

    expect((await rotate()).stderr).toContain("(data_unusable)");
    system = await start();
    await drain(system, signal);
    const before = ring();
    const refused = await rotate();
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("(data_in_use)")]);
    expect(ring()).toBe(before);
    await system.stop();

    const { code, stdout } = await rotate();
    expect(code).toBe(0);
    // The scout's name and purpose, its tokens, and the address of its account.
    const all = { seen: 3, resealed: 3 };
    expect(rotated.parse(JSON.parse(stdout))).toMatchObject({ keys: 1, ...all, moved: 0, unreadable: 0 });
    expect(ring()).not.toBe(before);

    system = await start();
    const { scouts: listed } = await askCloud(system.api, "GET", "/api/v1/scouts", scoutListResponse);
    expect(listed).toMatchObject([{ name: "Inbox", connected: true, disabledCode: null }]);
    const id = system.world.mailbox.deliver(
      Buffer.from("From: a@b.example\r\nSubject: Question no. 9\r\n\r\nHello\r\n"),
    );
    await drain(system, signal);
    expect(system.store.proposals.list({ sourceMsgRef: id })).toMatchObject([{ rawSubject: "Question no. 9" }]);

    const session = system.store.identity.get().sessionId;
    await system.stop();
    const sessions = await scouts(["ops", "keys", "rotate", "--ring", "session", "--data", dataFolder, "--json"]);
    expect(JSON.parse(sessions.stdout)).toMatchObject({ keys: 1 });
    system = await start();
    await drain(system, signal);
    expect(system.store.identity.get().sessionId).not.toBe(session);
  },
);
