import { ImapFlow } from "imapflow";
import { expect, onTestFinished, test } from "vitest";
import { metadataBounds } from "../../events/proposals/metadata.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { readMessage } from "../../shared/scouts/connectors/imap/message/read-message.ts";
import { accessOf, imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { mail } from "../standins/imap/client.ts";

const secrets = { user: "ada@example.com", password: "secret" };

/** A mailbox with these mails, and a look at each as two people's scouts would take it. */
async function readBy(mails: readonly Buffer[], keys: readonly string[]) {
  const imap = await startImap();
  onTestFinished(() => imap.close());
  for (const raw of mails) imap.account().find("INBOX")?.deliver({ raw });
  const client = new ImapFlow({
    host: "localhost",
    port: imap.tlsPort,
    secure: true,
    tls: { ca: imap.ca },
    auth: { user: secrets.user, pass: secrets.password },
    logger: false,
  });
  onTestFinished(() => client.close());
  await client.connect();
  await client.mailboxOpen("INBOX");
  const given = imapSettings.parse({ host: "localhost", ...secrets });
  const rest = { client, nowMs: 0, maxBytes: 100_000, bounded: false };
  return Promise.all(
    keys.map(async (refKey) => {
      const access = accessOf({ given, own: { refKey } });
      const read = [];
      for (let uid = 1; uid <= mails.length; uid += 1) read.push(await readMessage({ ...rest, access }, uid));
      return read;
    }),
  );
}

const key = (n: number) => Buffer.alloc(32, n).toString("base64url");

test("P1: a mail and its answers are one conversation, another one for everybody, and no Message-ID is in it", async () => {
  const root = mail(1, { References: "", "Message-ID": "<root.of.all@host.example>" });
  const answer = mail(2, { References: "<root.of.all@host.example>", "In-Reply-To": "<root.of.all@host.example>" });
  const later = mail(3, { References: "<root.of.all@host.example>\r\n <m2@example.org>" });
  const alone = mail(4, { References: "" });
  const [ours = [], theirs = []] = await readBy([root, answer, later, alone], [key(1), key(2)]);
  const refs = ours.map(({ threadRef }) => threadRef);
  expect(refs[0]).toBeDefined();
  expect(refs.slice(1)).toEqual([refs[0], refs[0], expect.not.stringMatching(`^${refs[0]}$`)]);
  expect(theirs[0]?.threadRef).not.toBe(refs[0]);
  expect(refs.join()).not.toMatch(/root|host|example/);
});

test("metadata of a mail with more and longer fields than anybody writes are bounded, its attachments counted", async () => {
  const long = "n".repeat(3_000);
  const parts = Array.from(
    { length: 60 },
    (_, n) =>
      `--many\r\nContent-Type: application/pdf; name="${n}${long}.pdf"\r\nContent-Disposition: attachment\r\n\r\nAAAA\r\n`,
  );
  const raw = Buffer.from(
    `From: "${long}" <${long}@example.org>\r\nSubject: ${long}\r\nMIME-Version: 1.0\r\n` +
      `Content-Type: multipart/mixed; boundary=many\r\n\r\n${parts.join("")}--many--\r\n`,
  );
  const [[read] = []] = await readBy([raw], [key(1)]);
  const attachments = read?.attachments?.reveal() ?? [];
  expect(attachments).toHaveLength(metadataBounds.attachments);
  expect(attachments.at(-1)?.name).toBe("… and 41 more");
  for (const { name } of attachments) expect(name.length).toBeLessThanOrEqual(metadataBounds.attachmentName);
  expect(read?.sender.reveal().name.length).toBeLessThanOrEqual(metadataBounds.senderName);
});
