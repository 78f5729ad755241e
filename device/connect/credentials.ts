import path from "node:path";
import * as z from "zod";
import { DeviceError } from "../errors.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../private-file.ts";

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
export const readCredentials = (dataFolder: string): Credentials | undefined =>
  readPrivateFile(fileIn(dataFolder), credentials, (cause) => {
    throw new DeviceError("credentials_unreadable", { cause });
  });

/** Keeps them for the owner of the account alone, on the disk before this returns. */
export const writeCredentials = (dataFolder: string, value: Credentials): void =>
  writePrivateFile(fileIn(dataFolder), value);

/** A new token may be longer than the one before. */
const spareCharacters = 2_048;

/** Sets room on the disk aside for credentials that take the place of these. @returns gives it back */
export function keepRoomFor(dataFolder: string, value: Credentials): () => void {
  const file = `${fileIn(dataFolder)}.room`;
  writePrivateFile(file, "0".repeat(JSON.stringify(value).length + spareCharacters));
  return () => removePrivateFile(file);
}

/** @returns whether there were any */
export function removeCredentials(dataFolder: string): boolean {
  const there = readCredentials(dataFolder) !== undefined;
  removePrivateFile(fileIn(dataFolder));
  return there;
}
