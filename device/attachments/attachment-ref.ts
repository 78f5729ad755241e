import { DeviceError } from "../errors.ts";

export const attachmentKinds = ["file", "https", "mcp", "proposal", "tool"] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

/** What a person names to be attached: `file:notes.md`, `https://…`, `mcp:SERVER/ADDRESS`, `proposal:REF`, `tool:NAME`. */
export interface AttachmentRef {
  readonly kind: AttachmentKind;
  /** Behind the colon; of `https` the whole address. */
  readonly of: string;
  /** As it was named. */
  readonly name: string;
}

const longest = 4_096;
/** Two letters and more: `C:\notes.md` is a file. */
const scheme = /^([a-z][a-z+.-]+):/i;

/** @throws DeviceError `attachment_invalid` */
export function attachmentRef(text: string): AttachmentRef {
  const name = text.trim();
  const kind = scheme.exec(name)?.[1]?.toLowerCase();
  const of = kind === undefined ? name : name.slice(kind.length + 1);
  if (of.trim() === "" || name.length > longest || name.includes("\0")) throw invalid(name);
  if (kind === undefined) return { kind: "file", of, name };
  if (kind === "https") return { kind, of: name, name };
  const known = attachmentKinds.find((each) => each === kind);
  if (known === undefined) throw invalid(name);
  return { kind: known, of, name };
}

function invalid(name: string): DeviceError {
  const sentence = `${JSON.stringify(name.slice(0, 200))} is nothing that can be attached. Attach files, https: addresses, mcp:SERVER/ADDRESS, proposal:REF or tool:NAME.`;
  return new DeviceError("attachment_invalid", { sentence });
}
