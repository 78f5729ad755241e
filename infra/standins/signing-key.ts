import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import * as z from "zod";
import { replaceFile } from "./replace-file.ts";
import { StandInError } from "./stand-in-error.ts";

const storedKey = z.looseObject({
  kty: z.literal("RSA"),
  kid: z.string(),
  n: z.string(),
  e: z.string(),
  d: z.string(),
});

export interface SigningKey {
  readonly kid: string;
  /** The public half as a JSON Web Key, for a key set. */
  readonly publicJwk: JWK;
  /** Signs the claims as they are (RS256, RFC 7519). */
  sign(claims: JWTPayload, header?: Readonly<Record<string, string>>): Promise<string>;
}

/**
 * The RS256 key in `<directory>/<name>.json`, made on first use, readable by its owner only, so that tokens given out
 * before a restart stay valid. Throws {@link StandInError} `state_unusable` when the file is not a key.
 */
export async function openSigningKey(directory: string, name = "signing-key"): Promise<SigningKey> {
  const path = join(directory, `${name}.json`);
  const jwk = (await readStored(path)) ?? (await makeKey(directory, path));
  const key = await importJWK(jwk, "RS256");
  const publicJwk: JWK = { kty: "RSA", use: "sig", alg: "RS256", kid: jwk.kid, n: jwk.n, e: jwk.e };
  return {
    kid: jwk.kid,
    publicJwk,
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: jwk.kid, typ: "JWT", ...header }).sign(key),
  };
}

async function readStored(path: string): Promise<z.infer<typeof storedKey> | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new StandInError("state_unusable", `The signing key ${path} cannot be read.`, error);
  });
  if (text === undefined) return undefined;
  try {
    return storedKey.parse(JSON.parse(text));
  } catch (error) {
    throw new StandInError("state_unusable", `The file ${path} is not a signing key.`, error);
  }
}

async function makeKey(directory: string, path: string): Promise<z.infer<typeof storedKey>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { privateKey } = await generateKeyPair("RS256", { modulusLength: 2048, extractable: true });
  const exported = await exportJWK(privateKey);
  const key = storedKey.parse({ ...exported, kid: await calculateJwkThumbprint(exported) });
  replaceFile(path, JSON.stringify(key));
  return key;
}
