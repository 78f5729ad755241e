import type { ArtifactToolInput } from "../../../events/agent-tools/artifact-tools.ts";
import type { PlacedText } from "../../files/text/placed-text.ts";
import { ArtifactError } from "../errors.ts";
import type { ArtifactSession, ArtifactToolAnswer } from "./artifact-session.ts";
import { usable } from "./usable.ts";

interface Part {
  readonly text: string;
  /** UTF-16 code units before it. */
  readonly startChar: number;
  readonly startLine?: number;
}

/** A part of a text of any size and encoding. @throws ArtifactError `not_text`, `invalid_arguments`, and as `usable` */
export async function artifactRead(
  session: ArtifactSession,
  input: ArtifactToolInput<"artifact_read">,
): Promise<ArtifactToolAnswer> {
  const { store, metadata } = await usable(session, input.id);
  if (metadata.encoding === undefined) throw new ArtifactError("not_text", { recovery: asReference(metadata.id) });
  session.artifacts.usage.add("reads");
  return session.artifacts.explaining(metadata, async () => {
    const text = await store.text(metadata);
    const { startLine, endLine, startChar, maxChars } = input;
    if (startLine !== undefined && startChar !== undefined) {
      throw new ArtifactError("invalid_arguments", { detail: "Give lines or characters, not both." });
    }
    const byLines = startLine !== undefined || endLine !== undefined;
    const from = startLine ?? 1;
    if (endLine !== undefined && endLine < from)
      throw new ArtifactError("invalid_arguments", { detail: "endLine lies before startLine." });
    // One more than may be shown tells whether there is more.
    const part = byLines
      ? await linesOf(text, from, endLine, maxChars + 1)
      : await charsOf(text, startChar ?? 0, maxChars + 1);
    const shown = part.text.slice(0, maxChars).toWellFormed();
    const isCut = part.text.length > shown.length;
    return {
      facts: {
        id: metadata.id,
        ...(part.startLine !== undefined && { startLine: part.startLine }),
        startChar: part.startChar,
        chars: shown.length,
        isCut,
        ...(isCut && { nextChar: part.startChar + shown.length }),
        totalBytes: metadata.sizeBytes,
      },
      text: shown,
    };
  });
}

const asReference = (id: string) => `Give it to a tool as {"$artifact": ${JSON.stringify(id)}, "as": "base64"}.`;

/** Nothing for an empty artifact, which has no places. */
async function charsOf(text: PlacedText | undefined, from: number, maxChars: number): Promise<Part> {
  const part = await text?.fromUnit(from, maxChars);
  return { text: part?.text ?? "", startChar: part?.startUnit ?? 0 };
}

async function linesOf(
  text: PlacedText | undefined,
  from: number,
  to: number | undefined,
  maxChars: number,
): Promise<Part> {
  const part = await text?.fromLine(from, maxChars);
  if (text === undefined || part === undefined) return { text: "", startChar: 0, startLine: from };
  const wanted = to === undefined ? part.text : firstLines(part.text, to - from + 1, text.places.lineBreak);
  return { text: wanted, startChar: part.startUnit, startLine: from };
}

function firstLines(text: string, count: number, lineBreak: string): string {
  let end = -1;
  for (let seen = 0; seen < count; seen++) {
    end = text.indexOf(lineBreak, end + 1);
    if (end === -1) return text;
  }
  return text.slice(0, end + 1);
}
