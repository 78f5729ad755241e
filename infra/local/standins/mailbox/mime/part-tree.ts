import { type MimeChunk, type MimeNode, Splitter } from "mailsplit";
import { decodeCharset } from "./charset.ts";
import { fieldsOfHead, type HeaderField, headerFields, withoutEnvelope } from "../../../../standins/mailbox/mime/header-fields.ts";

/** A message part with its transfer encoding undone; text parts are UTF-8. */
export interface MimePart {
  readonly mimeType: string;
  readonly filename: string;
  readonly headers: readonly HeaderField[];
  readonly content: Buffer;
  readonly parts: readonly MimePart[];
}

/** Beyond these a message is shown as one text part: real ones have tens of parts and a few levels. */
const maxParts = 1000;
const maxDepth = 50;
const maxHeadBytes = 1 << 20;

interface Draft {
  readonly node: MimeNode;
  readonly chunks: Buffer[];
  readonly children: Draft[];
  readonly depth: number;
}

/**
 * The part tree of a raw message. Never throws on what a message holds: one that cannot be split (too many parts, a
 * header without end) comes back as a single text part with its bytes as they are.
 */
export async function parsePartTree(raw: Buffer): Promise<MimePart> {
  const bytes = withoutEnvelope(raw);
  try {
    const root = await split(bytes);
    if (root !== undefined) return finish(root);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  return {
    mimeType: "text/plain",
    filename: "",
    headers: fieldsOfHead(bytes.subarray(0, maxHeadBytes)),
    content: Buffer.from(decodeCharset(bytes, undefined)),
    parts: [],
  };
}

async function split(bytes: Buffer): Promise<Draft | undefined> {
  const splitter = new Splitter({ maxHeadSize: maxHeadBytes, maxChildNodes: maxParts, defaultInlineEmbedded: true });
  const drafts = new Map<MimeNode, Draft>();
  let root: Draft | undefined;
  splitter.end(bytes);
  for await (const piece of splitter as AsyncIterable<MimeNode | MimeChunk>) {
    if (piece.type === "node") {
      const parent = piece.parentNode === false ? undefined : drafts.get(piece.parentNode);
      const draft: Draft = { node: piece, chunks: [], children: [], depth: (parent?.depth ?? -1) + 1 };
      if (draft.depth > maxDepth) throw new RangeError("parts nest too deeply");
      drafts.set(piece, draft);
      parent?.children.push(draft);
      root ??= draft;
    } else if (piece.type === "body" && piece.value !== undefined) {
      drafts.get(piece.node)?.chunks.push(piece.value);
    }
  }
  return root;
}

function finish({ node, chunks, children }: Draft): MimePart {
  const mimeType = node.contentType || "text/plain";
  const bytes = decodeTransfer(Buffer.concat(chunks), node.encoding || "");
  const isText = mimeType.startsWith("text/");
  return {
    mimeType,
    filename: node.filename || "",
    headers: node.headers ? headerFields(node.headers) : [],
    content: isText ? Buffer.from(decodeCharset(bytes, node.charset || undefined)) : bytes,
    parts: children.map(finish),
  };
}

/** RFC 2045 §6; what is neither base64 nor quoted-printable is taken as it is. */
function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(bytes.toString("latin1"), "base64");
  if (encoding !== "quoted-printable") return bytes;
  const text = bytes
    .toString("latin1")
    .replace(/[ \t]+(?=\r?\n|$)/g, "")
    .replace(/=\r?\n/g, "");
  return Buffer.from(
    text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}
