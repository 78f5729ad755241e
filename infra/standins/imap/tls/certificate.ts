import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { bits, der, integer, objectId, octets, sequence, setOf, time, utf8String, yes } from "./der.ts";

/** A key and the certificate for it, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));
const commonName = objectId("2.5.4.3");
const basicConstraints = objectId("2.5.29.19");
const alternativeName = objectId("2.5.29.17");
const hourMs = 3_600_000;

/**
 * A certificate signed by itself (RFC 5280): whoever is given it as an authority trusts the server and nobody else. Node
 * makes keys and signatures, but no certificates.
 *
 * @param names host names and IPv4 addresses it is for
 */
export function makeCertificate(names: readonly string[], validUntilMs: number, nowMs: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(setOf(sequence(commonName, utf8String(names[0] ?? ""))));
  const alternatives = names.map((each) =>
    /^\d+(?:\.\d+){3}$/.test(each)
      ? der(0x87, Buffer.from(each.split(".").map(Number)))
      : der(0x82, Buffer.from(each, "latin1")),
  );
  const extensions = sequence(
    sequence(basicConstraints, yes, octets(sequence(yes))),
    sequence(alternativeName, octets(sequence(...alternatives))),
  );
  const toSign = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(Math.min(nowMs, validUntilMs) - hourMs), time(validUntilMs)),
    name,
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, extensions),
  );
  const certificate = sequence(toSign, ecdsaWithSha256, bits(sign("sha256", toSign, privateKey)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    key: String(privateKey.export({ format: "pem", type: "pkcs8" })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}
