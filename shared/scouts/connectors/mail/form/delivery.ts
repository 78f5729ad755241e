import { fieldOf, fieldsOf, type HeaderField } from "../part.ts";
import { isNumber, siteOf } from "./hosts.ts";

/** How many servers a mail is followed back through. */
const mostHops = 6;
const mostCharacters = 2_000;

/** `from NAME (HOST [ADDRESS]) … by SERVER`, as servers write it (RFC 5321 §4.4). */
const handedOver = /^from\s+(\S{1,255})\s+\(([^()]{0,500}(?:\([^()]{0,200}\)[^()]{0,200})?)\)/i;
/** Names that providers give to the connections of homes: `adsl-84-1-2-3.provider.example`. */
const homeName =
  /^(?=.*\d)(?:.*[\d.-])?(?:[avx]?dsl|adsl2|dyn|dynamic|dynamicip|dyn-?ip|pools?|pppo?e?|dial(?:up|in)?|cable|dhcp|broadband|catv|cpe|res|customers?|clients?)[\d.-]/i;
const ownNetwork = /\[(?:IPv6:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1|fe80|f[cd])/i;

/**
 * Whether the mail came to the reader's servers straight from a private connection: mail programs hand in at their provider's
 * server, programs that send unwanted mail from somebody's machine do not.
 */
export function isFromHome(headers: readonly HeaderField[]): boolean {
  for (const value of fieldsOf(headers, "received").slice(0, mostHops)) {
    const text = value.slice(0, mostCharacters).replace(/\s+/g, " ").trim();
    const [, named = "", seen = ""] = handedOver.exec(text) ?? [];
    const by = /\bby ([\w.-]{1,255})/i.exec(text)?.[1] ?? "";
    const host = /^([\w.-]+\.[a-z]{2,24})\b/i.exec(seen)?.[1] ?? (named.includes(".") && !isNumber(named) ? named : "");
    if (!/\[[\w.:]+\]/.test(seen) || ownNetwork.test(seen) || siteOf(host) === siteOf(by)) continue;
    return homeName.test(host);
  }
  return false;
}

/**
 * Whether the server that took the mail in found that its sender is not who it says (RFC 8601; the first such field is the reader's
 * own server's). A pass says nothing: whoever sends unwanted mail has a domain too.
 */
export function hasFailedCheck(headers: readonly HeaderField[]): boolean {
  const found = checksOf(headers);
  const sender = fieldOf(headers, "received-spf").slice(0, 20).toLowerCase();
  if (/\b(?:dmarc|compauth)=fail/.test(found)) return true;
  return (/\bspf=(?:soft)?fail/.test(found) || /^(?:soft)?fail/.test(sender)) && !/\bdkim=pass/.test(found);
}

/** Whether that server looked for a signature and found none that holds. Where nobody looked, nothing is known. */
export function isUnsigned(headers: readonly HeaderField[]): boolean {
  const found = checksOf(headers);
  return /\bdkim=/.test(found) && !/\bdkim=pass/.test(found);
}

const checksOf = (headers: readonly HeaderField[]): string =>
  fieldOf(headers, "authentication-results").slice(0, mostCharacters).toLowerCase();
