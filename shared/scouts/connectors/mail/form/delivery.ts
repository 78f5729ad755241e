import { fieldsOf, type HeaderField } from "../part.ts";
import { isNumber, isOwnNetwork, siteOf } from "./hosts.ts";

/** How many servers a mail is followed back through. */
const mostHops = 8;
/** How many fields of results are looked at: a server may write one for each check. */
const mostResults = 8;
const mostCharacters = 2_000;

/** `from NAME (HOST [ADDRESS]) … by SERVER`, as servers write it (RFC 5321 §4.4). */
const handedOver = /^from\s+(\S{1,255})(?:\s+\(([^()]{0,500}(?:\([^()]{0,200}\)[^()]{0,200})?)\))?/i;
/** Names that providers give to the connections of homes: `adsl-84-1-2-3.provider.example`. */
const homeName =
  /^(?=.*\d)(?:.*[\d.-])?(?:[avx]?dsl|adsl2|dyn|dynamic|dynamicip|dyn-?ip|pools?|pppo?e?|dial(?:up|in)?|cable|dhcp|broadband|catv|cpe|res|customers?|clients?)[\d.-]/i;
/** What is always there at one address is rented for a server: `static.84-1-2-3.clients.host.example`. */
const serverName = /(?:^|[.-])static(?:$|[.-])/i;
/** The sender said who they are (RFC 3848): their own provider's server, and not the reader's. */
const authenticated = /\bwith (?:utf8)?e?smtps?a\b|\(authenticated sender\b/i;
/** Put into a mailbox of the same place, or fetched from one that is the reader's too. */
const pickedUp = /\bby localhost\b|\bwith (?:lmtps?a?|pop3|imap)\b/i;
/** Names of one provider's servers that hand mail to each other. */
const sameFirm = /^(?:office365|exchangelabs)\.com$/;

/**
 * Whether the mail came to the reader's servers straight from a private connection: mail programs hand in at their provider's
 * server, programs that send unwanted mail from somebody's machine do not.
 */
export function isFromHome(headers: readonly HeaderField[]): boolean {
  const taken = headers[takenInAt(headers)];
  if (taken === undefined) return false;
  const { host, address, isTrusted } = handoverOf(taken.value);
  return address !== "" && !isTrusted && homeName.test(host) && !serverName.test(host);
}

interface Handover {
  /** Who handed the mail over: as the server found it, else as it was told. */
  readonly host: string;
  /** Empty where the server does not say. */
  readonly address: string;
  readonly isTrusted: boolean;
  /** From one server to another of the same firm. */
  readonly isInside: boolean;
}

function handoverOf(value: string): Handover {
  const text = value.slice(0, mostCharacters).replace(/\s+/g, " ").trim();
  const found = handedOver.exec(text);
  const [, named = "", seen = ""] = found ?? [];
  const by = /\bby ([\w.-]{1,255})/i.exec(text)?.[1] ?? "";
  const host = /^([\w.-]+\.[a-z]{2,24})\b/i.exec(seen)?.[1] ?? (named.includes(".") && !isNumber(named) ? named : "");
  const [, bracketed, bare] = /\[(?:IPv6:)?([\w:.]+)\]|^([\da-f:.]+)$/i.exec(seen) ?? [];
  const address = bracketed ?? bare ?? "";
  const isInside = !found || pickedUp.test(text) || isOwnNetwork(address) || firmOf(host) === firmOf(by);
  return { host, address, isTrusted: authenticated.test(text), isInside };
}

const firmOf = (host: string): string => siteOf(host).replace(sameFirm, "outlook.com");

/** Where in a header the reader's servers note that they took the mail in; -1 where nobody says so. */
function takenInAt(headers: readonly HeaderField[]): number {
  let hops = 0;
  return headers.findIndex(({ name, value }) => {
    if (name.toLowerCase() !== "received" || hops >= mostHops) return false;
    hops += 1;
    return !handoverOf(value).isInside;
  });
}

/**
 * Whether the server that took the mail in found that its sender is not who it says (RFC 8601). A pass says nothing: whoever sends
 * unwanted mail has a domain too.
 */
export function hasFailedCheck(headers: readonly HeaderField[]): boolean {
  const own = writtenByReaders(headers);
  if ([...resultsOf(own, "dmarc"), ...resultsOf(own, "compauth")].includes("fail")) return true;
  const [noted = ""] = fieldsOf(own, "received-spf");
  const [word = ""] = noted.slice(0, 20).trim().toLowerCase().split(/\W/, 1);
  const isElsewhere = [...resultsOf(own, "spf"), word].some((result) => result === "fail" || result === "softfail");
  return isElsewhere && !resultsOf(own, "dkim").includes("pass");
}

/** Whether that server looked for a signature and found none that holds. Where nobody looked, nothing is known. */
export function isUnsigned(headers: readonly HeaderField[]): boolean {
  const found = resultsOf(writtenByReaders(headers), "dkim").filter((result) => result !== "temperror");
  return found.length > 0 && !found.includes("pass");
}

/** What lies above the next server's note is the reader's servers'; what lies below came with the mail, and anybody writes it. */
function writtenByReaders(headers: readonly HeaderField[]): readonly HeaderField[] {
  const taken = takenInAt(headers);
  const before = headers.findIndex(({ name }, index) => index > taken && name.toLowerCase() === "received");
  return taken < 0 || before < 0 ? headers : headers.slice(0, before);
}

/**
 * What came of a check (RFC 8601, Authentication-Results). A server may write a field for each check; of each the first counts, and
 * of servers of another firm none.
 */
function resultsOf(headers: readonly HeaderField[], method: string): string[] {
  const fields = fieldsOf(headers, "authentication-results").slice(0, mostResults).map(sectionsOf);
  const [first = []] = fields;
  const server = serverOf(first);
  // Exchange names no server, and of what its own people hand in it says that it looked for a signature alone.
  if (server === "" && !first.some((section) => section.startsWith("spf="))) return [];
  const found = fields
    .filter((sections) => serverOf(sections) === server)
    .map((sections) => sections.filter((section) => section.startsWith(`${method}=`)));
  return (found.find((results) => results.length > 0) ?? []).map((result) => result.slice(method.length + 1));
}

const serverOf = ([first = ""]: readonly string[]): string => (first.includes("=") ? "" : siteOf(first));

/** `server` and `spf=pass`: what senders choose stands in quotes, in comments or behind it. */
function sectionsOf(value: string): string[] {
  const text = value.slice(0, mostCharacters).toLowerCase();
  const bare = text.replace(/"[^"]*"/g, "").replace(/\([^()]*\)/g, " ");
  return bare
    .split(";")
    .map((section) => /^\s*([^\s=]*(?:\s*=\s*[^\s=]*)?)/.exec(section)?.[1]?.replace(/\s/g, "") ?? "");
}
