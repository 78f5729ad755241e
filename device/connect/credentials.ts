import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../errors.ts";

/** What a sign-in leaves: where the home is, and the person's tokens for it. Who may read the file may act as them. */
const credentials = z.object({
  v: z.literal(1),
  apiUrl: z.url(),
  issuer: z.url(),
  clientId: z.string().min(1),
  audience: z.string().nullable(),
  scope: z.string(),
  tokenEndpoint: z.url(),
  revocationEndpoint: z.url().nullable(),
  accessToken: z.string().min(1),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
  /** When the token was given, by this device's clock: earlier than that it tells nothing about `expiresAt`. */
  issuedAt: z.number().optional(),
  refreshToken: z.string().min(1).nullable(),
});
export type Credentials = z.infer<typeof credentials>;

const fileIn = (dataFolder: string) => path.join(dataFolder, "device", "credentials.json");

/** What this data folder is signed in to; undefined when it is not. @throws DeviceError `credentials_unreadable` */
export function readCredentials(dataFolder: string): Credentials | undefined {
  let text: string;
  try {
    text = readFileSync(fileIn(dataFolder), "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR"))
      return undefined;
    throw new DeviceError("credentials_unreadable", { cause });
  }
  try {
    return credentials.parse(JSON.parse(text));
  } catch {
    // No cause: what JSON and zod say quotes the file.
    throw new DeviceError("credentials_unreadable");
  }
}

/** Keeps them for the owner of the account only, replaced as a whole. */
export function writeCredentials(dataFolder: string, value: Credentials): void {
  const file = fileIn(dataFolder);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** @returns whether there were any */
export function removeCredentials(dataFolder: string): boolean {
  const there = readCredentials(dataFolder) !== undefined;
  rmSync(fileIn(dataFolder), { force: true });
  return there;
}
