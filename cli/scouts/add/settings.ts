import * as z from "zod";
import { DeviceError } from "../../../device/errors.ts";
import { type SourceSettings, sourceSettings } from "../../../events/sources/settings.ts";
import type { CliContext } from "../../context.ts";
import { readStdin } from "./secret.ts";

/**
 * A source's settings by their names, as JSON on standard input: secrets are among them, which names of a connector's
 * own may have.
 *
 * @throws DeviceError `usage` when it is no such object; not the error of JSON or zod, which may quote a secret
 */
export async function readSettings(context: CliContext): Promise<SourceSettings> {
  const text = await readStdin(context);
  try {
    return sourceSettings.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    const sentence =
      '--settings-stdin wants a JSON object on standard input, such as {"url": "https://…", "token": "…"}.';
    throw new DeviceError("usage", { sentence });
  }
}
