import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import {
  checkAddress,
  guardedLookup,
  isPublicAddress,
  namesOfHost,
  type Reach,
} from "../../shared/scouts/connectors/address-guard.ts";
import { feedSettings, sourceIdentities } from "../../shared/scouts/connectors/feed/settings.ts";
import { identitiesOf, imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { scoutAtSource } from "../contract/connector-fixtures.ts";

const refuses = (address: string, reach: Reach = "public") => {
  try {
    checkAddress(new URL(address), reach);
    return false;
  } catch (error) {
    return isScoutsError(error, "source_address_refused");
  }
};

describe("a feed cannot lead the cloud to its own insides", () => {
  test.each([
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::a00:0",
    "64:ff9b::1",
    "64:ff9b::",
    "64:ff9b:1::808:808",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "",
    "localhost",
  ])("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    // How networks without IPv4, as those of telephones, name a server that has no other address.
    "64:ff9b::808:808",
    "64:ff9b::8.8.8.8",
    "64:ff9b:0:0:0:0:100:0",
  ])("%s is", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://[::1]:9001/2018-06-01/runtime/invocation/next",
    "http://[::ffff:169.254.169.254]/latest/meta-data/",
    "http://169.254.169.254/latest/meta-data/",
    "http://ada:secret@example.org/feed",
    "ftp://example.org/feed",
    "file:///etc/passwd",
    "gopher://example.org/",
    "http://localhost./",
    "http://LOCALHOST:80/",
    "http://feeds.localhost./",
  ])("%s is refused before anything is connected to", (address) => {
    expect(refuses(address)).toBe(true);
  });

  test("addresses of the own network are reached where a deployment says so; other protocols never", () => {
    expect(refuses("http://127.0.0.1/", "any")).toBe(false);
    expect(refuses("file:///etc/passwd", "any")).toBe(true);
    expect(refuses("https://example.org/feed")).toBe(false);
  });

  test.each([
    ["javascript:alert(1)"],
    ["file:///etc/passwd"],
    ["https://ada:secret@example.org/feed"],
    ["https://"],
    [`https://example.org/${"a".repeat(2100)}`],
  ])("%s is no setting of a feed", (url) => {
    expect(feedSettings.safeParse({ url }).success).toBe(false);
  });
});

describe("names are checked as they are connected to, so that a name cannot change its mind", () => {
  const resolveTo =
    (...found: LookupAddress[]): Parameters<typeof guardedLookup>[1] =>
    (_name, _options, answer) =>
      answer(null, found);
  const lookUp = (reach: Reach, all: boolean, ...found: LookupAddress[]) =>
    new Promise((resolve) => {
      guardedLookup(reach, resolveTo(...found))("feeds.example", { all }, (error, address) =>
        resolve(error ?? address),
      );
    });
  const outside = { address: "93.184.216.34", family: 4 };
  const inside = { address: "10.0.0.7", family: 4 };

  test("a public address is given on, in either form Node asks for", async () => {
    expect(await lookUp("public", false, outside)).toBe(outside.address);
    expect(await lookUp("public", true, outside)).toEqual([outside]);
  });

  test.each([[[inside]], [[outside, inside]], [[inside, outside]]])(
    "one private address refuses the name",
    async (all) => {
      const answer = await lookUp("public", true, ...all);
      expect(isScoutsError(answer, "source_address_refused")).toBe(true);
      expect(await lookUp("any", true, ...all)).toEqual(all);
    },
  );
});

describe("where sources are compared", () => {
  test.each(["localhost", "localhost.", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1"])("%s is this machine", (host) => {
    expect(namesOfHost(host)).toEqual(["localhost", "127.0.0.1", "::1"]);
  });

  test.each(["127.0.0.2", "wiki.localhost", "localhost.example.org", "10.0.0.1", "::2", "mail.example.org"])(
    "%s is a machine of its own",
    (host) => {
      expect(namesOfHost(host)).toEqual([host]);
    },
  );

  test("the same holds for a mailbox and a feed; the rest of an address tells sources apart as before", () => {
    const imap = (host: string, user = "ada") => identitiesOf(imapSettings.parse({ host, user, password: "secret" }));
    expect(imap("::1")).toEqual(imap("localhost"));
    expect(imap("127.0.0.1")).toEqual(imap("localhost"));
    expect(imap("localhost", "bob")[0]).not.toBe(imap("localhost")[0]);
    expect(imap("mail.example.org.")[0]).toBe("imap ada@mail.example.org:993");
    const feed = (url: string) => sourceIdentities(scoutAtSource, url);
    expect(feed("http://[::1]:8080/a#top")).toEqual(feed("http://LOCALHOST:8080/a"));
    expect(feed("http://127.0.0.1:8080/a")).not.toEqual(feed("http://127.0.0.1:8081/a"));
    expect(feed("https://[2606:4700::1111]/a")).toEqual([`${scoutAtSource.userId} https://[2606:4700::1111]/a`]);
  });

  test("nothing comes twice: a mailbox that is added with implicit TLS and with STARTTLS is one, at other ports another", () => {
    const at = (given: object) =>
      identitiesOf(imapSettings.parse({ host: "mail.example.org", user: "ada", password: "secret", ...given }));
    const implicit = at({});
    const upgraded = at({ tls: "starttls" });
    // What is kept of a scout is the first of its names, as it was before.
    expect([implicit[0], upgraded[0]]).toEqual(["imap ada@mail.example.org:993", "imap ada@mail.example.org:143"]);
    expect(upgraded).toContain(implicit[0]);
    expect(implicit).toContain(upgraded[0]);
    expect(at({ port: 1143 })).toEqual(["imap ada@mail.example.org:1143"]);
  });
});
