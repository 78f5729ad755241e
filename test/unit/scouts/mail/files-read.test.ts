import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { describe, expect, test } from "vitest";
import { ScoutsError } from "../../../../events/errors.ts";
import { itemRef } from "../../../../events/ids.ts";
import { attachmentOf, messageResource } from "../../../../infra/standins/mailbox/api/message-resource.ts";
import { parsePartTree } from "../../../../infra/standins/mailbox/mime/part-tree.ts";
import { GmailClient, type Run } from "../../../../shared/scouts/connectors/gmail/client.ts";
import { GmailConnector } from "../../../../shared/scouts/connectors/gmail/connector.ts";
import { partTreeOfSource } from "../../../../shared/scouts/connectors/imap/message/source-tree.ts";
import { letterOf } from "../../../../shared/scouts/connectors/mail/letter.ts";
import { machinePartsOf } from "../../../../shared/scouts/connectors/mail/machine-parts.ts";
import { scoutAtSource as scout } from "../../../contract/connector-fixtures.ts";

interface Read {
  readonly calendars: readonly string[];
  readonly text: string;
  readonly files: readonly string[];
}

const id = "1a";

/** Gmail's protocol, by which mail in files is served as well; it keeps files back until they are asked for. */
class OneMail extends GmailClient {
  readonly #raw: Buffer;
  /** What of files is answered with; the file itself where it is absent. */
  refusal: ScoutsError | undefined;
  asked = 0;

  constructor(raw: Buffer) {
    super({ accessToken: () => Promise.reject(new Error()), refused: async () => {} }, "https://x.invalid/", () => 0);
    this.#raw = raw;
  }

  protected override async once<T>(_: unknown, run: Run<T>): Promise<T> {
    const row = { id, thread_id: id, labels: ["INBOX"], history_id: "1", internal_date_ms: 0 };
    const file = async (of: { id: string }): Promise<{ data: gmail_v1.Schema$MessagePartBody }> => {
      this.asked += 1;
      if (this.refusal) throw this.refusal;
      const part = attachmentOf(parsePartTree(this.#raw), id, of.id);
      return { data: { data: part?.content.toString("base64url") ?? "" } };
    };
    const get = async () => ({ data: messageResource(row, this.#raw, "full", []) });
    return (await run({ messages: { get, attachments: { get: file } } } as never)).data;
  }
}

async function byGmail(raw: Buffer, client = new OneMail(raw)): Promise<Read> {
  const read = await new GmailConnector(client, "topic", () => 0).fetchContent(scout, itemRef.parse(id));
  return {
    calendars: read.machineParts?.reveal().calendars ?? [],
    text: read.text.reveal(),
    files: read.attachments?.reveal().map(({ name }) => name) ?? [],
  };
}

const readers: Readonly<Record<string, (raw: Buffer) => Promise<Read>>> = {
  "Gmail, and mail in files": (raw) => byGmail(raw),
  "a mail server": async (raw) => {
    const tree = partTreeOfSource(raw);
    const { text, attachments } = letterOf(tree);
    return { calendars: machinePartsOf(tree).calendars, text, files: attachments.map(({ name }) => name) };
  },
};

const calendar = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR";
const mixed = (...parts: readonly string[]): Buffer =>
  Buffer.from(
    [
      "Subject: The beds",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      ...["Content-Type: text/plain\r\n\r\nCome over.", ...parts].flatMap((part) => ["--b", part]),
      "--b--",
    ].join("\r\n"),
  );
const file = (type: string, more: string, content = calendar) => `Content-Type: ${type}\r\n${more}\r\n\r\n${content}`;
const attached = 'Content-Disposition: attachment; filename="Invite.ICS"';

describe.each(Object.entries(readers))("a calendar that comes as a file, by %s", (_, read) => {
  test.each(["text/calendar", "application/ics", "application/octet-stream", "text/plain", "application/x-download"])(
    "is read as one and stays a file (%s)",
    async (type) => {
      expect(await read(mixed(file(type, attached)))).toEqual({
        calendars: [calendar],
        text: "Come over.",
        files: ["Invite.ICS"],
      });
    },
  );

  test("without a name it is one by its type", async () => {
    const found = await read(mixed(file("application/ics", "Content-Disposition: attachment")));
    expect(found).toEqual({ calendars: [calendar], text: "Come over.", files: ["application/ics"] });
  });

  test("is not read beside one in the letter, of which it is the copy, nor within an attached message", async () => {
    const other = calendar.replace("REQUEST", "CANCEL");
    const inLetter = file("text/calendar; method=REQUEST", "Content-Disposition: inline");
    expect((await read(mixed(inLetter, file("application/ics", attached, other)))).calendars).toEqual([calendar]);
    const inner = `Content-Type: message/rfc822\r\n\r\nSubject: x\r\n${file("application/ics", attached)}`;
    expect((await read(mixed(inner))).calendars).toEqual([]);
  });

  test("other files are none, nor is one that is too long for an invitation", async () => {
    const found = await read(
      mixed(
        file("application/pdf", 'Content-Disposition: attachment; filename="plan.ics"'),
        file("application/octet-stream", 'Content-Disposition: attachment; filename="ics.bin"'),
        file("application/ics", attached, `${calendar}${" ".repeat(300_000)}`),
      ),
    );
    expect(found.calendars).toEqual([]);
  });
});

describe.each(Object.entries(readers))("text of a letter that bears a file's name, by %s", (_, read) => {
  const page = "<html><p>Pay now.</p></html>";
  const named = (disposition: string) =>
    `Content-Type: text/html\r\nContent-Disposition: ${disposition}; filename="a.html"\r\n\r\n${page}`;

  test("is read where it stands in the letter, and named where it is attached", async () => {
    const inline = await read(mixed(named("inline")));
    expect(inline).toEqual({ calendars: [], text: "Come over.\nPay now.", files: [] });
    expect(await read(mixed(named("attachment")))).toEqual({ calendars: [], text: "Come over.", files: ["a.html"] });
  });

  test.each(["inline", "attachment"])("is read where it is all there is (%s)", async (disposition) => {
    expect((await read(Buffer.from(named(disposition)))).text).toBe("Pay now.");
  });
});

test("Gmail is asked for no file of a mail without a calendar, and one that is gone keeps no mail from being read", async () => {
  const plain = mixed(file("application/pdf", 'Content-Disposition: attachment; filename="plan.pdf"'));
  const client = new OneMail(plain);
  expect((await byGmail(plain, client)).files).toEqual(["plan.pdf"]);
  expect(client.asked).toBe(0);
  const gone = new OneMail(mixed(file("application/ics", attached)));
  gone.refusal = new ScoutsError("item_gone");
  expect(await byGmail(plain, gone)).toMatchObject({ calendars: [], text: "Come over.", files: ["Invite.ICS"] });
  gone.refusal = new ScoutsError("source_rate_limited");
  await expect(byGmail(plain, gone)).rejects.toBe(gone.refusal);
});
