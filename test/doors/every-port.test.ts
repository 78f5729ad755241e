import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { hasBrowser } from "../browser.ts";
import { whole } from "../rounds.ts";
import { ownPorts } from "./own-ports.ts";

/** The whole product as `scouts up` starts it, on a data folder in a place that every account can enter. */
const subject = "Zebra canary on the roof";
const startMs = 240_000;
const walkMs = 240_000;
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === "linux";

let folder: string;
let system: LocalSystem;
let ports: number[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scouts-doors-"));
  chmodSync(folder, 0o755);
  const mailboxPath = join(folder, "mail");
  mkdirSync(mailboxPath);
  writeFileSync(
    join(mailboxPath, "1.eml"),
    `From: Bea <b@example.org>\r\nSubject: ${subject}\r\n\r\nLunch on Sunday?\r\n`,
  );
  const { signal } = new AbortController();
  const before = new Set(isLinux ? ownPorts() : []);
  system = await startSystem({
    ...systemTimeAndIds,
    dataFolder: join(folder, "data"),
    mailboxPath,
    environment: {},
    signal,
  });
  await drain(system, signal);
  ports = isLinux ? ownPorts().filter((port) => !before.has(port)) : [];
}, startMs);
afterAll(async () => {
  await system?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const formType = { "content-type": "application/x-www-form-urlencoded" };
const aws = (target: string) => ({ "content-type": "application/x-amz-json-1.0", "x-amz-target": target });
const challenge = "a".repeat(43);
const query = `client_id=x&response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F&code_challenge=${challenge}&code_challenge_method=S256&state=s&scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fgmail.readonly`;

/** Everything that gave somebody something in a home without doors, and the way to each of its servers. */
const requests = [
  { method: "POST", path: "/token", headers: formType, body: "grant_type=client_credentials&client_id=owner" },
  {
    method: "POST",
    path: "/token",
    headers: formType,
    body: "grant_type=client_credentials&client_id=owner&client_secret=",
  },
  { method: "GET", path: `/authorize?${query}` },
  { method: "POST", path: `/authorize?${query}`, headers: formType, body: "secret=guess" },
  { method: "GET", path: "/device?user_code=BCDF-GHJK" },
  { method: "GET", path: `/o/oauth2/v2/auth?${query}` },
  { method: "GET", path: "/gmail/v1/users/me/messages" },
  { method: "GET", path: "/api/v1/scouts" },
  { method: "POST", path: "/api/v1/device/tickets", headers: { "content-type": "application/json" }, body: "{}" },
  {
    method: "POST",
    path: "/api/v1/scouts/webhooks/gmail",
    headers: { "content-type": "application/json" },
    body: "{}",
  },
  {
    method: "GET",
    path: "/socket?ticket=guess",
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    },
  },
  { method: "POST", path: "/socket/@connections/guess", body: "hello" },
  {
    method: "POST",
    path: "/",
    headers: aws("PurgeQueue"),
    body: '{"QueueUrl":"http://127.0.0.1:1/000000000000/Triage"}',
  },
  {
    method: "POST",
    path: "/",
    headers: aws("AmazonSQS.ReceiveMessage"),
    body: '{"QueueUrl":"http://127.0.0.1:1/000000000000/Triage"}',
  },
  { method: "POST", path: "/", headers: formType, body: "Action=CreateTopic&Name=T" },
  { method: "POST", path: "/", headers: aws("DynamoDB_20120810.ListTables"), body: "{}" },
  { method: "POST", path: "/", headers: aws("DynamoDB_20120810.Scan"), body: '{"TableName":"Ledger"}' },
  { method: "POST", path: "/", headers: aws("TrentService.Decrypt"), body: '{"CiphertextBlob":"aGVsbG8="}' },
  {
    method: "POST",
    path: "/",
    headers: aws("TrentService.Encrypt"),
    body: '{"KeyId":"VaultKeyRingKey","Plaintext":"aGk="}',
  },
  { method: "GET", path: "/" },
  { method: "GET", path: "/_fauxqs/queues" },
  { method: "GET", path: "/v1/models", headers: { authorization: "Bearer built-in" } },
] as const;

const told = z.object({
  uid: z.number(),
  files: z.record(z.string(), z.object({ got: z.string().optional(), refused: z.string().optional() })),
  answers: z.array(
    z.object({
      port: z.number(),
      asked: z.string(),
      status: z.number(),
      location: z.string().optional(),
      text: z.string(),
    }),
  ),
});

/** What nobody else may be told, in whatever answer. */
const secrets = () => [
  system.world.ownerSecret,
  subject,
  "access_token",
  "ya29.",
  ...Object.values(system.world.secrets).filter((secret) => secret.length > 12),
];

describe.skipIf(!isLinux || !isRoot)("D2, D3: another account of the machine (needs root, to become one)", () => {
  it(
    "reads no file of the home, and gets nothing at any of its ports",
    async () => {
      expect(ports.length).toBeGreaterThanOrEqual(8);
      const script = readFileSync(new URL("./other-account.mjs", import.meta.url), "utf8");
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        uid: nobody,
        gid: nobody,
        cwd: "/",
        env: {},
        stdio: ["pipe", "pipe", "inherit"],
      });
      child.stdin.end(JSON.stringify({ folder: join(folder, "data"), ports, requests }));
      const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
      const { uid, files, answers } = told.parse(JSON.parse(output));
      expect(uid).toBe(nobody);
      for (const [name, { refused }] of Object.entries(files)) expect(refused, name).toBe("EACCES");
      expect(answers).toHaveLength(ports.length * requests.length);
      for (const { asked, status, location, text: body } of answers) {
        // The pages that ask for the secret are all that is shown; they lead nowhere without it.
        const asksForSecret = body.includes('type="password"');
        expect(status >= 400 || asksForSecret, `${asked}: ${status} ${body.slice(0, 100)}`).toBe(true);
        expect(location).toBeUndefined();
        for (const secret of secrets()) expect(body).not.toContain(secret);
      }
    },
    walkMs,
  );
});

describe.skipIf(!hasBrowser)("D2, D3: a page in a browser of the machine", () => {
  let browser: Browser;
  let evil: { readonly origin: string; close(): void };

  beforeAll(async () => {
    const [{ chromium }, { default: packed }] = await Promise.all([
      import("playwright-core"),
      import("@sparticuz/chromium"),
    ]);
    browser = await chromium.launch({
      executablePath: await packed.executablePath(),
      // Root has no sandbox. Every name is this machine, as for a page whose name is bound anew.
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--host-resolver-rules=MAP *.example 127.0.0.1"],
    });
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<title>evil</title>");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    evil = { origin: `http://evil.example:${port}`, close: () => server.closeAllConnections() ?? server.close() };
  }, startMs);
  afterAll(async () => {
    await browser?.close();
    evil?.close();
  });

  async function onPage<T>(address: string, work: (page: Page) => Promise<T>): Promise<T> {
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(address);
      return await work(page);
    } finally {
      await context.close();
    }
  }

  /** Of a change every third one at each port, at the next port others: another account (above) tries all of them at all ports. */
  const someOf = <T>(all: readonly T[], port: number) =>
    all.filter((_, at) => whole || at % 3 === ports.indexOf(port) % 3);

  /** What scripts of the page that is open are told by servers, and whether a socket opens. */
  const asks = (page: Page, port: number, base: string) =>
    page.evaluate(
      async ({ base, wanted }) => {
        const got: string[] = [];
        for (const { method, path, headers, body } of wanted) {
          // "Simple" ones are sent without asking first (Fetch, "CORS protocol"); the others want a permission.
          for (const init of [{ headers }, { headers: {} }, { mode: "no-cors" as const }]) {
            try {
              const answer = await fetch(base + path, { method, ...init, ...(body === undefined ? {} : { body }) });
              got.push(`${answer.type} ${answer.status} ${await answer.text()}`);
            } catch {
              got.push("refused");
            }
          }
        }
        const opened = await new Promise<boolean>((resolve) => {
          const socket = new WebSocket(`${base.replace("http", "ws")}/socket?ticket=guess`);
          socket.onopen = () => resolve(true);
          socket.onerror = () => resolve(false);
        });
        return { got, opened };
      },
      {
        base,
        wanted: someOf(requests, port)
          .filter((each) => !("headers" in each) || !("upgrade" in each.headers))
          .map((each) => ({
            method: each.method,
            path: each.path,
            headers: "headers" in each ? { ...each.headers } : {},
            body: "body" in each ? each.body : undefined,
          })),
      },
    );

  it(
    "of another origin is told nothing by any port, and opens no socket",
    async () => {
      await onPage(evil.origin, async (page) => {
        for (const port of ports) {
          const { got, opened } = await asks(page, port, `http://127.0.0.1:${port}`);
          expect(opened).toBe(false);
          // Opaque answers have no status and no text.
          expect(got.filter((each) => each !== "refused" && each !== "opaque 0 ")).toEqual([]);
        }
      });
    },
    walkMs,
  );

  it(
    "of a name that was bound anew to this machine is refused everything, as its own page as well",
    async () => {
      for (const port of ports) {
        const base = `http://rebound.example:${port}`;
        await onPage(`${base}/health`, async (page) => {
          expect(await page.textContent("body")).toContain("foreign_request");
          const { got, opened } = await asks(page, port, base);
          expect(opened).toBe(false);
          for (const each of got) expect(each).toMatch(/^(refused|(basic|opaque) 403 .*foreign_request.*)$/);
        });
      }
    },
    walkMs,
  );

  it(
    "that posts a form gets a refusal for its own window",
    async () => {
      for (const port of ports) {
        for (const path of someOf(["/token", "/", `/authorize?${query}`], port)) {
          await onPage(evil.origin, async (page) => {
            await page.setContent(
              `<form method="post" action="http://127.0.0.1:${port}${path.replaceAll("&", "&amp;")}">
               <input name="grant_type" value="client_credentials"><input name="client_id" value="owner"><button>Win</button></form>`,
            );
            await page.click("button");
            await page.waitForURL(`http://127.0.0.1:${port}/**`);
            expect(await page.textContent("body")).toContain("foreign_request");
          });
        }
      }
    },
    walkMs,
  );

  it(
    "of the issuer itself lets the owner on with the secret, and nobody without: the browser would have shown the rest",
    async () => {
      const back = `${evil.origin.replace("evil.example", "127.0.0.1")}/`;
      const page = new URL(`${system.world.issuer.url}/authorize?${query}`);
      page.searchParams.set("redirect_uri", back);
      await onPage(page.href, async (shown) => {
        await shown.fill("input[type=password]", "guess");
        await shown.click("button");
        expect(await shown.textContent("[role=alert]")).toContain("not this home's secret");
        await shown.fill("input[type=password]", system.world.ownerSecret);
        await shown.click("button");
        await shown.waitForURL(`${back}**`);
        expect(new URL(shown.url()).searchParams.get("code")).toMatch(/^[\w-]{32}$/);
      });
    },
    walkMs,
  );
});
