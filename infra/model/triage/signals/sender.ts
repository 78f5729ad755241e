import { freeMailDomains, rareEnding, sharedEnding } from "../../../../shared/scouts/connectors/mail/form/hosts.ts";
import { brands, roleWords } from "../lexicon/lexicon.ts";
import { fold, plainText, words } from "../text.ts";
import type { MailView } from "../view.ts";
import { type Setter, saturate } from "./signal.ts";

const brandSet = new Set(brands);
/** Those no ordinary word holds. */
const longBrands = brands.filter((brand) => brand.length > 5);
const freeMail = new Set(freeMailDomains);
const roles = new Set(roleWords);

/** Who it says it is from, and how that fits its address and what it writes. */
export function senderSignals(set: Setter, sender: string, subject: string, body: string): void {
  // Nothing is known, which is neither for nor against the mail.
  if (sender.trim() === "") return;
  const plain = plainText(sender);
  const folded = fold(plain.text);
  const address = /<([^<>]*)>\s*$/.exec(folded)?.[1] ?? (folded.includes("@") ? folded.trim() : "");
  const at = address.lastIndexOf("@");
  const local = at < 0 ? address : address.slice(0, at);
  const domain = at < 0 ? "" : address.slice(at + 1);
  // A mailing list that writes itself in as the sender leaves "Name via list".
  const name = folded
    .replace(/<[^<>]*>\s*$/, "")
    .replace(/"/g, "")
    .trim()
    .replace(/ via [\w-]+$/, "");
  const nameWords = words(name).filter((word) => /\p{L}/u.test(word));
  const labels = domain.split(".");
  set("sender without address", domain === "" ? 1 : 0);
  set("sender without name", name === "" ? 1 : 0);
  set("sender disguised", plain.mixedWords + plain.styledLetters > 0 ? 1 : 0);
  set("sender of free mail", freeMail.has(domain) ? 1 : 0);
  set("sender's name is an office's", nameWords.some((word) => roles.has(word)) ? 1 : 0);
  set("sender's address is an office's", words(local).some((word) => roles.has(word)) ? 1 : 0);
  const agrees = nameWords.some((word) => word.length > 2 && address.includes(word.slice(0, 6)));
  set("sender's name fits address", name !== "" && agrees ? 1 : 0);
  set("sender's name unlike address", name !== "" && !agrees ? 1 : 0);
  // To where a bulk mailer's bounces go, which is made up for each reader.
  const isReturnPath = /[#=+]|^(?:bounces?|return|b)-/.test(local) || (local.length > 24 && /[._-]/.test(local));
  set("sender's local part with digits", !isReturnPath && /\d{3,}/.test(local) ? 1 : 0);
  set("sender's local part mixes digits", !isReturnPath && /[a-z]\d+[a-z]|\d[a-z]+\d/.test(local) ? 1 : 0);
  const random = (text: string): boolean =>
    (text.length >= 7 && (text.match(/\d[a-z]|[a-z]\d/g)?.length ?? 0) >= 2) || /[bcdfghjklmnpqrstvwxz]{6,}/.test(text);
  set("sender's local part random", !isReturnPath && random(local) ? 1 : 0);
  const written =
    /(?<![^<\s@])[^<\s@]+$/.exec(plain.text.slice(0, Math.max(0, plain.text.lastIndexOf("@"))))?.[0] ?? "";
  // A person's or a firm's name has a capital within it at most; drawn letters have several.
  set("sender's local part mixes case", !isReturnPath && (written.match(/[a-z][A-Z]/g)?.length ?? 0) >= 2 ? 1 : 0);
  set("sender's domain random", labels.slice(0, -1).some(random) ? 1 : 0);
  set("sender's domain with digits", !freeMail.has(domain) && /\d/.test(labels.slice(0, -1).join(".")) ? 1 : 0);
  set("sender's domain deep", labels.length - (sharedEnding.test(domain) ? 1 : 0) > 3 ? 1 : 0);
  set("sender's domain long", domain.length > 24 ? 1 : 0);
  set("sender's name random", randomName.test(name) ? 1 : 0);
  set("sender's name with digits", /\d{2,}/.test(name) ? 1 : 0);
  set("sender shouts", /\p{Lu}{4}\s+\p{Lu}{3}/u.test(plain.text.replace(/<.*$/s, "")) ? 1 : 0);
  set("sender's name decorated", /[^\p{L}\p{N}\s.,'"@()/&+-]/u.test(name) ? 1 : 0);
  set("sender's name is long", nameWords.length > 3 ? 1 : 0);
  // A brand has its own name in its domain, not a longer one that holds it (`paypal-service.example`).
  const isOwn = (brand: string): boolean => labels.includes(brand);
  const joinedName = nameWords.join("");
  const spoken = (text: string): string[] => words(text).filter((word) => brandSet.has(word));
  const inName = [...spoken(name), ...longBrands.filter((brand) => joinedName.includes(brand))];
  set("brand in name, not in address", inName.some((brand) => !isOwn(brand)) ? 1 : 0);
  set("brand in subject, not in address", spoken(subject).some((brand) => !isOwn(brand)) ? 1 : 0);
  set(
    "brand glued into address",
    longBrands.some((brand) => !isOwn(brand) && (domain.includes(brand) || local.includes(brand))) ? 1 : 0,
  );
  set(
    "office at free mail",
    freeMail.has(domain) && (inName.length > 0 || nameWords.some((word) => roles.has(word))) ? 1 : 0,
  );
  const ownLabel = labels.at(sharedEnding.test(domain) ? -3 : -2) ?? "";
  const bare = ownLabel.replace(/[^\p{L}\d]/gu, "");
  set("sender's name is its domain's", bare.length > 3 && (bare === joinedName || nameWords.includes(bare)) ? 1 : 0);
  // Whoever writes for a firm names it. An address reserved for examples says nothing.
  if (bare.length > 3 && !freeMail.has(domain) && !reserved.test(domain)) {
    const text = `${subject} ${body}`;
    const isNamed = text.includes(ownLabel) || text.replace(/[^\p{L}\d]/gu, "").includes(bare);
    set("sender's domain named in text", isNamed ? 1 : 0);
    set("sender's domain not named", isNamed ? 0 : 1);
  }
  set("sender's domain incomplete", at >= 0 && (labels.length < 2 || /[^\w.-]/.test(domain)) ? 1 : 0);
  // A brand that speaks: named again and again by somebody with another address.
  const named = spoken(body).filter((brand) => !domain.includes(brand)).length;
  set("brand in body, not in address", saturate(named, 2));
  set("brand in address", brands.some((brand) => brand.length > 3 && labels.slice(-2, -1).includes(brand)) ? 1 : 0);
  const claimed = /(?<![\w-])[\w-]+\.(?:com|net|org|edu|gov|info|biz|[a-z]{2})\b/.exec(name)?.[0] ?? "";
  set("sender's name is another address", claimed !== "" && !domain.endsWith(claimed) ? 1 : 0);
  set("sender's domain rare ending", rareEnding.test(domain) ? 1 : 0);
}

/** Hosts that belong to nobody (RFC 2606). */
export const reserved = /(?:^|\.)example\.(?:com|net|org|edu)$|\.(?:example|invalid|test|localhost)$/;
/** Letters nobody says (`Schmidt` is said), or letters and digits in turn. */
const randomName =
  /(?<![\p{L}\d])[b-df-hj-np-tv-xz]{5,}(?![\p{L}\d])|[b-df-hj-np-tv-xz]{6,}|(?<![\p{L}\d])(?=[a-z\d]{6,}(?![\p{L}\d]))(?:[a-z]+\d+[a-z]|\d+[a-z]+\d)[a-z\d]*/u;
const addressInText = /[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[a-z]{2,24}/i;
const hostInText = /(?:https?:\/\/|\bwww\.)([\w.-]{3,100})/gi;

/** Where its links lead, as far as they are written out. */
export function hostSignals(set: Setter, view: MailView, subject: string, body: string): void {
  set("address in subject", addressInText.test(subject) ? 1 : 0);
  const domain = /@([\w.-]+)>?\s*$/.exec(view.sender.toLowerCase())?.[1] ?? "";
  const own = domain.split(".").slice(-2).join(".");
  const hosts = [...body.matchAll(hostInText)].map(([, host = ""]) => host.toLowerCase().replace(/^www\./, ""));
  const others = hosts.filter((host) => own === "" || !host.endsWith(own));
  if (hosts.length > 0 && domain !== "") {
    set("links to sender's host", others.length < hosts.length ? 1 : 0);
    set("links to other hosts alone", others.length === hosts.length ? 1 : 0);
  }
  set("hosts shown", saturate(new Set(hosts).size, 3));
  set("host with rare ending", hosts.some((host) => rareEnding.test(host)) ? 1 : 0);
  set("host of digits and hyphens", hosts.some((host) => /\d{3,}|-.*-/.test(host)) ? 1 : 0);
}
