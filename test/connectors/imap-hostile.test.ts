import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { outcomeOf } from "../../shared/outcome/outcome.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { type ImapSettings, imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { selfSigned } from "../peers/imap/certificate.ts";
import { letter, type Scripted, startScripted } from "./scripted-imap.ts";
import { codeOf, listed, noGrants, scriptedMailbox, settingsOf } from "./scripted-mailbox.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const mailbox = (options?: Parameters<typeof scriptedMailbox>[1]) => scriptedMailbox(opened, options);

describe("P2: nothing lost, nothing twice", () => {
  test("a folder that is numbered anew is listed again under the refs it had, and the gap is told", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one", "two");
    const before = await listed(connector, cursor);
    deliver("three");
    const inbox = server.folders.get("INBOX");
    if (inbox) {
      inbox.validity = 8;
      inbox.messages.forEach((message, index) => {
        message.uid = 100 + index;
        message.internalDate = recently;
      });
      inbox.uidNext = 103;
    }
    const after = await listed(connector, before.cursor);
    expect(after.refs).toHaveLength(3);
    expect(after.gap).toBeDefined();
    const again = await listed(connector, before.cursor);
    expect(again.refs).toEqual(after.refs);
    // What was queued under the old numbers is still found.
    for (const ref of after.refs) expect((await connector.fetchMetadata(scout, ref)).present).toBe(true);
    expect((await listed(connector, after.cursor)).refs).toEqual([]);
  });

  test("refs outlive a renumbering: time of arrival, size and Message-ID make them", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    const inbox = server.folders.get("INBOX");
    const [message] = inbox?.messages ?? [];
    if (!inbox || !message) throw new Error("nothing was delivered");
    message.internalDate = recently;
    const { refs, cursor: next } = await listed(connector, cursor);
    Object.assign(inbox, { validity: 9, uidNext: 51 });
    message.uid = 50;
    expect((await listed(connector, next)).refs).toEqual(refs);
  });

  test("a server that goes back behind a number it had promised has its folder searched again", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one", "two", "three");
    const { cursor: next } = await listed(connector, cursor);
    const inbox = server.folders.get("INBOX");
    // Restored from a backup: two messages are gone, and the next one gets a number that was given out before.
    inbox?.messages.splice(1);
    Object.assign(inbox ?? {}, { uidNext: 2 });
    deliver("four");
    for (const message of inbox?.messages ?? []) message.internalDate = recently;
    const after = await listed(connector, next);
    expect(after.gap).toBeDefined();
    const subjects = await Promise.all(
      after.refs.map(async (ref) => (await connector.fetchMetadata(scout, ref)).subject.reveal()),
    );
    expect(subjects).toContain("four");
  });

  test("a connection that ends at any command loses nothing: the same position gives the same refs", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver(...Array.from({ length: 20 }, (_, index) => `mail ${index}`));
    const whole = await listed(connector, cursor);
    await connector.close();
    for (let last = 1; last <= 12; last += 1) {
      await connector.close();
      server.override = ({ count, socket }) => {
        if (count < last) return false;
        socket.destroy();
        return true;
      };
      const code = await codeOf(connector.listNew(scout, { cursor }));
      expect(["source_unavailable", "no failure"], `cut at command ${last}`).toContain(code);
      server.override = undefined;
      expect((await listed(connector, cursor)).refs).toEqual(whole.refs);
    }
  });

  test("a kept connection that the server has dropped is replaced, once", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    await listed(connector, cursor);
    const before = server.connections();
    let dropped = false;
    server.override = ({ socket }) => {
      if (dropped) return false;
      dropped = true;
      socket.destroy();
      return true;
    };
    expect((await listed(connector, cursor)).refs).toHaveLength(1);
    expect(server.connections()).toBe(before + 1);
  });

  test("a batch takes one connection, and every item is read on it", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver(...Array.from({ length: 10 }, (_, index) => `mail ${index}`));
    await connector.close();
    const before = server.connections();
    const { refs } = await listed(connector, cursor);
    const read = await Promise.all(refs.map((ref) => connector.fetchContent(scout, ref)));
    expect(read.map(({ subject }) => subject.reveal())).toHaveLength(10);
    expect(server.connections()).toBe(before + 1);
  });

  test("an item that is expunged between listing and reading is gone, and the others are read", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one", "two");
    const { refs } = await listed(connector, cursor);
    server.folders.get("INBOX")?.messages.shift();
    const [first, second] = await connector.fetchMetadataMany(scout, refs);
    expect(first).toMatchObject({ code: "item_gone" });
    expect(second).toMatchObject({ present: true });
  });

  test("numbers far apart cost no search each", async () => {
    const { server, connector, cursor } = await mailbox();
    const inbox = server.folders.get("INBOX");
    inbox?.messages.push({ uid: 5, raw: letter("five") }, { uid: 4_000_000_000, raw: letter("far") });
    Object.assign(inbox ?? {}, { uidNext: 4_000_000_001 });
    const before = server.heard.length;
    expect((await listed(connector, cursor)).refs).toHaveLength(2);
    expect(server.heard.length - before).toBeLessThan(20);
  });
});

describe("what a server answers is not trusted", () => {
  test("NIL everywhere: the message is listed and read, with nothing in it", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    server.override = ({ name, tag, socket }) => {
      if (name !== "UID FETCH") return false;
      const nil = "FLAGS () INTERNALDATE NIL RFC822.SIZE NIL ENVELOPE NIL BODYSTRUCTURE NIL";
      socket.write(
        `* 1 FETCH (UID 1 ${nil} BODY[HEADER.FIELDS (MESSAGE-ID)] NIL BODY[HEADER]<0> NIL BODY[]<0> NIL)\r\n${tag} OK\r\n`,
      );
      return true;
    };
    const { refs } = await listed(connector, cursor);
    expect(refs).toHaveLength(1);
    const [ref] = refs;
    if (ref === undefined) throw new Error("not listed");
    const read = await connector.fetchContent(scout, ref);
    expect(read.subject.reveal()).toBe("");
    expect(read.text.reveal()).toBe("");
    expect(read.present).toBe(true);
  });

  test("a literal that is said to be larger than a response may be is not waited for", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    const { refs } = await listed(connector, cursor);
    server.override = ({ name, socket }) => {
      if (name !== "UID FETCH") return false;
      socket.write("* 1 FETCH (UID 1 BODY[HEADER]<0> {4000000000}\r\n");
      return true;
    };
    const [ref] = refs;
    if (ref === undefined) throw new Error("not listed");
    expect(await codeOf(connector.fetchContent(scout, ref))).toBe("source_unreadable");
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe("source_unreadable");
  });

  test("a literal shorter than it is said to be ends with the time a task may take", async () => {
    const { server, connector, cursor, deliver } = await mailbox({ taskTimeoutMs: 1_000 });
    deliver("one");
    server.override = ({ name, socket }) => {
      if (name !== "UID FETCH") return false;
      socket.write("* 1 FETCH (UID 1 BODY[HEADER.FIELDS (MESSAGE-ID)] {5000}\r\nMessage-ID: <a>\r\n");
      return true;
    };
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe("source_unavailable");
  });

  test("a byte at a time ends with the time a task may take, and the connection with it", async () => {
    const { server, connector, cursor, deliver } = await mailbox({ taskTimeoutMs: 1_000 });
    deliver("one");
    const timers: NodeJS.Timeout[] = [];
    server.override = ({ name, socket }) => {
      if (name !== "UID SEARCH") return false;
      timers.push(setInterval(() => socket.write(" "), 100));
      return true;
    };
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe("source_unavailable");
    for (const timer of timers) clearInterval(timer);
    server.override = undefined;
    expect((await listed(connector, cursor)).refs).toHaveLength(1);
  });

  test("a batch on a server that does not answer takes the time of one task, and is tried again as a whole", async () => {
    const { server, connector, cursor, deliver } = await mailbox({ taskTimeoutMs: 1_000 });
    deliver(...Array.from({ length: 10 }, (_, index) => `mail ${index}`));
    const { refs } = await listed(connector, cursor);
    let unanswered = 0;
    server.override = ({ name }) => {
      if (name === "UID FETCH") unanswered += 1;
      return name === "UID FETCH";
    };
    const codes = await Promise.all(refs.map((ref) => codeOf(connector.fetchContent(scout, ref))));
    expect(codes).toEqual(refs.map(() => "source_unavailable"));
    expect(unanswered).toBe(1);
    server.override = undefined;
    expect((await connector.fetchContent(scout, refs[0] ?? never())).present).toBe(true);
  });

  test("a Message-ID longer than a response may be hides neither its message nor the others", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    const inbox = server.folders.get("INBOX");
    inbox?.messages.push({ uid: 2, raw: letter("two", `<${"a".repeat(3_000_000)}@x>`) });
    Object.assign(inbox ?? {}, { uidNext: 3 });
    deliver("three");
    const { refs } = await listed(connector, cursor);
    expect(refs).toHaveLength(3);
    for (const ref of refs) await connector.fetchContent(scout, ref);
  });

  test("a structure longer than a response may be: the message is read from its beginning", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    server.override = ({ name, args, socket }) => {
      if (name !== "UID FETCH" || !args.includes("BODYSTRUCTURE")) return false;
      socket.write(
        `* 1 FETCH (UID 1 BODYSTRUCTURE (${'("TEXT" "PLAIN" NIL NIL NIL "7BIT" 1 1)'.repeat(200_000)} "MIXED"))\r\n`,
      );
      return true;
    };
    const [ref] = (await listed(connector, cursor)).refs;
    if (ref === undefined) throw new Error("not listed");
    const read = await connector.fetchContent(scout, ref);
    expect(read.subject.reveal()).toBe("one");
    expect(read.text.reveal()).toContain("It says one.");
  });

  test("numbers that were not asked for are nobody's", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    server.override = ({ name, tag, socket }) => {
      if (name !== "UID SEARCH") return false;
      socket.write(`* SEARCH 1 1 999 0 -3 4294967296\r\n${tag} OK\r\n`);
      return true;
    };
    expect((await listed(connector, cursor)).refs).toHaveLength(1);
  });

  test("flags are left alone: everything is read with PEEK, in parts of bounded size", async () => {
    const { server, connector, cursor, deliver } = await mailbox();
    deliver("one");
    const [ref] = (await listed(connector, cursor)).refs;
    if (ref === undefined) throw new Error("not listed");
    await connector.fetchContent(scout, ref);
    const fetches = server.heard.filter((line) => line.includes("BODY"));
    expect(fetches.length).toBeGreaterThan(0);
    for (const line of fetches) {
      expect(line.replaceAll("BODYSTRUCTURE", "")).not.toMatch(/BODY\[|RFC822(?!\.SIZE)/);
      expect(line.match(/BODY\.PEEK\[(?!HEADER\.FIELDS)[^\]]*\](?!<\d+\.\d+>)/)).toBeNull();
    }
    expect(server.heard.filter((line) => /\b(SELECT|STORE|APPEND|EXPUNGE)\b/.test(line))).toEqual([]);
  });
});

describe("folders", () => {
  test("names go over the wire in modified UTF-7 and come back as a mail program shows them", async () => {
    const wire = "B&APw-cher/&ZeVnLIqe- &- more";
    const path = "Bücher/日本語 & more";
    const { server, connector, cursor } = await mailbox({
      folders: [path],
      prepare: ({ folders }) => folders.set(wire, { validity: 1, uidNext: 1, messages: [] }),
    });
    server.folders.get(wire)?.messages.push({ uid: 1, raw: letter("one") });
    Object.assign(server.folders.get(wire) ?? {}, { uidNext: 2 });
    expect((await listed(connector, cursor)).refs).toHaveLength(1);
    expect(server.heard.some((line) => line.includes(`EXAMINE "${wire}"`))).toBe(true);
    expect((await connector.sees(scout)).folders.reveal()).toContain(path);
    expect(cursor).not.toMatch(/cher|more/);
  });

  test("a folder that is not there is named by a code", async () => {
    expect(await codeOf(mailbox({ folders: ["INBOX", "Nowhere"] }))).toBe("source_folder_unknown");
  });

  test.each([
    ["NO [UNAVAILABLE] The backend is being restarted", "source_unavailable"],
    ["NO [SERVERBUG] Internal error occurred", "source_unavailable"],
    ["NO Mailbox is temporarily not available, try again later", "source_rate_limited"],
    ["NO [INUSE] Mailbox is locked by another process", "source_rate_limited"],
    ["NO [NONEXISTENT] Mailbox does not exist", "source_folder_unknown"],
    ["NO Mailbox doesn't exist: INBOX", "source_folder_unknown"],
  ])("nothing silent: a folder that is refused with %j is %s", async (answer, code) => {
    const { server, connector, cursor } = await mailbox();
    server.override = ({ tag, name, socket }) => {
      if (name !== "EXAMINE") return false;
      socket.write(`${tag} ${answer}\r\n`);
      return true;
    };
    expect(await codeOf(connector.listNew(scout, { cursor }))).toBe(code);
  });

  test("several folders are read one after the other; a message that lies in two has one ref", async () => {
    const { server, connector, cursor, deliver } = await mailbox({
      folders: ["INBOX", "Other"],
      prepare: ({ folders }) => folders.set("Other", { validity: 3, uidNext: 1, messages: [] }),
    });
    deliver("one", "two");
    server.folders.get("Other")?.messages.push({ uid: 1, raw: letter("two") }, { uid: 2, raw: letter("three") });
    Object.assign(server.folders.get("Other") ?? {}, { uidNext: 3 });
    const { refs, cursor: next } = await listed(connector, cursor);
    expect(new Set(refs).size).toBe(3);
    expect((await listed(connector, next)).refs).toEqual([]);
  });
});

describe("getting in", () => {
  const greets = async (greeting: string) => {
    const { server, connector, cursor } = await mailbox();
    await connector.close();
    server.greeting = greeting;
    return codeOf(connector.listNew(scout, { cursor }));
  };
  const signsIn = async (answer: string) => {
    const { server, connector, cursor } = await mailbox();
    await connector.close();
    server.override = ({ name, tag, socket }) => {
      if (name !== "LOGIN") return false;
      socket.write(answer.startsWith("*") ? `${answer}\r\n` : `${tag} ${answer}\r\n`);
      if (answer.startsWith("*")) socket.end();
      return true;
    };
    return codeOf(connector.listNew(scout, { cursor }));
  };

  test.each([
    ["* BYE going down", "source_unavailable"],
    ["* BYE [LIMIT] Too many simultaneous connections", "source_rate_limited"],
    ["* BYE Maximum number of connections from user+IP exceeded", "source_rate_limited"],
  ])(
    "a server that greets with %j is %s",
    async (greeting, code) => {
      expect(await greets(greeting)).toBe(code);
    },
    60_000,
  );

  test.each([
    ["NO [AUTHENTICATIONFAILED] Authentication failed.", "reauth"],
    ["NO LOGIN failed.", "reauth"],
    ["NO [EXPIRED] Your password has expired", "reauth"],
    ["NO [ALERT] Application-specific password required", "reauth"],
    ["NO [UNAVAILABLE] Temporary authentication failure.", "source_unavailable"],
    ["NO [AUTHENTICATIONFAILED] LOGIN Server error - Please try again later", "source_rate_limited"],
    ["NO [AUTHENTICATIONFAILED] Temporary authentication failure", "source_unavailable"],
    ["NO Temporary problem, please try again", "source_unavailable"],
    ["NO [LIMIT] too many connections", "source_rate_limited"],
    ["NO [INUSE] Mailbox is locked", "source_rate_limited"],
    ["NO [CONTACTADMIN] IMAP access is disabled for this account", "source_forbidden"],
    ["NO [AUTHORIZATIONFAILED] Not yours", "source_forbidden"],
    ["NO [PRIVACYREQUIRED] Encrypt first", "source_not_encrypted"],
    ["* BYE Internal error", "source_unavailable"],
  ])("a sign-in that is answered with %j is %s", async (answer, code) => {
    expect(await signsIn(answer)).toBe(code);
  });

  test.each([
    ["NO [AUTHENTICATIONFAILED] Authentication failed.", true],
    ["NO LOGIN failed.", true],
    ["NO [EXPIRED] Your password has expired", undefined],
  ])("a sign-in that is answered with %j may be taken again soon: %s", async (answer, mayPass) => {
    const { server, connector, cursor } = await mailbox();
    await connector.close();
    server.override = ({ name, tag, socket }) => {
      if (name === "LOGIN") socket.write(`${tag} ${answer}\r\n`);
      return name === "LOGIN";
    };
    const error = await connector.listNew(scout, { cursor }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "reauth", data: mayPass === undefined ? {} : { mayPass } });
    expect(outcomeOf(error, 0).kind).toBe(mayPass ? "defer" : "disable");
  });

  test("a limit says when to come back, and no word of the server's leaves (P1)", async () => {
    const { server, connector, cursor } = await mailbox();
    await connector.close();
    server.greeting = "* BYE [LIMIT] Too many connections for ada@secret.example";
    const error = await connector.listNew(scout, { cursor }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "source_rate_limited", data: { retryAfterMs: 60_000 } });
    expect(JSON.stringify(error)).not.toContain("secret.example");
  });

  test("where STARTTLS is not offered, or taken out on the way, no password is sent", async () => {
    const server = await startScripted();
    opened.push(server);
    expect(await tried({ ...settingsOf(server), tls: "starttls" })).toBe("source_not_encrypted");
    expect(server.heard.some((line) => /LOGIN|AUTHENTICATE|secret/.test(line))).toBe(false);
  });

  test("a certificate of another name, or of nobody one knows, gets no password", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scouts-certificate-"));
    opened.push({ close: () => rm(folder, { recursive: true }) });
    const { key, certificate } = await selfSigned(folder, "other.example");
    const cert = await readFile(certificate, "utf8");
    const server = await startScripted({ key: await readFile(key, "utf8"), cert });
    opened.push(server);
    const settings: ImapSettings = { ...settingsOf(server), tls: "implicit" };
    expect(await tried(settings)).toBe("source_certificate_refused");
    expect(await tried({ ...settings, host: "localhost" }, cert)).toBe("source_certificate_refused");
    expect(server.heard).toEqual([]);
  });

  test("a port that does not speak TLS is told as such, and nothing is said there", async () => {
    const server = await startScripted();
    opened.push(server);
    expect(await tried({ ...settingsOf(server), tls: "implicit" })).toBe("source_not_encrypted");
    expect(server.heard.filter((line) => /LOGIN|AUTHENTICATE/.test(line))).toEqual([]);
  });

  test("without encryption only this machine is spoken to", async () => {
    const server = await startScripted();
    opened.push(server);
    const lookup: typeof resolvesTo = resolvesTo;
    expect(await tried({ ...settingsOf(server), host: "mail.example" }, undefined, lookup("192.0.2.1"))).toBe(
      "source_not_encrypted",
    );
    expect(server.heard).toEqual([]);
  });

  test.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "localhost", "a.localhost"])(
    "a deployed home does not connect to %s",
    async (host) => {
      const server = await startScripted();
      opened.push(server);
      const connector = new ImapConnector({
        settings: neverOpened,
        grants: noGrants,
        clock: Date.now,
        dial: { reach: "public" },
      });
      const given = imapSettings.parse({ ...settingsOf(server), tls: "implicit", host });
      expect(await codeOf(connector.settings.verify(scout, new Transient({ given })))).toBe("source_address_refused");
      expect(server.connections()).toBe(0);
    },
  );

  test("what is connected to is the address that was checked, whatever the name says a moment later", async () => {
    const server = await startScripted();
    opened.push(server);
    let asked = 0;
    const rebinding: Lookup = (_, __, answer) => {
      asked += 1;
      answer(null, asked === 1 ? "127.0.0.1" : "10.0.0.1", 4);
    };
    const settings: ImapSettings = { ...settingsOf(server), host: "mail.example" };
    expect(await tried(settings, undefined, rebinding)).toBe("no failure");
    expect(asked).toBe(1);
  });

  test("what a person typed wrong is no access that was withdrawn", async () => {
    const server = await startScripted();
    opened.push(server);
    server.override = ({ name, tag, socket }) =>
      name === "LOGIN" && socket.write(`${tag} NO [AUTHENTICATIONFAILED] no\r\n`);
    expect(await tried(settingsOf(server))).toBe("source_credentials_refused");
  });

  test("two people on one mailbox have refs that have nothing in common", async () => {
    const one = await mailbox();
    one.deliver("one");
    const other = await mailbox();
    other.deliver("one");
    const [first] = (await listed(one.connector, one.cursor)).refs;
    const [second] = (await listed(other.connector, other.cursor)).refs;
    expect(first?.slice(0, 27)).not.toBe(second?.slice(0, 27));
  });
});

describe("putting spam away", () => {
  async function withTrash(capabilities = "IMAP4rev1 MOVE UIDPLUS SPECIAL-USE") {
    const made = await mailbox({
      prepare: (server) => {
        server.capabilities = capabilities;
        server.folders.set("Trash", { validity: 2, uidNext: 1, messages: [] });
        server.folders.set("Sent", { validity: 2, uidNext: 1, messages: [] });
        server.override = special(server);
      },
    });
    made.deliver("spam");
    const [ref] = (await listed(made.connector, made.cursor)).refs;
    if (ref === undefined) throw new Error("not listed");
    const { state = "" } = await made.connector.fetchMetadata(scout, ref);
    return { ...made, ref, state };
  }

  test("it is moved in one step, listed nowhere any more, and restored under its ref", async () => {
    const { server, connector, cursor, ref, state } = await withTrash();
    expect(await connector.archive.granted(scout)).toBe(true);
    expect(await connector.archive.archive(scout, ref, state)).toBe("archived");
    expect(server.folders.get("Trash")?.messages).toHaveLength(1);
    expect(await connector.archive.archive(scout, ref, state)).toBe("there");
    expect(await codeOf(connector.fetchMetadata(scout, ref))).toBe("item_gone");
    await connector.archive.restore(scout, ref);
    expect((await listed(connector, cursor)).refs).toEqual([ref]);
    expect(server.heard.filter((line) => /STORE|EXPUNGE|COPY/.test(line))).toEqual([]);
  });

  test.each([
    ["\\Flagged", "starred"],
    ["$Important", "important"],
    ["\\Answered", "correspondent"],
    ["\\Seen", "changed"],
  ])("a message that has got %s since stays: %s", async (flag, reason) => {
    const { server, connector, ref, state } = await withTrash();
    for (const message of server.folders.get("INBOX")?.messages ?? []) message.flags = [flag];
    expect(await connector.archive.archive(scout, ref, state)).toBe(reason);
    expect(server.folders.get("Trash")?.messages).toEqual([]);
  });

  test("a flag that is set in the last instant brings it back", async () => {
    const { server, connector, ref, state } = await withTrash();
    const usual = server.override;
    server.override = (command) => {
      if (command.name === "UID MOVE" && /Trash/.test(command.args)) {
        for (const message of server.folders.get("INBOX")?.messages ?? []) message.flags = ["\\Flagged"];
      }
      return usual?.(command) ?? false;
    };
    expect(await connector.archive.archive(scout, ref, state)).toBe("changed");
    expect(server.folders.get("INBOX")?.messages).toHaveLength(1);
  });

  test("mail from somebody its owner has written to stays", async () => {
    const { server, connector, ref, state } = await withTrash();
    server.folders.get("Sent")?.messages.push({ uid: 1, raw: letter("hello") });
    expect(await connector.archive.archive(scout, ref, state)).toBe("correspondent");
  });

  test("a server that cannot move in one step is not asked to, and whoever wants it is told why", async () => {
    const { connector, ref, state } = await withTrash("IMAP4rev1 UIDPLUS SPECIAL-USE");
    expect(await codeOf(connector.archive.granted(scout))).toBe("source_lacks_move");
    expect(await connector.archive.archive(scout, ref, state)).toBe("not_granted");
  });

  test("a server without a Trash is told from one that has not granted something", async () => {
    const { connector, server } = await withTrash();
    server.folders.delete("Trash");
    expect(await codeOf(connector.archive.granted(scout))).toBe("source_lacks_trash");
  });
});

/** Folders with their uses, and `UID MOVE` between them. */
function special(server: Scripted): NonNullable<Scripted["override"]> {
  let selected = "INBOX";
  return ({ name, tag, args, socket }) => {
    if (name === "SELECT" || name === "EXAMINE") selected = args.replaceAll('"', "");
    if (name === "LIST" && args !== '"" ""') {
      const uses: Record<string, string> = { Trash: "\\Trash", Sent: "\\Sent" };
      for (const path of server.folders.keys()) socket.write(`* LIST (${uses[path] ?? ""}) "/" "${path}"\r\n`);
      socket.write(`${tag} OK\r\n`);
      return true;
    }
    if (name !== "UID MOVE") return false;
    const [uid = "", to = ""] = args.replaceAll('"', "").split(" ");
    const [from, target] = [server.folders.get(selected), server.folders.get(to)];
    const index = from?.messages.findIndex((each) => each.uid === Number(uid)) ?? -1;
    const [moved] = from && index >= 0 ? from.messages.splice(index, 1) : [];
    if (moved && target) {
      target.messages.push({ ...moved, uid: target.uidNext });
      target.uidNext += 1;
    }
    socket.write(`${tag} OK moved\r\n`);
    return true;
  };
}

type Lookup = NonNullable<ConstructorParameters<typeof ImapConnector>[0]["dial"]["lookup"]>;

const resolvesTo =
  (address: string): Lookup =>
  (_, __, answer) =>
    answer(null, address, 4);

const neverOpened = new SettingsVault(new ScoutStore(new OpenTable()), vault());

function never(): never {
  throw new Error("nothing was listed");
}

/** What trying settings out comes to. */
async function tried(given: ImapSettings, ca?: string, lookup?: Lookup): Promise<string> {
  const dial = { reach: "any" as const, ...(ca === undefined ? {} : { ca }), ...(lookup && { lookup }) };
  const connector = new ImapConnector({
    settings: neverOpened,
    grants: noGrants,
    clock: Date.now,
    dial,
    taskTimeoutMs: 60_000,
  });
  return codeOf(connector.settings.verify(scout, new Transient({ given })));
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const now = new Date();
const recently = `${String(now.getUTCDate()).padStart(2, "0")}-${months[now.getUTCMonth()]}-${now.getUTCFullYear()} 00:00:00 +0000`;
