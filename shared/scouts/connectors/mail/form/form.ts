import { domainToASCII } from "node:url";
import { type MailTrait, mailTraits } from "../../../../../events/sources/mail-traits.ts";
import { isAttachment } from "../attachments.ts";
import { addressesIn, senderOf } from "../fields.ts";
import { letterIn } from "../letter.ts";
import { fieldOf, fieldsOf, type HeaderField, type MailPart, parameterOf, partLimits } from "../part.ts";
import { hasFailedCheck, isFromHome, isUnsigned } from "./delivery.ts";
import { countsClicks, freeMailDomains, isBorrowed, isNumber, rareEnding, siteOf } from "./hosts.ts";
import { type Page, pageOf, webAddress } from "./page.ts";

/** How much of a letter's source and of its text is looked at. */
const mostSourceCharacters = 300_000;
const mostTextCharacters = 20_000;
const mostSignatures = 5;
/** Forgers want one click; a newsletter has links by the dozen, often by way of whoever sends it. */
const fewLinks = 5;
/** A letter with fewer words beside its pictures says nothing. */
const fewestWords = 20;

/** Scripts that put no spaces between words have some two letters to a word. */
const word = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]{2}|\p{L}{2,}/gu;

/** Who reports that a mail was not delivered: RFC 2142 and what servers call themselves. */
const mailSystem = /^(?:mailer-daemon|postmaster|microsoftexchange[\da-f]{0,40})(?:@|$)/i;

const freeMail: ReadonlySet<string> = new Set(freeMailDomains);
const inText = /https?:\/\/[^\s<>"')\]]{3,2000}/gi;

/**
 * What a mail's form tells of it, in the order of {@link mailTraits}. Never throws; time is bounded whatever the mail is built of.
 *
 * @param text the letter as its reader sees it
 */
export function traitsOf(root: MailPart, text: string): MailTrait[] {
  const found = new Set<MailTrait>([...traitsOfHeader(root.headers), ...traitsOfLetter(root, text)]);
  return mailTraits.filter((trait) => found.has(trait));
}

function* traitsOfHeader(headers: readonly HeaderField[]): Generator<MailTrait> {
  const has = (...names: readonly string[]): boolean => names.some((name) => fieldOf(headers, name) !== "");
  if (has("in-reply-to", "references")) yield "answers";
  if (
    /^\s*(?:1\b|high\b)/i.test(fieldOf(headers, "x-priority")) ||
    /^\s*high\b/i.test(fieldOf(headers, "importance"))
  ) {
    yield "urgent";
  }
  if (addressesIn(headers, "to", "cc").size === 0) yield "no_recipient";
  const report = parameterOf(fieldOf(headers, "content-type"), "report-type");
  if (report === "delivery-status" && mailSystem.test(senderOf(headers).address)) yield "undelivered";
  // A list hands on what others have sent, and asks for answers to itself.
  if (has("list-id", "list-post")) return;
  if (isFromHome(headers)) yield "home_sender";
  if (hasFailedCheck(headers)) yield "failed_check";
  if (isUnsigned(headers)) yield "unsigned";
  const own = domainOf(senderOf(headers).address);
  const answers = [...addressesIn(headers, "reply-to")].map(domainOf);
  if (answers.some((domain) => freeMail.has(domain) && domain !== own)) yield "free_reply";
}

function* traitsOfLetter(root: MailPart, text: string): Generator<MailTrait> {
  const html = sourceOf(root);
  // Who sends for many firms counts clicks at a site of their own.
  const isBulk = fieldOf(root.headers, "list-unsubscribe") !== "" || fieldOf(root.headers, "list-id") !== "";
  const page = html === "" ? pageOfText(text) : pageOf(html);
  if (html !== "") {
    if (page.hasInput) yield "asks_input";
    // Without a link they want nothing: photos from a telephone, a line above a firm's logo.
    if (page.hasPictures && page.links.length > 0 && (text.match(word)?.length ?? 0) < fewestWords) yield "picture";
  }
  const hosts = [...new Set(page.links.map(({ hostname }) => hostname))];
  const domain = domainOf(senderOf(root.headers).address);
  const own = siteOf(domain);
  const known = hosts.filter((host) => !countsClicks(host));
  if (known.length > 0 && known.every((host) => siteOf(host) === own)) yield "own_links";
  const senders = new Set([own, ...senderSites(root.headers)]);
  const isForeign =
    known.length > 0 && page.links.length <= fewLinks && own !== "" && !hosts.some((host) => senders.has(siteOf(host)));
  // Who has a mailbox at a provider's has no site there.
  if (html !== "" && isForeign && !isBulk && !freeMail.has(domain)) yield "foreign_links";
  if (hosts.some((host) => rareEnding.test(host) && siteOf(host) !== own)) yield "rare_host";
  if (hosts.some((host) => isBorrowed(host) && siteOf(host) !== own)) yield "borrowed_host";
  if (hosts.some(isNumber)) yield "number_host";
  if (page.links.some(({ username, port }) => username !== "" || port !== "")) yield "odd_link";
}

/** Who handed the mail in, where that is not who it is from: a firm that sends for others signs it, and takes what bounces. */
function senderSites(headers: readonly HeaderField[]): string[] {
  const signers = fieldsOf(headers, "dkim-signature")
    .slice(0, mostSignatures)
    .map((value) => parameterOf(`;${value}`, "d"));
  const addresses = [...addressesIn(headers, "return-path", "sender")].map(domainOf);
  return [...signers, ...addresses].map(siteOf);
}

/** As links name it, in ASCII (RFC 5890); empty where the address has none. */
function domainOf(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = at < 0 ? "" : address.slice(at + 1).toLowerCase();
  return domainToASCII(domain) || domain;
}

function pageOfText(text: string): Page {
  const found = text.slice(0, mostTextCharacters).match(inText) ?? [];
  return { links: found.flatMap((each) => webAddress(each) ?? []), hasPictures: false, hasInput: false };
}

/** The HTML of a letter, one part behind the other. */
function sourceOf(root: MailPart): string {
  let html = "";
  const waiting: MailPart[] = [letterIn(root)];
  for (let looked = 0; looked < partLimits.parts; looked += 1) {
    const part = waiting.shift();
    if (part === undefined) break;
    if (part.mimeType.startsWith("message/") || isAttachment(part)) continue;
    waiting.push(...part.parts.slice(0, partLimits.parts));
    const room = mostSourceCharacters - html.length;
    if (part.mimeType === "text/html" && room > 0) html += part.text?.(room) ?? "";
  }
  return html;
}
