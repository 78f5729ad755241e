import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import type { UnreachedReason } from "../../events/sources/unreached.ts";
import { systemAfter } from "../../shared/ports/clock.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { fetchDocument } from "../../shared/scouts/connectors/feed/fetch-document.ts";
import { guardedGet } from "../../shared/scouts/connectors/guarded-get.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { type ImapSettings, imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { whatSpeaks } from "../../shared/scouts/connectors/imap/what-speaks.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { selfSigned } from "../peers/imap/certificate.ts";
import { noGrants } from "./scripted-mailbox.ts";

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await opened.pop()?.();
  return port;
}

const servers = {
  nothing: closedPort,
  web: () => listening(createHttpServer((_, response) => response.end("hello"))),
  mute: () => listening(createServer((socket) => socket.on("error", () => {}))),
  ends: () => listening(createServer((socket) => socket.on("error", () => {}).end())),
  post: () => listening(createServer((socket) => socket.on("error", () => {}).write("220 mail ESMTP\r\n"))),
  late: () =>
    listening(
      createServer((socket) => socket.on("error", () => {}).once("data", () => socket.write("* OK at last\r\n"))),
    ),
  async encrypted() {
    const folder = await mkdtemp(join(tmpdir(), "scouts-certificate-"));
    opened.push(() => rm(folder, { recursive: true }));
    const { key, certificate } = await selfSigned(folder);
    const pair = { key: await readFile(key, "utf8"), cert: await readFile(certificate, "utf8") };
    return listening(createTlsServer(pair, (socket) => socket.on("error", () => {})).on("tlsClientError", () => {}));
  },
};

const reasonOf = async (call: Promise<unknown>): Promise<unknown> => {
  const failure: unknown = await call.catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "source_unavailable" });
  return (failure as { data: { reason?: unknown } }).data.reason;
};

describe("why a mail server was not reached is known to whoever typed its address", () => {
  const verify = (given: Partial<ImapSettings>, dial = {}) => {
    const connector = new ImapConnector({
      settings: new SettingsVault(new ScoutStore(new OpenTable()), vault()),
      grants: noGrants,
      clock: Date.now,
      dial: { reach: "any", ...dial },
      taskTimeoutMs: 60_000,
    });
    const settings = imapSettings.parse({ host: "127.0.0.1", user: "ada", password: "secret", ...given });
    return connector.settings.verify(scout, new Transient({ given: settings }));
  };

  test("a name that nobody knows", async () => {
    const lookup = (_: string, __: object, answer: (error: Error) => void) =>
      answer(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
    expect(await reasonOf(verify({ host: "imap.example.org" }, { lookup }))).toBe("name");
  });

  test.each(["implicit", "starttls"] as const)("a port at which nothing listens (%s)", async (tls) => {
    expect(await reasonOf(verify({ tls, port: await servers.nothing() }))).toBe("port");
  });

  test("one that ends the connection", async () => {
    expect(await reasonOf(verify({ tls: "starttls", port: await servers.ends() }))).toBe("cut");
  });

  test("one that takes longer than a task may", async () => {
    const after = (delayMs: number, work: () => void) => systemAfter(delayMs === 60_000 ? 10 : delayMs, work);
    const connector = new ImapConnector({
      settings: new SettingsVault(new ScoutStore(new OpenTable()), vault()),
      ...{ grants: noGrants, clock: Date.now, dial: { reach: "any" }, taskTimeoutMs: 60_000, after },
    });
    const given = imapSettings.parse({
      host: "127.0.0.1",
      port: await servers.mute(),
      tls: "none",
      user: "a",
      password: "b",
    });
    expect(await reasonOf(connector.settings.verify(scout, new Transient({ given })))).toBe("slow");
  });

  test("a web server in its place: it is found out behind the time a greeting may take", async () => {
    expect(await reasonOf(verify({ tls: "none", port: await servers.web() }))).toBe("other");
  });

  const cases: [string, keyof typeof servers, UnreachedReason][] = [
    ["a web server", "web", "other"],
    ["another server that greets", "post", "other"],
    ["one that speaks nothing but TLS", "encrypted", "encrypted"],
    ["a mail server that is late", "late", "silent"],
    ["one that never says anything", "mute", "silent"],
    ["one that has gone meanwhile", "nothing", "silent"],
  ];
  test.each(cases)("behind a port that does not greet: %s", async (_, server, reason) => {
    // What is waited for is that the patience ends, where nothing else does.
    const after = (delayMs: number, work: () => void) => systemAfter(server === "mute" ? 10 : delayMs, work);
    const place = { host: "127.0.0.1", tls: "starttls", address: "127.0.0.1", port: await servers[server]() } as const;
    expect(await whatSpeaks(place, after)).toBe(reason);
  });
});

describe("why a web address was not reached is known to whoever typed it", () => {
  const options = { reach: "any", nowMs: 0, timeoutMs: 60_000, maxBytes: 1_000, headers: {} } as const;
  const get = (url: string, more: { timeoutMs?: number } = {}) => guardedGet(url, { ...options, ...more });

  test("a name that nobody knows (RFC 6761: .invalid)", async () => {
    expect(await reasonOf(get("http://feed.invalid/"))).toBe("name");
  });

  test.each([
    ["port", "nothing", "http"],
    ["cut", "ends", "http"],
    ["plain", "web", "https"],
    ["certificate", "encrypted", "https"],
  ] as const)("%s: %s by %s", async (reason, server, scheme) => {
    expect(await reasonOf(get(`${scheme}://127.0.0.1:${await servers[server]()}/`))).toBe(reason);
  });

  test("slow: one that never says anything", async () => {
    expect(await reasonOf(get(`http://127.0.0.1:${await servers.mute()}/`, { timeoutMs: 50 }))).toBe("slow");
  });

  test.each([
    [404, { code: "source_unavailable", data: { reason: "missing", status: 404 } }],
    [403, { code: "source_unavailable", data: { reason: "denied", status: 403 } }],
    [401, { code: "source_wants_password", data: { status: 401 } }],
    [410, { code: "source_gone", data: { status: 410 } }],
    [502, { code: "source_unavailable", data: { reason: "status", status: 502 } }],
  ])("what the status %i means", async (status, failure) => {
    const port = await listening(
      createHttpServer((_, response) => {
        response.statusCode = status;
        response.end();
      }),
    );
    await expect(fetchDocument(`http://127.0.0.1:${port}/`, {}, { reach: "any", nowMs: 0 })).rejects.toMatchObject(
      failure,
    );
  });
});
