import { open } from "node:fs/promises";
import { unreadableMailbox } from "./refusals.ts";

/** How a file holds mail: several messages, or one. */
export type Layout = "mbox" | "message";

/** A header is looked at so far. */
const headBytes = 64 * 1024;
/** RFC 5322, sections 3.6.1 to 3.6.7, and what servers that deliver write. */
const mailField =
  /^(?:From|Sender|Reply-To|To|Cc|Bcc|Date|Subject|Message-ID|In-Reply-To|Received|Return-Path|Delivered-To|MIME-Version)[ \t]*:/i;
/** A field, or a folded one's next line. */
const headerLine = /^(?:[\x21-\x39\x3b-\x7e]{1,76}[ \t]*:|[ \t])/;

/** What a file is by how it begins; undefined for one that is no mail, and one that is not there. */
export async function layoutOf(path: string): Promise<Layout | undefined> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw unreadableMailbox(path, error);
  });
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const start = buffer.toString("latin1", 0, bytesRead).replace(/^(?:\xef\xbb\xbf)?[\r\n]+|^\xef\xbb\xbf/, "");
    if (/^From [^\n]*\r?\n/.test(start)) return "mbox";
    return hasHeader(start.replace(/^>From [^\n]*\n/, "")) ? "message" : undefined;
  } catch (error) {
    throw unreadableMailbox(path, error);
  } finally {
    await file.close();
  }
}

/**
 * Whether a text begins as a message does: with fields and nothing else up to where something is named that every mail
 * has some of. A list of accounts and settings have lines of that form as well.
 */
function hasHeader(text: string): boolean {
  for (const line of text.split("\n")) {
    if (mailField.test(line)) return true;
    if (!headerLine.test(line)) return false;
  }
  return false;
}
