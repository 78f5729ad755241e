import * as z from "zod";

/** What a device says about an image on the first line of its answer; the rest is the image in base64. */
const about = z.object({ path: z.string(), mimeType: z.enum(["image/png", "image/jpeg", "image/webp", "image/gif"]) });
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

export interface ImageResult {
  /** The device's line about it. */
  readonly line: string;
  /** A `data:` URL (RFC 2397). */
  readonly url: string;
}

/** A tool result that is an image: as text it would cost a token for every character or two, and nobody could see it. */
export function imageResult(text: string): ImageResult | undefined {
  const end = text.indexOf("\n");
  const line = text.slice(0, Math.max(0, end));
  const data = text.slice(end + 1).trim();
  const facts = about.safeParse(parsed(line));
  if (!facts.success || !base64.test(data)) return undefined;
  return { line, url: `data:${facts.data.mimeType};base64,${data}` };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // No JSON is no image.
    return undefined;
  }
}
