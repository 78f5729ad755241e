import { subjectOf } from "./mail.ts";

/** One message of an export: its number, the labels as Takeout lists them, and its day. */
export interface ExportedMail {
  readonly number: number;
  readonly labels: string;
  readonly day?: string;
}

/** An mbox as Google Takeout writes it: thread id and labels in front of every header, CRLF, a blank line after each. */
export function takeoutMbox(mails: readonly ExportedMail[]): string {
  return mails.map(exported).join("");
}

function exported({ number, labels, day = "2026-03-05" }: ExportedMail): string {
  const date = new Date(`${day}T10:00:00Z`).toUTCString();
  return `${[
    `From 17999999999999${String(number).padStart(5, "0")}@xxx Thu Mar 05 10:00:00 +0000 2026`,
    `X-GM-THRID: 17999999999999${String(number).padStart(5, "0")}`,
    `X-Gmail-Labels: ${labels}`,
    `From: Somebody <somebody${number}@mail.example>`,
    "To: you@example.com",
    `Date: ${date}`,
    `Subject: ${subjectOf(number)}`,
    `Message-ID: <${number}@mail.example>`,
    "",
    `This is message ${number}.`,
    "",
  ].join("\r\n")}\r\n`;
}
