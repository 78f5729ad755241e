import { type Thing, textAt, thingAt } from "./nodes.ts";

/** Second levels under which countries give out names (`example.co.uk`). */
const shared: ReadonlySet<string> = new Set(["co", "com", "org", "net", "gov", "ac", "edu", "or", "ne"]);

/** The part of a host that its owner has registered, as far as can be told without a list. */
export function ownDomain(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, "").split(".");
  const [second = ""] = labels.slice(-2);
  const most = labels.length > 2 && labels.at(-1)?.length === 2 && shared.has(second) ? 3 : 2;
  return labels.slice(-most).join(".");
}

/** An organisation as it is claimed. */
export interface Claimant {
  readonly name: string;
  /** Hosts it says are its own. */
  readonly hosts: readonly string[];
}

/** Who a thing says it is from, by the first of these properties that names somebody. */
export function claimantOf(thing: Thing, names: readonly string[]): Claimant {
  for (const name of names) {
    const organisation = thingAt(thing, name);
    const called = textAt(organisation, "name") || textAt(thing, name);
    if (called === "" && organisation === undefined) continue;
    const links = [textAt(organisation, "url", 2_000), textAt(organisation, "sameAs", 2_000)];
    const [, mailHost = ""] = textAt(organisation, "email", 320).split("@");
    const hosts = [...links.map(hostOf), mailHost].filter((host) => host.includes("."));
    return { name: called, hosts };
  }
  return { name: "", hosts: [] };
}

const hostOf = (link: string): string => (URL.canParse(link) ? new URL(link).hostname : "");

/**
 * Whether a sender's address is of whom a mail claims to be from: one of the hosts it names, or, where it names none, a
 * word of its name in the domain. The name that is shown beside the address is anybody's to choose and is not asked.
 */
export function senderFit({ name, hosts }: Claimant, senderAddress: string): "fits" | "other" | "unnamed" {
  const [, senderHost = ""] = senderAddress.toLowerCase().split("@");
  if (name === "" && hosts.length === 0) return "unnamed";
  const domain = ownDomain(senderHost);
  if (hosts.length > 0 && !hosts.some((host) => ownDomain(host) === domain)) return "other";
  // Whoever lies about a name can name a host of its own as well.
  return name === "" || isNamedBy(domain.split(".")[0] ?? "", name) ? "fits" : "other";
}

/** Words that many names have and anybody can register. */
const anybodys =
  /^(?:the|and|inc|ltd|llc|gmbh|corp|company|support|service|services|customer|payments?|online|stores?|shop|mail|team|group|bank|info|news|billing|account|security|airlines?|hotels?|tickets?)$/;

/**
 * Whether a domain's own label is a word of a name, or its first words put together. A label that only holds the word
 * (`example-support`) is anybody's.
 */
function isNamedBy(label: string, name: string): boolean {
  const words = plain(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const joined = words.map((_, at) => words.slice(0, at + 1).join(""));
  const own = label.replaceAll("-", "");
  return own !== "" && !anybodys.test(own) && (words.includes(own) || joined.includes(own));
}

/** Lower case, without accents. */
const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
