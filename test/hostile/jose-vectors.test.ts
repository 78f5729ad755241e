import {
  CompactEncrypt,
  type CryptoKey,
  calculateJwkThumbprint,
  decodeProtectedHeader,
  FlattenedEncrypt,
  importJWK,
  type JWK,
} from "jose";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { isScoutsError } from "../../events/errors.ts";
import { scoutId, userId } from "../../events/ids.ts";
import { issueTicket, spendTicket } from "../../shared/devices/ticket.ts";
import { keyRingOf, kidForm } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { readState } from "../../shared/scouts/connectors/gmail/consent.ts";
import { authenticatePush } from "../../shared/scouts/connectors/gmail/push.ts";
import { hasData } from "../data/published.ts";
import { newId } from "../memory/chance.ts";
import { MemoryTable } from "../memory/table.ts";
import { Tally, vectorFiles } from "./vectors.ts";

const set = "jose/rfc-vectors";
const files = new Map(vectorFiles(set).map(({ name, text }) => [name, text]));
const tally = new Tally(set);
const nowMs = 1_800_000_000_000;
const expected = { audience: "a", serviceAccount: "s", subscription: "p" };

const signature = z.object({
  protected: z.string().default(""),
  header: z.record(z.string(), z.unknown()).default({}),
  signature: z.string(),
});
const jws = z
  .object({ payload: z.string().default("") })
  .and(
    z
      .union([
        signature.transform((only) => [only]),
        z.object({ signatures: z.array(signature) }).transform(({ signatures }) => signatures),
      ])
      .transform((signatures) => ({ signatures })),
  );

const jwk = z.looseObject({ kty: z.string(), kid: z.string().optional() });
const keySet = z.object({ keys: z.array(jwk) });

function ofKind(extension: string): [name: string, text: string][] {
  return [...files].filter(([name]) => name.endsWith(`.${extension}`));
}

function header(part: string): Record<string, unknown> {
  return part === ""
    ? {}
    : z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(part, "base64url").toString()));
}

interface Signed {
  readonly name: string;
  readonly token: string;
  readonly alg: unknown;
  readonly kid: unknown;
}

/** Every signature of the vectors as the compact text our calls take, with the algorithm it names where it is protected. */
function compactSignatures(): Signed[] {
  const compact = ofKind("jwsc").map(([name, token]) => ({
    name,
    token: token.trim(),
    open: signature.shape.header.parse(undefined),
  }));
  const json = [...ofKind("jwsf"), ...ofKind("jwsg")].flatMap(([name, text]) => {
    const { payload, signatures } = jws.parse(JSON.parse(text));
    return signatures.map((each, at) => ({
      name: `${name} ${at}`,
      token: `${each.protected}.${payload}.${each.signature}`,
      open: each.header,
    }));
  });
  return [...compact, ...json].map((each) => {
    const { alg, kid } = header(each.token.split(".")[0] ?? "");
    return { name: each.name, token: each.token, alg, kid: kid ?? each.open["kid"] };
  });
}

/** Keys of the files whose names begin so. */
function keysIn(stem: string): z.infer<typeof jwk>[] {
  return [...ofKind("jwk"), ...ofKind("jwkset")].flatMap(([name, text]) => {
    if (!name.startsWith(stem)) return [];
    const parsed: unknown = JSON.parse(text);
    return name.endsWith("jwk") ? [jwk.parse(parsed)] : keySet.parse(parsed).keys;
  });
}

/** The key a signature was made with, as a forger who had published it for us would like it. */
async function keyOf({ name, alg, kid }: Signed): Promise<CryptoKey | Uint8Array> {
  // One name stands for an elliptic curve's key and an RSA key in RFC 7520.
  const kty = /^[RP]S/.test(String(alg)) ? "RSA" : /^ES/.test(String(alg)) ? "EC" : "oct";
  const own = keysIn(name.replace(/\.jws[cfg].*$/, ""));
  const found = own.find((each) => each.kty === kty) ?? keysIn("").find((each) => each.kid === kid && each.kty === kty);
  const { d: _, alg: __, use: ___, key_ops: ____, ...open } = found ?? { kty: "oct", k: "AAAA" };
  return importJWK(open as JWK, open.kty === "oct" ? "HS256" : open.kty === "RSA" ? "RS256" : String(alg));
}

/** The code of the library's refusal below ours. */
async function refusal(
  action: Promise<unknown>,
  code: "unauthenticated" | "ticket_invalid" | "consent_invalid" | "sealed_unreadable" | "sealing_key_unknown",
) {
  try {
    await action;
  } catch (error) {
    if (!isScoutsError(error, code)) throw error;
    return z.object({ code: z.string() }).safeParse(error.cause).data?.code ?? "no cause";
  }
  throw new Error("was accepted");
}

/** What comes of a good signature, since no vector makes our claims: refused for them, and for nothing before them. */
const signatureTaken = ["ERR_JWT_INVALID", "ERR_JWT_CLAIM_VALIDATION_FAILED", "ERR_JWT_EXPIRED"];

describe.skipIf(!hasData)("published JOSE vectors", () => {
  test("every file of the set is of a kind that is looked at, or what one of those was made from", () => {
    const looked = ["jwsc", "jwsf", "jwsg", "jwec", "jwef", "jweg", "jwk", "jwkset"].flatMap(ofKind).length;
    const materials = ["payl", "pt", "pwd", "thp"].flatMap(ofKind).length;
    expect(looked + materials).toBe(files.size);
    process.stdout.write(`${set}: ${files.size} files (${looked} vectors and keys, ${materials} materials)\n`);
  });

  test("push tokens: RS256 signatures are verified, every other algorithm is refused by name", async () => {
    for (const signed of compactSignatures()) {
      const { name, token, alg } = signed;
      const keys = () => keyOf(signed);
      const check = (text: string) =>
        refusal(
          authenticatePush(`Bearer ${text}`, keys, expected, () => nowMs),
          "unauthenticated",
        );
      const why = await check(token);
      if (token.split(".")[1] === "") expect(why, name).not.toBe("ERR_JWT_CLAIM_VALIDATION_FAILED");
      else if (alg === "RS256") {
        expect(signatureTaken, name).toContain(why);
        const [head, payload, mac = ""] = token.split(".");
        const altered = `${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`;
        expect(await check(`${head}.${payload}.${altered}`), name).toBe("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
      } else expect(["ERR_JOSE_ALG_NOT_ALLOWED", "ERR_JWS_INVALID"], name).toContain(why);
      tally.add(alg === "RS256" ? "push: RS256 verified" : "push: other algorithms refused");
    }
    expect(tally.get("push: RS256 verified")).toBeGreaterThanOrEqual(4);
  });

  test("tickets and consent states: HS256 under our key is verified, everything else is refused", async () => {
    for (const signed of compactSignatures()) {
      const { name, token, alg } = signed;
      const key = await keyOf(signed);
      // An asymmetric key's public bytes as the secret: the classic confusion.
      const bytes = key instanceof Uint8Array ? key : new Uint8Array(Buffer.from(JSON.stringify(key)));
      const sessions = new MemoryTable();
      const asTicket = await refusal(
        spendTicket(bytes, token, sessions, () => nowMs),
        "ticket_invalid",
      );
      const asState = await refusal(readState({ stateKey: bytes, clock: () => nowMs }, token), "consent_invalid");
      for (const why of [asTicket, asState]) {
        if (alg === "HS256" && token.split(".")[1] !== "") expect(signatureTaken, name).toContain(why);
        else expect(signatureTaken, name).not.toContain(why);
      }
      expect(sessions.dump()).toEqual([]);
      tally.add(alg === "HS256" ? "ticket: HS256 verified" : "ticket: other algorithms refused");
    }
    expect(tally.get("ticket: HS256 verified")).toBeGreaterThanOrEqual(3);
  });

  test("the JSON serialisations themselves are no tokens", async () => {
    for (const [name, text] of [...ofKind("jwsf"), ...ofKind("jwsg"), ...ofKind("jwef"), ...ofKind("jweg")]) {
      const keys = () => Promise.reject(new Error("asked for a key"));
      await refusal(
        authenticatePush(`Bearer ${text.trim()}`, keys, expected, () => nowMs),
        "unauthenticated",
      );
      await refusal(
        spendTicket(new Uint8Array(32), text, new MemoryTable(), () => nowMs),
        "ticket_invalid",
      );
      expect(name).not.toBe("");
      tally.add("JSON refused as a token");
    }
  });

  test("sealed texts: no vector's algorithms open, though the key is the vector's own", async () => {
    const encrypted = z.object({
      protected: z.string().default(""),
      iv: z.string().default(""),
      ciphertext: z.string(),
      tag: z.string().default(""),
    });
    const compact = ofKind("jwec").map(([name, text]) => {
      const [head, , iv, ciphertext, tag] = text.trim().split(".");
      return { name, parts: [head, iv, ciphertext, tag], whole: text.trim() };
    });
    const json = [...ofKind("jwef"), ...ofKind("jweg")].map(([name, text]) => {
      const { protected: head, iv, ciphertext, tag } = encrypted.parse(JSON.parse(text));
      return { name, parts: [head, iv, ciphertext, tag], whole: text };
    });
    for (const { name, parts, whole } of [...compact, ...json]) {
      const stem = name.replace(/\.jwe[cfg]$/, "");
      const { k = "" } = z.object({ k: z.string().optional() }).parse(JSON.parse(files.get(`${stem}.jwk`) ?? "{}"));
      const key = new Uint8Array(Buffer.from(k, "base64url"));
      const ring = { newest: { kid: "x", key }, find: () => ({ kid: "x", key }) };
      const sealer = new RingSealer(ring);
      for (const text of [parts.join("."), whole]) await refusal(sealer.open(text, []), "sealed_unreadable");
      tally.add("sealed: other algorithms refused");
    }
    expect(tally.get("sealed: other algorithms refused")).toBeGreaterThanOrEqual(30);
  });

  test("keys and their thumbprints: every published key is one, and the thumbprint is the RFC's", async () => {
    for (const [name] of [...ofKind("jwk"), ...ofKind("jwkset")]) {
      const keys = keysIn(name);
      for (const each of keys) expect(await calculateJwkThumbprint(each as JWK), name).toMatch(/^[\w-]{43}$/);
      const thumbprint = name.endsWith("jwk") ? files.get(name.replace(/\.jwk$/, ".thp")) : undefined;
      if (thumbprint !== undefined) expect(await calculateJwkThumbprint(keys[0] as JWK)).toBe(thumbprint.trim());
      tally.add("keys");
    }
  });
});

describe("sealed texts made with our own key", () => {
  const key = new Uint8Array(32).fill(5);
  const sealer = new RingSealer(keyRingOf({ keys: [{ kid: "k", key: Buffer.from(key).toString("base64") }] }));
  const context = ["a", "b"];
  const aad = new TextEncoder().encode(context.join("\n"));

  test("only dir with A256GCM opens: key wrapping and other content encryption are refused though the key fits", async () => {
    const plain = new TextEncoder().encode("text");
    const headers = [
      { alg: "A256KW", enc: "A256GCM" },
      { alg: "A256GCMKW", enc: "A256GCM" },
      { alg: "A256KW", enc: "A256CBC-HS512" },
      { alg: "dir", enc: "A128CBC-HS256" },
    ];
    for (const chosen of headers) {
      const made = new FlattenedEncrypt(plain).setProtectedHeader({ ...chosen, kid: "k" });
      const jwe = await made.setAdditionalAuthenticatedData(aad).encrypt(key);
      const text = [jwe.protected, jwe.iv, jwe.ciphertext, jwe.tag].join(".");
      expect(await refusal(sealer.open(text, context), "sealed_unreadable")).toBe("ERR_JOSE_ALG_NOT_ALLOWED");
    }
    const sealed = await sealer.seal(new Transient("text"), context);
    expect((await sealer.open(sealed, context)).reveal()).toBe("text");
  });

  test("another context, an unknown key, a header without one, and every altered character are refused", async () => {
    const sealed = await sealer.seal(new Transient("text"), context);
    await refusal(sealer.open(sealed, ["a\nb"].concat("")), "sealed_unreadable");
    await refusal(sealer.open(sealed, []), "sealed_unreadable");
    for (const kid of ["other", "__proto__", undefined]) {
      const head = { alg: "dir", enc: "A256GCM", ...(kid === undefined ? {} : { kid }) };
      const made = new FlattenedEncrypt(new Uint8Array(4)).setProtectedHeader(head);
      const jwe = await made.setAdditionalAuthenticatedData(aad).encrypt(key);
      const code = kid === undefined ? "sealed_unreadable" : "sealing_key_unknown";
      await refusal(sealer.open([jwe.protected, jwe.iv, jwe.ciphertext, jwe.tag].join("."), context), code);
    }
    const compact = await new CompactEncrypt(new Uint8Array(4))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: "k" })
      .encrypt(key);
    await refusal(sealer.open(compact, []), "sealed_unreadable");
    for (let at = 0; at < sealed.length; at++) {
      if (sealed[at] === ".") continue;
      const altered = `${sealed.slice(0, at)}${sealed[at] === "A" ? "Q" : "A"}${sealed.slice(at + 1)}`;
      // The last character of a part may carry bits that stand for nothing.
      const same = altered
        .split(".")
        .every((part, n) =>
          Buffer.from(part, "base64url").equals(Buffer.from(sealed.split(".")[n] ?? "", "base64url")),
        );
      if (!same)
        await refusal(
          sealer.open(altered, context),
          namesOtherKey(altered) ? "sealing_key_unknown" : "sealed_unreadable",
        );
    }
  });
});

/** What cannot be told from a text under a key that is missing. */
function namesOtherKey(sealed: string): boolean {
  try {
    const { alg, enc, kid } = decodeProtectedHeader({ protected: sealed.split(".")[0] ?? "" });
    return alg === "dir" && enc === "A256GCM" && typeof kid === "string" && kid !== "k" && kidForm.test(kid);
  } catch {
    // No header at all.
    return false;
  }
}

describe("a ticket", () => {
  const key = new Uint8Array(32).fill(3);
  const holder = { userId: userId.parse(`usr_${"a".repeat(26)}`), deviceId: "dev_01JZZZZZZZZZZZZZZZZZZZZZZ7" as never };

  test("is one person's once, under its own key, for its 30 seconds; a consent's state is none", async () => {
    const sessions = new MemoryTable();
    const ticket = await issueTicket(key, holder, () => nowMs, newId);
    await refusal(
      spendTicket(new Uint8Array(32), ticket, sessions, () => nowMs),
      "ticket_invalid",
    );
    await refusal(
      spendTicket(key, ticket, sessions, () => nowMs + 31_000),
      "ticket_invalid",
    );
    await refusal(readState({ stateKey: key, clock: () => nowMs }, ticket), "consent_invalid");
    expect(await spendTicket(key, ticket, sessions, () => nowMs)).toEqual(holder);
    await expect(spendTicket(key, ticket, sessions, () => nowMs)).rejects.toMatchObject({ code: "ticket_spent" });
    expect(scoutId.safeParse(holder.deviceId).success).toBe(false);
  });
});
