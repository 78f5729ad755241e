import { promisify } from "node:util";
import { strToU8, zip } from "fflate";

const zipped = promisify<Parameters<typeof zip>[0], Uint8Array>(zip);

/** Some text files as one. */
export async function zipOf(files: readonly { readonly name: string; readonly text: string }[]): Promise<Buffer> {
  const named = Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)]));
  return Buffer.from(await zipped(named));
}
