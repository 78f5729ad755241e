/** Zones that dates name, beside those of the United States, that one country or region alone means: hours ahead of UTC. */
const zones: Readonly<Record<string, string>> = {
  WET: "+0000",
  WEST: "+0100",
  BST: "+0100",
  CET: "+0100",
  MET: "+0100",
  MEZ: "+0100",
  CEST: "+0200",
  MEST: "+0200",
  MESZ: "+0200",
  EET: "+0200",
  EEST: "+0300",
  MSK: "+0300",
  SGT: "+0800",
  HKT: "+0800",
  JST: "+0900",
  KST: "+0900",
  AEST: "+1000",
  AEDT: "+1100",
  NZST: "+1200",
  NZDT: "+1300",
};
const longest = 100;

/** `Date.parse` takes such a day for one of UTC (ECMA-262, 21.4.1.32). */
const isoDay = /^\d{4}-\d\d-\d\d$/;
/** It ends with the name of a zone, which `AM` and `PM` are not, or with how far that is from UTC. */
const zoned = /(?:(?:\d:[\d:.]{2,20}|[a-z]) ?[+-]\d\d(?::?\d\d)?|(?<! [ap])[a-z])$/i;

const inUtc = (written: string): string => `${written}${/^\d{4}-\d\d-\d\dT/.test(written) ? "Z" : " UTC"}`;

/**
 * The moment a mail or a feed writes (RFC 5322 §3.3, RFC 3339), in milliseconds since 1970; undefined when it is none. `Date.parse` knows the
 * zones of the United States alone, and takes a date without one for a date of the machine's zone: here it is of UTC.
 */
export function writtenMoment(text: string): number | undefined {
  const written = text
    .slice(0, longest)
    .replace(/\([^()]*\)/g, " ")
    .trim()
    // Programs that count years from 1900 write 102 for 2002 (RFC 5322 §4.3).
    .replace(/(\d [a-z]{3} )(1\d\d)(?= )/i, (_, day: string, year: string) => `${day}${1900 + Number(year)}`)
    // A name behind a number says it again.
    .replace(/([+-]\d\d:?\d\d) [a-z]{1,5}$/i, "$1")
    .replace(/ ([a-z]{3,4})$/i, (all, zone: string) => ` ${zones[zone.toUpperCase()] ?? all.trim()}`);
  const ms = Date.parse(isoDay.test(written) || zoned.test(written) ? written : inUtc(written));
  return Number.isNaN(ms) ? undefined : ms;
}
