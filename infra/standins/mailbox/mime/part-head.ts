import MimeNode from "mailsplit/lib/mime-node.js";
import { fileNameOf } from "../../../../shared/scouts/connectors/mail/parameters.ts";
import type { SplitHead } from "../../../../shared/scouts/connectors/mail/split.ts";
import { type HeaderField, headerFields, unfolded, writtenValue } from "./header-fields.ts";

/** What a part's header says of its body. */
export interface PartHead extends SplitHead {
  readonly fields: HeaderField[];
  readonly charset: string;
  readonly filename: string;
}

const maxHeadBytes = 1 << 20;
const longEncoding = /^(content-transfer-encoding:[^\n]{100})[^\n]+/gim;

/** Reads a part's header: its fields, and of their parameters (RFC 2231) what the body needs. Never throws. */
export function readPartHead(bytes: Buffer): PartHead {
  const node = new MimeNode(false);
  const head = unfolded(bytes.subarray(0, maxHeadBytes).toString("latin1"))
    // An empty parameter (`;;`) loses the ones behind it.
    .replace(/;(?:\s*;)+/g, ";")
    // Each bracket of an encoding is looked for its end to the line's end.
    .replace(longEncoding, "$1");
  node.addHeaderChunk(Buffer.from(head, "latin1"));
  node.parseHeaders();
  const fields = node.headers ? headerFields(node.headers) : [];
  const charset = node.charset || "";
  const written = (name: string) => {
    const line = (node.headers ? node.headers.getList() : []).find(({ key }) => key === name)?.line ?? "";
    return writtenValue(line.slice(line.indexOf(":") + 1), charset);
  };
  const named = fields.some(({ name }) => name.toLowerCase() === "content-type");
  return {
    fields,
    mimeType: named ? typeOf(node.contentType || "") : "",
    encoding: node.encoding || "",
    charset,
    filename: fileNameOf(written("content-disposition"), written("content-type")),
    boundary: node._boundary ? node._boundary.toString("latin1") : "",
  };
}

/** A type without its second half is text (RFC 2045 §5.2); another that nobody knows is a file. */
function typeOf(contentType: string): string {
  return contentType.includes("/") ? contentType : "text/plain";
}
