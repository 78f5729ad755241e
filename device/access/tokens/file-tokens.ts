import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { projectId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import { makePrivateFolder } from "../../private-folder.ts";
import { takeFileLock } from "../../store/held-locks.ts";
import { backend } from "../policy/profiles.ts";

/** What a token lets a program do with one project's files; who may write may read. */
export const tokenRights = ["read", "write"] as const;
export type TokenRight = (typeof tokenRights)[number];

/** Letters, digits and what joins them: a name stands in the audit trail and in questions to the person. */
export const tokenName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u);

const kept = z.strictObject({
  v: z.literal(1),
  name: tokenName,
  project: projectId,
  right: z.enum(tokenRights),
  /** How much of a file is shown at once. */
  backend,
  /** Milliseconds since the epoch. */
  createdAt: z.int(),
  endsAt: z.int(),
});

export interface FileToken extends Omit<z.output<typeof kept>, "v"> {
  /** Begins the SHA-256 of the token. */
  readonly id: string;
}

/** A token whose file was damaged: it opens nothing, and can be revoked. */
export interface DamagedToken {
  readonly id: string;
  readonly name: null;
}

const prefix = "sft_";
const fileName = /^([0-9a-f]{64})\.json$/;
const folderOf = (dataFolder: string) => join(dataFolder, "device", "file-tokens");
const digestOf = (token: string) => createHash("sha256").update(token).digest("hex");
const idOf = (digest: string) => digest.slice(0, 12);

/**
 * Makes a token for a program that works on a project's files over HTTP. Kept is a file of the owner's (0600, in a folder
 * 0700) that its SHA-256 names: what lies on the disk opens nothing.
 *
 * @returns the token itself, told this once
 * @throws DeviceError `token_exists`, `store_busy`, `folder_unusable`
 */
export function makeFileToken(
  dataFolder: string,
  wanted: Omit<FileToken, "id">,
): { readonly token: string; readonly made: FileToken } {
  return locked(dataFolder, (folder) => {
    if (fileTokens(dataFolder).some(({ name }) => name?.toLowerCase() === wanted.name.toLowerCase()))
      throw new DeviceError("token_exists", { data: { name: wanted.name } });
    const token = `${prefix}${randomBytes(32).toString("base64url")}`;
    const digest = digestOf(token);
    const row = kept.parse({ v: 1, ...wanted });
    writeFileSync(join(folder, `${digest}.json`), `${JSON.stringify(row)}\n`, { mode: 0o600, flag: "wx" });
    return { token, made: { id: idOf(digest), ...wanted } };
  });
}

/** All tokens, also those that have ended, the oldest first. */
export function fileTokens(dataFolder: string): (FileToken | DamagedToken)[] {
  const folder = folderOf(dataFolder);
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder).flatMap((name) => {
    const [, digest] = fileName.exec(name) ?? [];
    return digest === undefined ? [] : [read(folder, digest) ?? { id: idOf(digest), name: null }];
  });
  const madeAt = (each: FileToken | DamagedToken) => (each.name === null ? 0 : each.createdAt);
  return all.toSorted((a, b) => madeAt(a) - madeAt(b) || (a.id < b.id ? -1 : 1));
}

/** What a token may do at this moment; undefined: nothing, or not any more. Its file is read each time: a revoked one ends at once. */
export function findFileToken(dataFolder: string, token: string, nowMs: number): FileToken | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const found = read(folderOf(dataFolder), digestOf(token));
  // One that was made while the clock stood later is good as soon as it was made.
  return found !== undefined && found.endsAt > nowMs ? found : undefined;
}

/** Ends a token, by its name or id. @throws DeviceError `token_unknown`, `store_busy` */
export function revokeFileToken(dataFolder: string, named: string): FileToken | DamagedToken {
  return locked(dataFolder, (folder) => {
    const found = fileTokens(dataFolder).find(
      ({ id, name }) => id === named || name?.toLowerCase() === named.toLowerCase(),
    );
    if (found === undefined) throw new DeviceError("token_unknown", { data: { name: named } });
    for (const file of readdirSync(folder).filter((each) => each.startsWith(found.id)))
      rmSync(join(folder, file), { force: true });
    return found;
  });
}

function read(folder: string, digest: string): FileToken | undefined {
  try {
    const { v: _, ...row } = kept.parse(JSON.parse(readFileSync(join(folder, `${digest}.json`), "utf8")));
    return { id: idOf(digest), ...row };
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isGone || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function locked<R>(dataFolder: string, work: (folder: string) => R): R {
  const folder = folderOf(dataFolder);
  prepare(folder);
  const release = takeFileLock(join(folder, "tokens.lock"));
  if (release === undefined) throw new DeviceError("store_busy");
  try {
    return work(folder);
  } finally {
    release();
  }
}

function prepare(folder: string): void {
  try {
    makePrivateFolder(folder);
    chmodSync(folder, 0o700);
  } catch (cause) {
    throw new DeviceError("folder_unusable", { cause });
  }
}
