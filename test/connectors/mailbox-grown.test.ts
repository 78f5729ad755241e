import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { createdScoutResponse } from "../../events/http/scouts.ts";
import { upTo } from "../e2e/mail.ts";
import { relevant, spam } from "../e2e/scripted-model.ts";
import { settingWith, systemOn } from "../e2e/setting.ts";

const timeoutMs = 240_000;

/** A mail whose first part looks whole, and what its program writes later. */
const beginning = (subject: string) =>
  `From MAILER-DAEMON Fri Nov 20 09:44:16 2026\nFrom: Mara <mara@mail.example>\nSubject: ${subject}\n\nGood morning.\n\n`;
const rest = "The contract needs your signature today.\n\n";

test(
  "P2: a mail that was judged before it was written to its end is judged when it is: proposed once, or after all",
  async () => {
    const isSpam = (prompt: string) => prompt.includes("Half spam") && !prompt.includes("contract");
    const setting = await settingWith(upTo(1), (prompt) => (isSpam(prompt) ? spam() : relevant()));
    const own = join(setting.mailFolder, "own.mbox");
    const added = join(setting.mailFolder, "..", "added", "added.mbox");
    mkdirSync(join(added, ".."));
    writeFileSync(added, "");
    const system = await systemOn(setting);
    await askCloud(system.api, "POST", "/api/v1/scouts", createdScoutResponse, {
      sourceType: "mailbox",
      settings: { path: added },
      name: "Added",
      purpose: "What is asked of me?",
    });

    const { device, store } = system;
    const ofMara = () => store.proposals.list().filter(({ rawSubject }) => rawSubject?.startsWith("Half"));
    const pending = () =>
      ofMara()
        .filter(({ status }) => status === "pending")
        .map(({ rawSubject, rawSnippet }) => `${rawSubject}: ${rawSnippet?.includes("contract") ? "whole" : "half"}`)
        .sort();
    const until = (expected: readonly string[]) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (JSON.stringify(pending()) === JSON.stringify(expected)) resolve();
        };
        device.events.on("proposal", look);
        device.events.on("closed", look);
        look();
      });
    const never = new AbortController().signal;

    appendFileSync(own, beginning("Half of my own"));
    appendFileSync(added, beginning("Half of another"));
    appendFileSync(added, beginning("Half spam"));
    await until(["Half of another: half", "Half of my own: half"]);
    await system.home.whenIdle(never);
    // The last mail of each file goes on.
    appendFileSync(own, rest);
    appendFileSync(added, rest);
    const ended = ["Half of another: half", "Half of my own: whole", "Half spam: whole"];
    await until(ended);
    await system.home.whenIdle(never);
    await device.settled();
    expect(pending()).toEqual(ended);
    const closed = ofMara().filter(({ closedReason }) => closedReason !== null);
    expect(closed.map(({ rawSubject, closedReason }) => [rawSubject, closedReason])).toEqual([
      ["Half of my own", "gone"],
    ]);
  },
  timeoutMs,
);
