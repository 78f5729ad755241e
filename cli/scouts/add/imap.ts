import * as z from "zod";
import { DeviceError } from "../../../device/errors.ts";
import type { SourceSettings } from "../../../events/sources/settings.ts";
import type { CliContext } from "../../context.ts";
import { readSecret, readStdin, type SecretFlags } from "./secret.ts";

export interface ImapFlags extends SecretFlags {
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly oauth?: boolean;
  readonly tls?: "implicit" | "starttls" | "none";
  readonly folder?: readonly string[];
}

/** What an OAuth client has been granted, as its provider's tools print it. */
const grant = z.strictObject({
  refreshToken: z.string().min(1),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  tokenUrl: z.url(),
});

/** The settings of an IMAP source, the secret among them. @throws DeviceError `usage` when there is no way to sign in */
export async function imapSettingsOf(context: CliContext, flags: ImapFlags): Promise<SourceSettings> {
  const { host, port, user, tls, folder } = flags;
  return {
    host,
    user,
    ...(port !== undefined && { port }),
    ...(tls !== undefined && { tls }),
    ...(folder !== undefined && { folders: [...folder] }),
    ...(flags.oauth ? await readGrant(context) : { password: await passwordOf(context, flags) }),
  };
}

async function passwordOf(context: CliContext, flags: ImapFlags): Promise<string> {
  const password = await readSecret(context, flags);
  if (password !== undefined) return password;
  throw new DeviceError("usage", { sentence: "Say how to sign in: --password-stdin, --password-env or --oauth." });
}

async function readGrant(context: CliContext): Promise<SourceSettings> {
  const { clientSecret, ...rest } = parsedGrant(await readStdin(context));
  return clientSecret === undefined ? rest : { ...rest, clientSecret };
}

/** Not the error of JSON or zod: it may quote the secret. */
function parsedGrant(text: string): z.infer<typeof grant> {
  try {
    return grant.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    const form = '{"refreshToken": "…", "clientId": "…", "clientSecret": "…", "tokenUrl": "https://…"}';
    throw new DeviceError("usage", { sentence: `--oauth wants JSON on standard input: ${form}` });
  }
}
