import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { readCredentials, writeCredentials } from "../../device/connect/credentials.ts";
import { deployedHome } from "../../device/connect/deployed-home.ts";
import { discover } from "../../device/connect/oidc.ts";
import { type PublicClient, signInByBrowser, signInByCode } from "../../device/connect/sign-in.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { type Issuer, type IssuerOptions, startIssuer } from "../../infra/standins/issuer/start.ts";
import { serveLoopback } from "../../infra/standins/loopback-server.ts";
import { asOwner, ownerSecret, visitAsOwner } from "../standins/owner.ts";
import { makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { startCloud, temporaryFolder } from "./setting.ts";

const client: PublicClient = { clientId: "scouts-cli", audience: null, scope: "openid offline_access" };
const never = new AbortController().signal;
const hourMs = 3_600_000;
const mebibyte = 1024 * 1024;

async function openIssuer(options: Partial<IssuerOptions> = {}): Promise<Issuer> {
  const issuer = await startIssuer({ audience: "scouts", ownerSecret, stateDir: temporaryFolder(), ...options });
  onTestFinished(() => issuer.close());
  return issuer;
}

const visit = (url: string) => visitAsOwner(url);

const subjectOf = async (issuer: Issuer, token: string, atMs = Date.now()) => {
  const keys = createRemoteJWKSet(new URL(issuer.jwksUrl));
  return (await jwtVerify(token, keys, { issuer: issuer.url, audience: "scouts", currentDate: new Date(atMs) })).payload
    .sub;
};

/** One command line in this process; `onStderr` hears every line as it is written. */
async function scouts(words: string[], onStderr: (line: string) => void = () => {}, now = Date.now) {
  const stdout = new Screen();
  const stderr = new (class extends Screen {
    override _write(chunk: Buffer, encoding: string, done: () => void): void {
      super._write(chunk, encoding, done);
      onStderr(chunk.toString());
    }
  })();
  const io = { stdout, stderr, isTTY: false, color: false, signal: never };
  const context = { io, environment: readEnvironment({}), workingFolder: temporaryFolder(), ...systemTimeAndIds, now };
  const code = await runCommand(words, context, "1");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

const addressIn = (line: string) => /https?:\S+/.exec(line)?.[0] ?? "";
const loginWords = (data: string, issuer: string, api: string) => [
  "login",
  "--no-browser",
  ...["--data", data, "--issuer", issuer, "--client-id", client.clientId, "--api", api],
];

test("a browser sign-in brings a token of its person, by a code that is good once and only with its verifier", async () => {
  const issuer = await openIssuer({ signIn: () => "ada" });
  const metadata = await discover(issuer.url, never);
  let page = "";
  const answer = await signInByBrowser(
    metadata,
    client,
    async (url) => {
      page = url;
      await visit(url);
    },
    never,
  );
  expect(await subjectOf(issuer, answer.access_token)).toBe("ada");
  expect(answer.refresh_token).toBeTypeOf("string");

  const asked = new URL(page).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: "code",
    client_id: "scouts-cli",
    code_challenge_method: "S256",
    scope: "openid offline_access",
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
  });
  const redirected = await fetch(page, { headers: asOwner, redirect: "manual" });
  const code = new URL(redirected.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", code, client_id: "scouts-cli", code_verifier: "x".repeat(43) };
  const stolen = await fetch(metadata.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({ ...form, redirect_uri: asked.get("redirect_uri") ?? "" }),
  });
  expect(await stolen.json()).toEqual({ error: "invalid_grant" });
});

test.each([
  ["the person says no", { signIn: () => "denied" as const }, (url: string) => url, "consent_refused"],
] as const)("a browser sign-in ends with a code when %s", async (_, options, bend, code) => {
  const issuer = await openIssuer(options);
  const metadata = await discover(issuer.url, never);
  const attempt = signInByBrowser(metadata, client, (url) => visit(bend(url)), never);
  await expect(attempt).rejects.toMatchObject({ code });
});

test("a browser sign-in waits past the answers of others, and takes its own", async () => {
  const issuer = await openIssuer({ signIn: () => "ada" });
  const metadata = await discover(issuer.url, never);
  const answer = await signInByBrowser(
    metadata,
    client,
    async (url) => {
      const back = new URL(url).searchParams.get("redirect_uri") ?? "";
      for (const other of [
        "?code=theirs&state=other",
        "?error=access_denied&state=other",
        "?code=theirs",
        "?error=x",
      ]) {
        expect((await fetch(`${back}${other}`)).status).toBe(400);
      }
      await visit(url);
    },
    never,
  );
  expect(await subjectOf(issuer, answer.access_token)).toBe("ada");
});

test("a browser sign-in that nobody finishes ends when it is given up", async () => {
  const issuer = await openIssuer();
  const metadata = await discover(issuer.url, never);
  const patience = new AbortController();
  const attempt = signInByBrowser(metadata, client, async () => patience.abort(), patience.signal);
  await expect(attempt).rejects.toMatchObject({ code: "consent_abandoned" });
});

test("a sign-in by code waits for its person, more slowly when told to, and brings their token", async () => {
  let nowMs = Date.now();
  const issuer = await openIssuer({ clock: () => nowMs, signIn: () => "ada" });
  const metadata = await discover(issuer.url, never);
  const waits: number[] = [];
  let shown = "";
  const answer = await signInByCode(
    metadata,
    client,
    async ({ userCode, verificationUri }) => {
      shown = `${verificationUri}?user_code=${userCode}`;
    },
    never,
    async (ms) => {
      waits.push(ms);
      // The second question comes too soon.
      nowMs += waits.length === 2 ? 1 : ms;
      if (waits.length === 3) await visit(shown);
    },
  );
  expect(await subjectOf(issuer, answer.access_token, nowMs)).toBe("ada");
  expect(waits).toEqual([5_000, 5_000, 10_000]);
});

/** An issuer's token endpoint that answers so, one after the other; the last one for ever. */
async function codeIssuer(answers: readonly ("lost" | { readonly status: number; readonly body: string })[]) {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === "/device") {
      const code = { device_code: "d", user_code: "ABCD", verification_uri: "http://127.0.0.1/enter", expires_in: 100 };
      response.end(JSON.stringify(code));
      return;
    }
    const answer = answers[Math.min(asked, answers.length - 1)] ?? "lost";
    asked += 1;
    if (answer === "lost") request.socket.destroy();
    else response.writeHead(answer.status).end(answer.body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return { issuer: url, token_endpoint: `${url}/token`, device_authorization_endpoint: `${url}/device` };
}

const good = { status: 200, body: JSON.stringify({ access_token: "t", token_type: "Bearer" }) };
const pending = { status: 400, body: JSON.stringify({ error: "authorization_pending" }) };

test("a sign-in by code goes on past an issuer that does not answer for a while, and asks it less often", async () => {
  const issuer = await codeIssuer(["lost", { status: 503, body: "<html>" }, pending, good]);
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const answer = await signInByCode(issuer, client, async () => {}, never, wait);
  expect(answer.access_token).toBe("t");
  expect(waits).toEqual([5_000, 10_000, 20_000, 20_000]);
});

test.each([
  ["does not come back", "lost" as const],
  ["answers what is none", { status: 404, body: "<html>" }],
])("a sign-in by code ends with the reason where the issuer %s", async (_, answer) => {
  const issuer = await codeIssuer([pending, answer]);
  const attempt = signInByCode(
    issuer,
    client,
    async () => {},
    never,
    async () => {},
  );
  await expect(attempt).rejects.toMatchObject({ code: "issuer_unusable" });
});

test.each([
  ["the person says no", "denied", 0, "consent_refused"],
  ["its time is over", "nobody", 11 * 60_000, "consent_abandoned"],
])("a sign-in by code ends with a code when %s", async (_, who, passedMs, code) => {
  let nowMs = Date.now();
  const issuer = await openIssuer({ clock: () => nowMs, signIn: () => "denied" });
  const metadata = await discover(issuer.url, never);
  const attempt = signInByCode(
    metadata,
    client,
    async ({ userCode, verificationUri }) => {
      if (who === "denied") await visit(`${verificationUri}?user_code=${userCode}`);
    },
    never,
    async (ms) => {
      nowMs += ms + passedMs;
    },
  );
  await expect(attempt).rejects.toMatchObject({ code });
});

test.each([
  ["another issuer's description", { issuer: "http://127.0.0.1:1", token_endpoint: "http://127.0.0.1:1/token" }],
  ["no description", { hello: 1 }],
])("%s is not taken for the issuer's", async (_, body) => {
  const server = await serveLoopback(() => ({ status: 200, body: JSON.stringify(body) }));
  onTestFinished(() => server.close());
  await expect(discover(server.url, never)).rejects.toMatchObject({ code: "issuer_unusable" });
});

test("an answer that does not end is left as soon as it is larger than an issuer's may be", async () => {
  const left = Promise.withResolvers<number>();
  const server = createServer((_, response) => {
    let bytes = 0;
    const more = () => {
      while (!response.destroyed && bytes < 64 * mebibyte) {
        bytes += 65_536;
        if (!response.write(" ".repeat(65_536))) {
          response.once("drain", more);
          return;
        }
      }
      response.end();
    };
    response.once("close", () => left.resolve(bytes));
    more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await expect(discover(`http://127.0.0.1:${port}`, never)).rejects.toMatchObject({ code: "issuer_unusable" });
  // What lies in the sockets' buffers was sent before anybody could say stop.
  expect(await left.promise).toBeLessThan(32 * mebibyte);
});

test("an issuer elsewhere is spoken to over TLS only, and so are the endpoints it names", async () => {
  await expect(discover("http://issuer.example/", never)).rejects.toMatchObject({ code: "address_insecure" });
  const server = await serveLoopback(({ headers }) => {
    const issuer = `http://${headers.host}`;
    return { status: 200, body: JSON.stringify({ issuer, token_endpoint: "http://issuer.example/token" }) };
  });
  onTestFinished(() => server.close());
  await expect(discover(server.url, never)).rejects.toMatchObject({ code: "address_insecure" });
});

async function signedIn(issuer: Issuer, expiresAt: number) {
  const dataFolder = temporaryFolder();
  const metadata = await discover(issuer.url, never);
  const answer = await signInByBrowser(metadata, client, visit, never);
  writeCredentials(dataFolder, {
    v: 1,
    apiUrl: "http://127.0.0.1:1/",
    issuer: issuer.url,
    ...client,
    tokenEndpoint: metadata.token_endpoint,
    revocationEndpoint: null,
    accessToken: answer.access_token,
    expiresAt,
    refreshToken: answer.refresh_token ?? null,
  });
  return { dataFolder, first: answer.access_token };
}

test("a token is used until shortly before its end and then renewed once, however many ask, in whichever process", async () => {
  const issuer = await openIssuer();
  const { dataFolder, first } = await signedIn(issuer, Date.now() + hourMs);
  expect(await deployedHome(dataFolder, Date.now).auth()).toBe(first);

  const later = () => Date.now() + hourMs;
  const homes = [deployedHome(dataFolder, later), deployedHome(dataFolder, later)];
  const tokens = await Promise.all([...homes, ...homes].map((home) => home.auth()));
  // A refresh token used twice would have ended the sign-in: each is good once.
  expect(tokens).not.toContain(first);
  expect(await deployedHome(dataFolder, () => Date.now() + 2 * hourMs).auth()).toBeTypeOf("string");
});

test("a sign-in that has ended at the issuer asks for another", async () => {
  const issuer = await openIssuer();
  const { dataFolder } = await signedIn(issuer, 0);
  const known = readCredentials(dataFolder);
  if (known) writeCredentials(dataFolder, { ...known, refreshToken: "stolen.and-used" });
  await expect(deployedHome(dataFolder, Date.now).auth()).rejects.toMatchObject({ code: "login_needed", exitCode: 4 });
});

test("scouts login keeps tokens for the owner's eyes only; what was given once need not be given again; logout ends it", async () => {
  const issuer = await openIssuer();
  const data = temporaryFolder();
  const words = loginWords(data, issuer.url, "http://127.0.0.1:1/");
  const first = await scouts(words, (line) => void visit(addressIn(line)));
  expect(first).toMatchObject({ code: 0, stdout: "Signed in to http://127.0.0.1:1/.\n" });

  const file = path.join(data, "device", "credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  const { accessToken, refreshToken } = readCredentials(data) ?? {};
  for (const secret of [accessToken, refreshToken]) expect(first.stdout + first.stderr).not.toContain(secret);

  const again = await scouts(
    ["login", "--no-browser", "--json", "--data", data],
    (line) => void visit(addressIn(line)),
  );
  expect(JSON.parse(again.stdout)).toEqual({ apiUrl: "http://127.0.0.1:1/", lasting: true, expiresInSeconds: 3600 });

  const out = await scouts(["logout", "--json", "--data", data]);
  expect(JSON.parse(out.stdout)).toEqual({ signedOut: true, revoked: true });
  expect(existsSync(file)).toBe(false);
  expect((await scouts(["connect", "--data", data])).stderr).toContain("(login_needed)");
});

test.each([
  [["login"], 2, "--api, --issuer and --client-id"],
  [["login", "--api", "x y", "--issuer", "http://127.0.0.1:1", "--client-id", "c"], 2, "x y is no address."],
  [["doctor", "--api", "x y"], 2, "x y is no address. Write it as https://home.example.com. (usage)"],
  [["doctor", "--api", ""], 2, "An empty text is no address."],
  [
    ["login", "--api", "http://api.example.com", "--issuer", "http://127.0.0.1:1", "--client-id", "c"],
    1,
    "(address_insecure)",
  ],
  [
    ["login", "--api", "http://127.0.0.1:1", "--issuer", "http://127.0.0.1:1", "--client-id", "c"],
    1,
    "(issuer_unusable)",
  ],
  [["connect"], 4, "(login_needed)"],
  [["connect", "--home", "nowhere"], 4, "(home_not_running)"],
  [["logout"], 0, ""],
])("scouts %j ends with %i", async (words, code, sentence) => {
  const ended = await scouts([...words, "--data", temporaryFolder()]);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(sentence);
});

test("what is kept of a sign-in and is damaged is said to be, without quoting it, and a sign-in replaces it", async () => {
  const issuer = await openIssuer();
  const data = temporaryFolder();
  await scouts(loginWords(data, issuer.url, "http://127.0.0.1:1/"), (line) => void visit(addressIn(line)));
  writeFileSync(path.join(data, "device", "credentials.json"), '{"accessToken":"kanarienvogel');
  const ended = await scouts(["connect", "--data", data]);
  expect(ended).toMatchObject({ code: 4, stdout: "" });
  expect(ended.stderr).toContain("(credentials_unreadable)");
  expect(ended.stderr).not.toContain("kanarienvogel");
  const words = loginWords(data, issuer.url, "http://127.0.0.1:1/");
  expect((await scouts(words, (line) => void visit(addressIn(line)))).code).toBe(0);
});

test("scouts connect --once fetches what there is as a device of the home it is signed in to", async () => {
  const issuer = await openIssuer();
  const cloud = await startCloud();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  // What each proposal is about is read once, to say what it is.
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_items_request") return "default";
    const content = { subject: "S", sender: "a@example.com", part: 1, parts: 1, text: "Hello" };
    const parts = frame.proposalIds.map((proposalId) => ({ proposalId, ...content }));
    connection.send({ type: "scout_items", inReplyTo: frame.id, parts, refused: [] });
    return "handled";
  };
  const data = temporaryFolder();
  await scouts(loginWords(data, issuer.url, cloud.url), (line) => void visit(addressIn(line)));
  const { code, stdout } = await scouts(["connect", "--once", "--json", "--data", data]);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(events.map(({ event }) => event)).toEqual(["ready", "proposal", "proposal"]);
  expect(events[1].proposal).toMatchObject({ rawSubject: "Subject 1", status: "pending" });
  expect(cloud.tokens.at(-1)).toBe(`Bearer ${readCredentials(data)?.accessToken}`);
  expect(cloud.framesOf("bye")).toEqual([]);
  const kept = JSON.parse((await scouts(["proposals", "list", "--json", "--data", data])).stdout);
  expect(kept).toHaveLength(2);

  const elsewhere = await scouts(["connect", "--api", "https://other.example/", "--data", data]);
  expect(elsewhere).toMatchObject({ code: 4 });
  expect(readFileSync(path.join(data, "device", "credentials.json"), "utf8")).toContain(cloud.url);
});
