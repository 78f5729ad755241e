import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MailView } from "../../infra/model/triage/view.ts";
import { unwantedMail } from "../model/messages.ts";
import { quick } from "../rounds.ts";
import { scouts, summaryIn } from "./program.ts";
import { relevant } from "./scripted-model.ts";
import { settingWith } from "./setting.ts";

const timeoutMs = 240_000;

function write(folder: string, name: string, mail: MailView | undefined): void {
  if (!mail) throw new Error(`no message ${name}`);
  const { subject, sender, body } = mail;
  const head = [`From: ${sender}`, "To: you@example.com", `Subject: ${subject}`, `Message-ID: <${name}@mail.example>`];
  const type = ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"];
  writeFileSync(join(folder, `${name}.eml`), [...head, ...type, "", body, ""].join("\r\n"));
}

/** Wanted, and for the built-in model more likely not. */
const offer: MailView = {
  subject: "Our offer for the garden fence",
  sender: "Fence Works <office@fence-works.example>",
  body: "Dear Ms Olsen,\nas you asked on the telephone, here is our offer for the fence: 42 metres, 1,900 EUR. It is free until Friday. Click here to see the drawing.\nKind regards\nTom Reed",
};

test.skipIf(quick)(
  "in a cascade what the built-in model is sure of takes no tokens, and the language model judges the rest",
  async () => {
    const { up, mailFolder, model } = await settingWith([], () => relevant());
    write(mailFolder, "pills", unwantedMail["pills"]);
    write(mailFolder, "forged", unwantedMail["an account about to be lost"]);
    write(mailFolder, "offer", offer);
    const ended = await scouts(up("--once", "--json"), { ...model.environment, TRIAGE_CASCADE: "on" });

    expect(ended.code, ended.stderr).toBe(0);
    // The scripted model calls all it is asked about relevant, the forged notice too.
    expect(summaryIn(ended)).toMatchObject({
      messages: 3,
      spam: 1,
      relevant: 2,
      failed: 0,
      tokens: { in: 14, out: 6 },
    });
    expect(model.requests()).toBe(2);
  },
  timeoutMs,
);

test(
  "a cascade that is neither on nor off keeps a home from starting, and says so",
  async () => {
    const { up, model } = await settingWith([0]);
    const ended = await scouts(up("--once"), { ...model.environment, TRIAGE_CASCADE: "maybe" });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("TRIAGE_CASCADE is none of off, on");
  },
  timeoutMs,
);
