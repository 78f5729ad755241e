import { createHmac, randomBytes } from "node:crypto";
import * as z from "zod";
import { namesOfHost } from "../address-guard.ts";
import type { KeptSettings } from "../connector.ts";

/** Commands are lines: nothing a person types may end one. */
const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\0\r\n]+$/);

/** More folders than this make every look at the mailbox slow; each is selected in turn. */
const maxFolders = 20;

/**
 * What is given for a mailbox: where it is, how it is encrypted (`none` on the machine itself only), who reads it, with a
 * password or with a grant (OAuth 2 refresh token, RFC 6749 §6), and which folders, by the names a mail program shows.
 */
export const imapSettings = z
  .strictObject({
    /** A host name or an IP address, IPv6 without brackets. */
    host: z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(/^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*\.?|(?=[\da-f.]*:)[\da-f:.]+)$/),
    port: z.number().int().min(1).max(65_535).optional(),
    tls: z.enum(["implicit", "starttls", "none"]).default("implicit"),
    user: line(320),
    password: line(1024).optional(),
    refreshToken: line(4096).optional(),
    clientId: line(1024).optional(),
    clientSecret: line(1024).optional(),
    tokenUrl: z
      .url({ protocol: /^https$/, hostname: /./ })
      .max(1024)
      .optional(),
    folders: z.array(line(500)).min(1).max(maxFolders).default(["INBOX"]),
  })
  .refine(({ password, refreshToken, tokenUrl, clientId }) =>
    password === undefined ? refreshToken && tokenUrl && clientId : refreshToken === undefined,
  );
export type ImapSettings = z.infer<typeof imapSettings>;

/** Never shown again. */
export const imapSecrets = ["password", "refreshToken", "clientSecret"] as const;

/** Settings with the key that refs, threads and folder names are blinded with. */
export interface ImapAccess extends ImapSettings {
  readonly refKey: string;
}

/**
 * With the key a scout has already, if it has one: refs stay the same when it is reconnected. Where a grant was spent when it
 * was typed in, what took its place stands in for it.
 */
export function accessOf(kept: KeptSettings<ImapSettings>): ImapAccess {
  const { given, own } = kept;
  const refKey = own?.["refKey"] ?? randomBytes(32).toString("base64url");
  const grant = isGrantKept(kept) ? own?.["grant"] : undefined;
  return { ...given, ...(grant === undefined ? {} : { refreshToken: grant }), refKey };
}

/** Whether the grant in the settings is the scout's already, and not one that was just typed in. */
export const isGrantKept = ({ given: { refreshToken }, own }: KeptSettings<ImapSettings>): boolean =>
  refreshToken !== undefined && own?.["typedGrant"] === refreshToken;

/** What is kept beside the settings. @param grant what took the place of the one that was typed in */
export function ownOf({ refKey }: ImapAccess, given: ImapSettings, grant: string | undefined): Record<string, string> {
  const { refreshToken } = given;
  return refreshToken === undefined || grant === undefined ? { refKey } : { refKey, typedGrant: refreshToken, grant };
}

/** Ports of RFC 8314 and RFC 9051: two doors of one server. */
const implicitPort = 993;
const plainPort = 143;

export const portOf = ({ port, tls }: Pick<ImapSettings, "port" | "tls">): number =>
  port ?? (tls === "implicit" ? implicitPort : plainPort);

/** The other door to the same mailboxes. At ports that are nobody's by rule there may be servers of their own. */
const otherDoors: ReadonlyMap<number, number> = new Map([
  [implicitPort, plainPort],
  [plainPort, implicitPort],
]);

/**
 * Which mailbox it is, by each name its host goes by and each door it has, the one that counts first: user names may
 * differ in case only, host names may not.
 */
export function identitiesOf(settings: ImapSettings): readonly [string, ...string[]] {
  const [first, ...others] = namesOfHost(settings.host.replace(/\.$/, ""));
  const named = (host: string, at: number) => `imap ${settings.user}@${host}:${at}`;
  const port = portOf(settings);
  const other = otherDoors.get(port);
  return [
    named(first, port),
    ...others.map((host) => named(host, port)),
    ...(other === undefined ? [] : [first, ...others].map((host) => named(host, other))),
  ];
}

/** HMAC-SHA-256 under the scout's key, so that names and ids of a mailbox say nothing where they are written down. */
export function blinded({ refKey }: ImapAccess, kind: "item" | "thread" | "folder", text: string): string {
  return createHmac("sha256", Buffer.from(refKey, "base64url")).update(`${kind}\n${text}`).digest("base64url");
}

/** A folder as positions name it. */
export const folderTag = (access: ImapAccess, folder: string): string => blinded(access, "folder", folder).slice(0, 12);
