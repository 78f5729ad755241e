import { ApiError } from "../app/api.ts";

/**
 * The text of a file that somebody has chosen. Decoded nevertheless, each letter of another encoding would become a mark of loss
 * (U+FFFD), and be kept so.
 *
 * @throws ApiError `file_not_utf8`
 */
export async function textOfFile(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // It throws for nothing else.
    throw new ApiError({ code: "file_not_utf8", message: "" }, 0);
  }
}
