import { setTimeout } from "node:timers/promises";
import { ImapFlow } from "imapflow";
import { Transient } from "../../shared/privacy/transient.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import type { ImapPeer } from "../peers/imap/peer.ts";
import { startProxy, type WireFault } from "../peers/imap/proxy.ts";
import type { ConnectorUnderTest, SourceFailure, SourceLimit } from "./connector-contract.ts";
import { OpenTable, scoutAtSource as scout, vault } from "./connector-fixtures.ts";

/** The connector on a server that is really there, reached by STARTTLS or implicit TLS through a wire that can be broken. */
export async function imapUnderTest(
  start: () => Promise<ImapPeer>,
  tls: "implicit" | "starttls",
): Promise<ConnectorUnderTest> {
  const peer = await start();
  const proxy = await startProxy(tls === "implicit" ? peer.encrypted : peer.plain);
  const ledger = new OpenTable();
  const sealer = vault();
  const scouts = new ScoutStore(ledger);
  const settings = new SettingsVault(scouts, sealer);
  // Only a server that never answers may meet the time limit: under load any other takes what it takes.
  const limit = { ms: 600_000 };
  const begun: ImapConnector[] = [];
  const begin = () => {
    const connector = new ImapConnector({
      settings,
      grants: new GrantVault(ledger, sealer),
      clock: Date.now,
      dial: { reach: "any", ca: peer.ca },
      get taskTimeoutMs() {
        return limit.ms;
      },
    });
    begun.push(connector);
    return connector;
  };
  const connector = begin();
  const { user, password } = peer;
  const given = { host: "localhost", port: proxy.port, tls, user, password, folders: ["INBOX"] };
  const { own, cursor } = await connector.settings.verify(scout, new Transient({ given }));
  const kept = new Transient({ given, ...(own && { own: own.reveal() }) });
  const sealedSettings = await settings.seal(scout, kept);
  const row = { sourceType: "imap", sealed: "", sealedSettings, address: "blinded", cursor, createdAt: 0, revision: 0 };
  await scouts.create({ ...scout, ...row });
  let program = await ownerOf(peer);
  /** Signed in again when it was ended. */
  const owner = async () => {
    if (!program.usable) program = await ownerOf(peer);
    return program;
  };
  await program.append("INBOX", message("an older message"));
  const wire = (name: string, code: SourceFailure["code"], fault: WireFault): SourceFailure => {
    return { name, code, arm: () => proxy.arm(fault) };
  };
  // A server says nothing of how long; a minute is what ours waits.
  const waitMs = { atLeast: 60_000, atMost: 60_000 };
  const greeted = (text: string): SourceLimit => ({
    name: `* ${text}`,
    waitMs,
    arm: () => proxy.arm({ kind: "greets", line: `* ${text}` }),
  });
  /** What only a server of ours can be made to say. */
  const answered = (command: string, line: string): SourceLimit[] => {
    const { answers } = peer;
    return answers === undefined ? [] : [{ name: `${command}: ${line}`, waitMs, arm: () => answers(line, command) }];
  };
  return {
    connector,
    scout,
    settings: {
      given,
      elsewhere: { ...given, port: tls === "implicit" ? peer.encrypted : peer.plain },
      malformed: [
        {},
        { ...given, host: "two words" },
        { ...given, tls: "maybe" },
        { ...given, port: 70_000 },
        { ...given, user: "a\r\nLOGOUT" },
        { ...given, folders: [] },
        { ...given, password: undefined },
        { ...given, other: "1" },
      ],
      refused: { ...given, password: "another" },
    },
    tells: { sentAt: true, threadRef: true, sourceLink: false },
    restarted: begin,
    publishThread: async (first, second) => {
      await (await owner()).append("INBOX", message(first));
      await (await owner()).append("INBOX", message(second, `References: ${idOf(first)}`));
    },
    ...(peer.renumber && {
      forgetPlaces: async () => {
        await peer.renumber?.();
        // Whoever has the folder open is sent away.
        program.close();
      },
    }),
    publish: async (texts) => {
      for (const text of texts) await (await owner()).append("INBOX", message(text));
    },
    remove: async (text) => {
      const mail = await owner();
      await mail.mailboxOpen("INBOX");
      const found = await mail.search({ subject: text }, { uid: true });
      if (found === false || found?.length !== 1) throw new Error("the message to remove was not found");
      await mail.messageDelete(found.join(","), { uid: true });
    },
    failures: [
      wire("nothing listens", "source_unavailable", { kind: "refused" }),
      wire("cut after the greeting", "source_unavailable", { kind: "cut", afterBytes: 20 }),
      wire("cut in the middle", "source_unavailable", { kind: "cut", afterBytes: 3_000 }),
      ...(tls === "implicit"
        ? []
        : [
            wire("greets with BYE", "source_unavailable", { kind: "greets", line: "* BYE going down" }),
            wire("too many connections", "source_rate_limited", {
              kind: "greets",
              line: "* BYE [LIMIT] Too many simultaneous connections",
            }),
            wire("encryption stripped", "source_not_encrypted", { kind: "stripped" }),
          ]),
      {
        name: "silent",
        code: "source_unavailable",
        arm: () => {
          limit.ms = 300;
          const disarm = proxy.arm({ kind: "silent" });
          return () => {
            limit.ms = 600_000;
            disarm();
          };
        },
      },
      {
        name: "another password",
        code: "reauth",
        arm: async () => {
          await takesPassword(peer, "changed");
          // Ends what is signed in.
          proxy.arm({ kind: "refused" })();
          return () => takesPassword(peer, password);
        },
      },
    ],
    limits: [
      ...(tls === "implicit"
        ? []
        : [
            greeted("BYE [LIMIT] Too many simultaneous connections"),
            greeted("BYE Too many connections from your address"),
          ]),
      answered("AUTHENTICATE", "NO [LIMIT] Too many sessions for this user"),
      answered("AUTHENTICATE", "NO [INUSE] Another session has this mailbox"),
      answered("AUTHENTICATE", "NO Maximum number of connections from user+IP exceeded"),
      answered("EXAMINE", "NO [INUSE] The folder is locked by another session"),
      answered("EXAMINE", "NO [OVERQUOTA] Bandwidth for today is used up"),
      answered("UID FETCH", "NO [LIMIT] Too many commands, slow down"),
    ].flat(),
    atRest: async () => ledger.everWritten(),
    close: async () => {
      for (const each of begun) await each.close();
      program.close();
      await proxy.close();
      await peer.close();
    },
  };
}

/** Changes the password; servers read theirs again a second later, or when somebody asks. */
async function takesPassword(peer: ImapPeer, password: string): Promise<void> {
  await peer.setPassword(password);
  for (;;) {
    const program = await ownerOf({ ...peer, password }).catch(() => undefined);
    if (program !== undefined) return program.close();
    await setTimeout(100);
  }
}

/** The mailbox as its owner's mail program has it open. */
async function ownerOf({ plain, user, password, ca }: ImapPeer): Promise<ImapFlow> {
  const auth = { user, pass: password };
  const owner = new ImapFlow({ host: "localhost", port: plain, secure: false, tls: { ca }, auth, logger: false });
  owner.on("error", () => {});
  await owner.connect();
  return owner;
}

const idOf = (text: string) => `<${Buffer.from(text.slice(0, 60)).toString("hex")}@example.org>`;

function message(text: string, ...more: string[]): Buffer {
  const lines = [
    `Message-ID: ${idOf(text)}`,
    ...more,
    "From: Ada Lovelace <ada@example.org>",
    "To: someone@example.com",
    `Date: ${new Date().toUTCString()}`,
    `Subject: ${text}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    `It says ${text.slice(0, 1_000)}.`,
    "",
  ];
  return Buffer.from(lines.join("\r\n"));
}
