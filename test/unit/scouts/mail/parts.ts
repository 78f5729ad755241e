import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";

type Part = gmail_v1.Schema$MessagePart;

/** A text part as Gmail's `payload` shows it: UTF-8, whatever the header says. */
export function text(mimeType: string, content: string | Buffer, more: { header?: string; name?: string } = {}): Part {
  const bytes = Buffer.from(content);
  return {
    mimeType,
    filename: more.name ?? "",
    headers: [{ name: "Content-Type", value: more.header ?? `${mimeType}; charset=utf-8` }],
    body: { size: bytes.length, data: bytes.toString("base64url") },
  };
}

export const plain = (content: string): Part => text("text/plain", content);
export const html = (content: string): Part => text("text/html", content);

export function multi(kind: string, ...parts: Part[]): Part {
  return { mimeType: `multipart/${kind}`, filename: "", headers: [], body: { size: 0 }, parts };
}

/** A file: Gmail keeps its bytes back. */
export function file(name: string, mimeType = "application/pdf", size = 1000): Part {
  const disposition = { name: "Content-Disposition", value: `attachment; filename="${name}"` };
  return { mimeType, filename: name, headers: [disposition], body: { attachmentId: "ANG", size } };
}

/** An attached message: Gmail shows its content below, headed by the attached message's own header. */
export function attached(subject: string, content: Part): Part {
  const inner = { ...content, headers: [{ name: "Subject", value: subject }, ...(content.headers ?? [])] };
  return {
    mimeType: "message/rfc822",
    filename: "",
    headers: [{ name: "Content-Type", value: "message/rfc822" }],
    body: { attachmentId: "ANG", size: 2000 },
    parts: [inner],
  };
}

/** A message with this payload, and these fields above its own. */
export function message(payload: Part, fields: Readonly<Record<string, string>> = {}): gmail_v1.Schema$Message {
  const headers = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return {
    id: "18c0ffee",
    threadId: "18c0ffe0",
    labelIds: ["INBOX"],
    internalDate: "1763800000000",
    payload: { ...payload, headers: [...headers, ...(payload.headers ?? [])] },
  };
}
