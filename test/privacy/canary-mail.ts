import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Canaries } from "./scan/canary.ts";

const wanted = [
  "Hi, are you coming on Sunday? Mum asks whether you can bring the cake. I can pick you up at eleven.",
  "Good morning, could you tell me by Friday whether we should keep the date for the roof?",
  "Hello, I read the draft. Two questions on chapter three, could we talk tomorrow at ten?",
];
export const unwanted = [
  "CONGRATULATIONS! Your address was drawn. Send your bank account today to claim your prize of 2.500.000 EUR!",
  "Buy viagra and cialis without prescription. 80% discount, free shipping, click here now. Unsubscribe.",
];

type Plant = (what: string) => string;

/** A message whose every part carries a canary of its own. */
function message(plant: Plant, text: string, subject: string): string {
  const boundary = "=_part";
  return [
    `Return-Path: <${plant("return path")}@mail.example>`,
    `Received: from ${plant("received")}.example by mx.example`,
    `From: "${plant("sender name")} Lind" <${plant("sender address")}@mail.example>`,
    `To: ${plant("recipient name")} <you@example.com>, ${plant("recipient address")}@mail.example`,
    `Cc: ${plant("cc")}@mail.example`,
    `Subject: ${subject}`,
    "Date: Fri, 20 Nov 2026 09:00:00 +0000",
    `Message-ID: <${plant("message id")}@mail.example>`,
    `In-Reply-To: <${plant("in reply to")}@mail.example>`,
    `References: <${plant("root of the thread")}@mail.example> <${plant("reference")}@mail.example>`,
    `List-Id: ${plant("list name")} <${plant("list id")}.mail.example>`,
    `List-Unsubscribe: <https://mail.example/${plant("unsubscribe")}>`,
    `X-${plant("header name")}: ${plant("header value")}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    `${plant("first word")} ${text}`,
    "",
    `Kind regards, ${plant("text")} Ärger`,
    `--${boundary}`,
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(`<p>${text}</p><a href="https://x.example/${plant("link")}">${plant("html")}</a>`).toString("base64"),
    `--${boundary}`,
    `Content-Type: application/pdf; name="${plant("attachment name")}.pdf"`,
    `Content-Disposition: attachment; filename="${plant("attachment file")}.pdf"`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(`%PDF ${plant("attachment content")}`).toString("base64"),
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

const encodedWord = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

/** Mail that is not as it should be: each kind breaks another step of reading it. */
function brokenMessages(plant: Plant): string[] {
  const body = `Hi, are you coming on Sunday? I can pick you up at eleven. ${plant("text")}`;
  const head = (subject: string) =>
    `From: Jonas ${plant("sender name")} <jonas@mail.example>\r\nSubject: ${subject}\r\n`;
  return [
    `${head(plant("subject"))}Content-Type: multipart/mixed\r\n\r\n--nowhere\r\n${body}`,
    `${head(plant("subject"))}Content-Type: text/plain; charset=${plant("charset")}\r\n\r\n${body}`,
    `${head(plant("subject"))}Content-Transfer-Encoding: base64\r\n\r\n!!${body}!!`,
    `${head(`=?utf-8?B?${plant("subject")}`)}\r\n${body}`,
    `${head(`{"${plant("subject")}": "\\u00`)}\r\n{"${plant("text")}": [${body}`,
    `${head(`line\u0000${plant("subject")}\ud800`)}\r\n\u0000\u0007${body}`,
    `${head(`x\r\n    at ${plant("subject")} (file:///${plant("subject")}.ts:1:1)`)}\r\n    at ${plant("text")} (a:1:1)\r\n`,
  ];
}

/** Fills a folder with mail of every kind; also the files' names are canaries. */
export function writeCanaryMail(folder: string, canaries: Canaries): { messages: number } {
  const texts = [...wanted, ...wanted, ...unwanted];
  const mail = [
    ...texts.map((text, index) => {
      const plant = (what: string) => canaries.plant(`${what} of mail ${index}`);
      const subject = plant("subject");
      return message(plant, text, index % 2 === 0 ? `Sunday ${subject}` : encodedWord(`Ähnlich: ${subject}`));
    }),
    ...brokenMessages((what) => canaries.plant(`${what} of broken mail`)),
  ];
  for (const raw of mail) writeFileSync(join(folder, `${canaries.plant("name of a file")}.eml`), raw);
  return { messages: mail.length };
}

/** One message that says which script of the model it is for, to be delivered by itself. */
export function scriptedMail(canaries: Canaries, script: string): Buffer {
  const plant = (what: string) => canaries.plant(`${what} of the mail "${script}"`);
  return Buffer.from(message(plant, `script=${script}.`, plant("subject")));
}
