import { type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { isScoutsError, ScoutsError } from "../../../events/errors.ts";

/** Which addresses may be connected to: those of the internet, or any (a home whose sources are on its own network). */
export type Reach = "public" | "any";

/** Not of the public internet (IANA special-purpose address registries, IPv4 and IPv6). */
const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  special.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  // Protocol assignments, Teredo among them, which carries an IPv4 address.
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 carries one as well.
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  special.addSubnet(network, prefix, "ipv6");
}
/** Global unicast; all else of IPv6 is loopback, link-local, unique local, multicast, or carries an IPv4 address. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/**
 * What stands for IPv4 addresses where there is no IPv4 (RFC 6052 §2.1): networks of telephones resolve names to these, and what they
 * carry is what is connected to.
 */
const translated = new BlockList();
translated.addSubnet("64:ff9b::", 96, "ipv6");

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, "ipv4");
  if (isIP(address) === 6 && translated.check(address, "ipv6")) return isPublicAddress(carriedAddress(address));
  return isIP(address) === 6 && globalUnicast.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** The IPv4 address in the last 32 bits of one of IPv6 whose bits before them are nought up to the prefix. */
function carriedAddress(address: string): string {
  const [, end = ""] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const [last = 0, first = 0] = end
    .split(":")
    .toReversed()
    .map((group) => Number.parseInt(group || "0", 16));
  return [first >> 8, first & 255, last >> 8, last & 255].join(".");
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an IP address is this machine's own, which nothing on the way can listen to. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** What nearly everything on this machine is reached by; a name below `localhost`, or 127.0.0.2, may be a server of its own. */
const ownNames = ["localhost", "127.0.0.1", "::1"] as const;

/**
 * The names a host goes by where sources are compared, the one that counts first: those of this machine are one.
 *
 * @param host a name in lower case, or an IP address, IPv6 without brackets
 */
export function namesOfHost(host: string): readonly [string, ...string[]] {
  const isOwn = host === "localhost." || ownNames.some((name) => name === host);
  return isOwn || (isIP(host) === 6 && isLoopbackAddress(host)) ? ownNames : [host];
}

const refused = () => new ScoutsError("source_address_refused");
/** What it is in {@link isOutOfReach}: an address that is none of the internet. */
const network = "network";
const outOfReach = () => new ScoutsError("source_address_refused", { data: { what: network } });

/** Whether it is where an address leads that was refused, and not the address as it is written. */
export const isOutOfReach = (error: unknown): boolean =>
  isScoutsError(error, "source_address_refused") && error.data["what"] === network;

/**
 * Checks the part of an address that is known before a connection is made. Names are checked when they are resolved, by
 * {@link guardedLookup}: what is connected to is what was checked, whatever the name resolves to a moment later.
 *
 * @throws source_address_refused for other protocols, credentials, and IP addresses out of reach
 */
export function checkAddress(url: URL, reach: Reach): void {
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refused();
  if (url.username !== "" || url.password !== "") throw refused();
  // WHATWG URLs have every spelling of an IPv4 address (0x7f.1, 2130706433) in dotted form by now.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (reach === "public" && isIP(host) !== 0 && !isPublicAddress(host)) throw outOfReach();
  // Never a name of the internet (RFC 6761 §6.3), also where the resolver does not know it with the dot behind it.
  if (reach === "public" && /(^|\.)localhost\.?$/.test(host)) throw outOfReach();
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  answer: (error: NodeJS.ErrnoException | null, found: { address: string; family: number }[]) => void,
) => void;

/** Name resolution that fails with `source_address_refused` when any of a name's addresses is out of reach. */
export function guardedLookup(reach: Reach, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, answer) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return answer(error ?? new ScoutsError("source_unavailable"), "");
      const outside = reach === "public" && found.some(({ address }) => !isPublicAddress(address));
      if (outside) return answer(outOfReach(), "");
      if (options.all) return answer(null, found);
      return answer(null, first.address, first.family);
    });
  };
}
