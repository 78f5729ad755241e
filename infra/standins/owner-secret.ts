import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { HttpAnswer, HttpRequest } from "./loopback-server.ts";

/** What only those know who may read the owner's files: 256 bits, new in every run. */
export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** Compares in a time that says nothing of the secret. */
export function sameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/** Whether a request brings `Authorization: Bearer …` with the secret, as the home's own programs do. */
export const bringsSecret = ({ headers }: HttpRequest, secret: string): boolean =>
  sameSecret(/^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "", secret);

/**
 * What stands before a page on which the owner consents: nothing for a program that brings the secret, or for the form
 * that is sent with it; that form for everybody else. Another account of this machine, and a page that sends a person
 * here, get no further.
 */
export function askForOwner(request: HttpRequest, secret: string): HttpAnswer | undefined {
  if (bringsSecret(request, secret)) return undefined;
  const sent = request.method === "POST" ? new URLSearchParams(request.body.toString()).get("secret") : null;
  if (sent !== null && sameSecret(sent.trim(), secret)) return undefined;
  return {
    status: sent === null ? 200 : 403,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      // Nobody frames it, and nothing but the form is in it.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "referrer-policy": "same-origin",
    },
    body: page(sent === null ? "" : `<p role="alert">That is not this home's secret.</p>`),
  };
}

/** It posts to its own address, query and all. */
const page = (notice: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Scouts: is it you?</title>
<style>body{font:1rem/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}input{width:100%;font:inherit}</style>
<h1>Is it you?</h1>${notice}
<p>A program asks for access to your home on this machine. If you began this, enter the home's secret: the text after
<code>clientSecret</code> in the file <code>home.json</code> of its data folder. If not, close this window.</p>
<form method="post"><p><label>Secret <input name="secret" type="password" autocomplete="off" autofocus required></label></p>
<p><button>Give access</button></p></form></html>
`;
