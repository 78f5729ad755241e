import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import * as z from "zod";

const cipher = "aes-256-gcm";
const tagBytes = 16;
/** Bytes of an X25519 public key (RFC 7748). */
export const boxHeadBytes = 32;

const publicJwk = z.object({ x: z.string() });
const privateJwk = publicJwk.extend({ d: z.string() });

/** A device's key pair, each half as 32 bytes in base64url. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A new pair of keys for X25519 (RFC 7748), each as base64url of 32 bytes. */
export function newKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync("x25519");
  const { x, d } = privateJwk.parse(privateKey.export({ format: "jwk" }));
  return { publicKey: x, privateKey: d };
}

const publicKeyOf = (x: string): KeyObject => createPublicKey({ key: { kty: "OKP", crv: "X25519", x }, format: "jwk" });

const privateKeyOf = ({ publicKey: x, privateKey: d }: KeyPair): KeyObject =>
  createPrivateKey({ key: { kty: "OKP", crv: "X25519", x, d }, format: "jwk" });

/** Turns the pieces of one thing, in order; each is bound to its place. */
export interface BlockCipher {
  /** @throws Error from node:crypto where a block was changed, moved, or sealed for another key */
  block(bytes: Uint8Array, place: number): Buffer;
}

/**
 * Seals for whoever holds the private half: a key of its own for each thing, agreed on by X25519 with one made for it alone and
 * derived by HKDF (as HPKE's base mode does, RFC 9180), then AES-256-GCM for each block with its place as the nonce. No secret is
 * needed to seal.
 */
export function sealerFor(publicKey: string): BlockCipher & { readonly head: Buffer } {
  const own = generateKeyPairSync("x25519");
  const { x } = publicJwk.parse(own.publicKey.export({ format: "jwk" }));
  const head = Buffer.from(x, "base64url");
  const key = derived(
    diffieHellman({ privateKey: own.privateKey, publicKey: publicKeyOf(publicKey) }),
    head,
    publicKey,
  );
  return {
    head,
    block(bytes, place) {
      const sealing = createCipheriv(cipher, key, nonceOf(place));
      return Buffer.concat([sealing.update(bytes), sealing.final(), sealing.getAuthTag()]);
    },
  };
}

/** Opens what {@link sealerFor} sealed. @param head as it gave it */
export function openerWith(pair: KeyPair, head: Uint8Array): BlockCipher {
  const sender = publicKeyOf(Buffer.from(head).toString("base64url"));
  const key = derived(diffieHellman({ privateKey: privateKeyOf(pair), publicKey: sender }), head, pair.publicKey);
  return {
    block(bytes, place) {
      const opening = createDecipheriv(cipher, key, nonceOf(place), { authTagLength: tagBytes });
      opening.setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([opening.update(bytes.subarray(0, -tagBytes)), opening.final()]);
    },
  };
}

function derived(secret: Buffer, head: Uint8Array, publicKey: string): Buffer {
  const salt = Buffer.concat([head, Buffer.from(publicKey, "base64url")]);
  return Buffer.from(hkdfSync("sha256", secret, salt, "scouts kept 1", 32));
}

/** The key is of one thing alone, so a place is used once. */
function nonceOf(place: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(place, 6, 6);
  return nonce;
}
