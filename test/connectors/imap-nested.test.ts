import { afterEach, describe, expect, test } from "vitest";
import { imapFailure } from "../../shared/scouts/connectors/imap/failures.ts";
import { partTreeOfSource } from "../../shared/scouts/connectors/imap/message/source-tree.ts";
import { letterOf } from "../../shared/scouts/connectors/mail/letter.ts";
import { type MailPart, partLimits } from "../../shared/scouts/connectors/mail/part.ts";
import { scoutAtSource as scout } from "../contract/connector-fixtures.ts";
import { listed, scriptedMailbox } from "./scripted-mailbox.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** A mail of containers in containers, with a text before and one behind all of them, and one innermost. */
function nested(levels: number): string {
  const header = ["Message-ID: <deep@example.org>", "From: Ada <ada@example.org>", "Subject: deep"];
  const opening = Array.from({ length: levels }, (_, level) => [
    ...(level === 0 ? [] : [`--b${level - 1}`]),
    `Content-Type: multipart/mixed; boundary="b${level}"`,
    "",
    ...(level === 0 ? ["--b0", "", "It says above."] : []),
  ]);
  const innermost = [`--b${levels - 1}`, "", "It says innermost."];
  const closing = Array.from({ length: levels - 1 }, (_, index) => `--b${levels - 1 - index}--`);
  return [...header, ...opening.flat(), ...innermost, ...closing, "--b0", "", "It says below.", "--b0--", ""].join(
    "\r\n",
  );
}

/** The same as a server tells it. */
function structureOf(levels: number): string {
  const text = '("TEXT" "PLAIN" NIL NIL NIL "7BIT" 20 1)';
  const inner = Array.from({ length: levels - 1 }).reduce<string>((within) => `(${within} "MIXED")`, text);
  return `(${text}${inner}${text} "MIXED")`;
}

const depthOf = ({ parts }: MailPart): number => (parts.length === 0 ? 0 : 1 + Math.max(...parts.map(depthOf)));

describe("a mail of many parts within parts", () => {
  test.each([30, 60, 300])("of %i levels is read, whatever the server makes of its structure", async (levels) => {
    const { server, connector, cursor } = await scriptedMailbox(opened);
    const inbox = server.folders.get("INBOX");
    const raw = nested(levels);
    inbox?.messages.push({ uid: 1, raw });
    Object.assign(inbox ?? {}, { uidNext: 2 });
    server.override = ({ name, args, tag, socket }) => {
      if (name !== "UID FETCH" || !args.includes("BODYSTRUCTURE")) return false;
      const header = raw.slice(0, raw.indexOf("\r\n\r\n") + 4);
      const told = `BODY[HEADER]<0> {${header.length}}\r\n${header}`;
      socket.write(
        `* 1 FETCH (UID 1 FLAGS () RFC822.SIZE ${raw.length} BODYSTRUCTURE ${structureOf(levels)} ${told})\r\n${tag} OK\r\n`,
      );
      return true;
    };
    const [ref] = (await listed(connector, cursor)).refs;
    if (ref === undefined) throw new Error("not listed");
    const read = await connector.fetchContent(scout, ref);
    expect(read.subject.reveal()).toBe("deep");
    expect(read.present).toBe(true);
  });

  test("that is nothing but another mail is read as that", async () => {
    const { server, connector, cursor } = await scriptedMailbox(opened);
    const inner = "From: Bea <bea@example.org>\r\nSubject: Garden\r\n\r\nThe beds have moved.\r\n";
    const header =
      "Message-ID: <on@example.org>\r\nFrom: Ada <ada@example.org>\r\nSubject: Fwd\r\nContent-Type: message/rfc822\r\n\r\n";
    const raw = header + inner;
    const inbox = server.folders.get("INBOX");
    inbox?.messages.push({ uid: 1, raw });
    Object.assign(inbox ?? {}, { uidNext: 2 });
    server.override = ({ name, args, tag, socket }) => {
      if (name !== "UID FETCH" || !args.includes("BODYSTRUCTURE")) return false;
      const nobody = "NIL NIL NIL NIL NIL NIL NIL NIL";
      const told = `("MESSAGE" "RFC822" NIL NIL NIL "7BIT" ${inner.length} (NIL "Garden" ${nobody}) ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 22 1) 4)`;
      const parts = `BODYSTRUCTURE ${told} BODY[HEADER]<0> {${header.length}}\r\n${header}`;
      socket.write(`* 1 FETCH (UID 1 FLAGS () RFC822.SIZE ${raw.length} ${parts})\r\n${tag} OK\r\n`);
      return true;
    };
    const [ref] = (await listed(connector, cursor)).refs;
    if (ref === undefined) throw new Error("not listed");
    const read = await connector.fetchContent(scout, ref);
    expect([read.subject.reveal(), read.text.reveal()]).toEqual(["Fwd", "The beds have moved."]);
  });

  test("that is taken apart here is cut where real mail ends, and the rest is shown", () => {
    const tree = partTreeOfSource(Buffer.from(nested(300)));
    expect(depthOf(tree)).toBe(partLimits.depth);
    expect(letterOf(tree).text).toBe("It says above.\nIt says below.");
    const whole = partTreeOfSource(Buffer.from(nested(150)));
    expect(letterOf(whole).text).toBe("It says above.\nIt says innermost.\nIt says below.");
  });

  test("takes no longer the deeper it is: thousands of levels are a matter of lines", () => {
    expect(depthOf(partTreeOfSource(Buffer.from(nested(9_000))))).toBe(partLimits.depth);
  });
});

describe("a mail that is taken apart here", () => {
  const lines = (...all: string[]) => Buffer.from(all.join("\r\n"));

  test("is read as one whose structure was told: versions, files, attached mails, alphabets", () => {
    const tree = partTreeOfSource(
      lines(
        'Content-Type: multipart/mixed; boundary="A b"',
        "",
        "--A b",
        "Content-Type: multipart/alternative; boundary=c",
        "",
        "--c",
        "Content-Type: text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Gr=FC=DFe",
        "--c",
        "Content-Type: text/html",
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from("<p>Grüße</p>").toString("base64"),
        "--c--",
        "--A b",
        "Content-Type: application/pdf; name=other.pdf",
        "Content-Disposition: attachment; filename*=utf-8''B%C3%BCcher.pdf",
        "Content-Transfer-Encoding: base64",
        "",
        "AAAAAAAA",
        "--A b",
        "Content-Type: message/rfc822",
        "",
        "Subject: Inner",
        "",
        "within",
        "--A b--",
      ),
    );
    expect(letterOf(tree)).toEqual({
      text: "Grüße",
      attachments: [
        { name: "Bücher.pdf", sizeBytes: 6 },
        { name: "Inner.eml", sizeBytes: expect.any(Number) },
      ],
    });
  });

  test.each([
    ["nothing at all", ""],
    ["no header", "\r\n\r\nIt says one."],
    ["a container whose boundary never comes", 'Content-Type: multipart/mixed; boundary="x"\r\n\r\nIt says one.'],
    ["a container without a boundary", "Content-Type: multipart/mixed\r\n\r\nIt says one."],
    ["a header that never ends", `${"X: y\r\n".repeat(20_000)}`],
    ["a type that is none", 'Content-Type: ;;; boundary=";"\r\n\r\nIt says one.'],
    ["bytes that are no text", "\0\x01\xff\xfe".repeat(1_000)],
  ])("never fails: %s", (_, source) => {
    const { text } = letterOf(partTreeOfSource(Buffer.from(source, "latin1")));
    if (source.includes("It says one.")) expect(text).toContain("It says one.");
  });

  test("files without a name go by their type", () => {
    const tree = partTreeOfSource(
      lines("Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: application/pdf", "", "x", "--b--"),
    );
    expect(letterOf(tree)).toEqual({ text: "", attachments: [{ name: "application/pdf", sizeBytes: 1 }] });
  });
});

test("what no server said and no connection met is a message that cannot be read, and no source that is away", () => {
  expect(imapFailure(new TypeError("x is undefined"))).toMatchObject({ code: "source_unreadable" });
  expect(imapFailure(new Error("Maximum MIME nesting depth of 50 levels exceeded"))).toMatchObject({
    code: "source_unreadable",
  });
  expect(imapFailure(Object.assign(new Error("read"), { code: "ECONNRESET" }))).toMatchObject({
    code: "source_unavailable",
  });
});
