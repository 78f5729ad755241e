import { createSecretKey, generateKeyPairSync, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor, sentinelIn } from "../../shared/privacy/redaction/redact.ts";
import { measureMade } from "../eval/redaction/made-corpus.ts";
import { measureNamed } from "../eval/redaction/named-tokens.ts";

const redactor = new Redactor(Buffer.alloc(32, 7));
/** Made here, so that no scanner takes this file for a leak. */
const invented = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");

/** Of a wallet that nobody has. */
const seedWords = "ripple scissors kick mammal hire column oak again sun offer wealth tomorrow".split(" ");

test("a credential gives way to a sentinel that names its kind, the same one everywhere in the text", () => {
  const { text, count } = redactor.redact(`key: ${invented}\nagain ${invented}\n`);
  expect(count).toBe(2);
  expect(text).toMatch(
    /^key: ⟦redacted:aws-access-key-id#[0-9a-f]{6}⟧\nagain ⟦redacted:aws-access-key-id#[0-9a-f]{6}⟧\n$/,
  );
  expect(new Set(text.match(/#[0-9a-f]{6}/g))).toHaveLength(1);
});

test("redaction keeps the number of lines, so that line numbers stay true", () => {
  const body = Buffer.alloc(64, "Ab3").toString("base64");
  const key = ["-----BEGIN RSA PRIVATE", "KEY-----"].join(" ");
  const text = `a\r\n${key}\r\n${body}\r\n${body}\r\n${key.replace("BEGIN", "END")}\r\nb\r\n`;
  const redacted = redactor.redact(text).text;
  expect(redacted.split("\r\n")).toHaveLength(text.split("\r\n").length);
  expect(redacted).not.toContain(body);
});

test.each([
  "const token = getToken(request);",
  "password: string;",
  'apiKey: process.env["API_KEY"]',
  "secret: $\u007b{ secrets.DEPLOY_KEY }}",
  "Authorization: Bearer <token>",
  "postgres://user:$\u007bPASSWORD}@localhost/db",
  "commit 5808b77453dec299d4daf8557b05a80be832a5b8",
  '"integrity": "sha512-k6s1Bv8zYk0q3p9ZQmXvTqYkQwT1d5u2h8cX0l3z9w=="',
  "the secret of a good key is a password nobody guesses",
  "Turkey: 2026-01-02, author = 2026-01-02T10:00:00Z, keyboard: 1024-7788",
  "x = s3ExpressSessionCredentialsProvider01",
  "password: required",
  "recovery words: write down twelve of them and keep them in a place that nobody else knows about",
  "Recovery phrase:\n- write\n- them\n- down\n",
  "<password>{{ vault_password }}</password>",
  "password_hash: bcrypt",
  '"token": "keyword.control.import"',
  '{"encrypted_password_field": "userPassword"}',
  "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
  "const password = user.password;",
])("ordinary text stays: %s", (line) => {
  expect(redactor.redact(line)).toEqual({ text: line, count: 0 });
});

test.each([
  ["password: hunter2xyz", "hunter2xyz"],
  ["<server><username>ci</username><password>swordfish</password></server>", "swordfish"],
  ["db:\n  user: app\n  password: correcthorse\n  host: db1\n", "correcthorse"],
  ["Your login: ann. The password is Tr0ub4dor&3.", "Tr0ub4dor&3"],
  ["Recovery codes:\n\n1. 8f2k-93md\n2. q7w1-44xz\n", "q7w1-44xz"],
  ["name,url,username,password\na,https://a.example,ann,swordfish\n", "swordfish"],
  ["docker login -u ann -p s3cretPw99 registry.example", "s3cretPw99"],
  ["curl -u ann:s3cretPw99 https://api.example", "s3cretPw99"],
  ["machine a.example login ann password plainword", "plainword"],
  ["ENV DB_PASSWORD=swordfish", "swordfish"],
  ["<secret>{AQAAABAAAAAQx8Kd93jfLs02kdPq}</secret>", "AQAAABAAAAAQx8Kd93jfLs02kdPq"],
  ["token: my-example-9f8a7b6c5d4e3f2a1b0c", "9f8a7b6c5d4e3f2a1b0c"],
  ["пароль: зима2026!", "зима2026!"],
  [`Seed phrase: ${seedWords.join(" ")}\n`, "scissors"],
  [`My recovery phrase is ${seedWords.join(" ")}.`, "scissors"],
  [`mnemonic: ${seedWords.map((word, index) => `${index + 1}. ${word}`).join(" ")}`, "scissors"],
  [`Recovery phrase:\n\n${seedWords.map((word, index) => `${index + 1}. ${word}\n`).join("")}`, "scissors"],
  ["apiVersion: v1\nkind: Secret\ndata:\n  user: YWRtaW4tdXNlcg==\n", "YWRtaW4tdXNlcg=="],
])("what is named a credential is one: %s", (text, secret) => {
  const shown = redactor.redact(text).text;
  expect(shown).not.toContain(secret);
  expect(redactor.redact(shown)).toEqual({ text: shown, count: 0 });
});

const keys = ["Tr0u", "b4dor"].join("");
const of = (characters: number) => "aB3./dE5fG7hJ9kL".repeat(6).slice(0, characters);
const base64 = Buffer.from(of(32)).toString("base64");

test.each([
  [`WIFI:T:WPA;S:Home Net;P:${keys};;`, keys],
  [`WIFI:P:a\\;${keys};S:Cafe\\;1;T:WPA;H:true;;`, keys],
  [`keytool -genkey -alias a -keystore k.jks -storepass ${keys} -v`, keys],
  [`jarsigner -keypass "${keys} 2" app.jar a`, keys],
  [`$p = ConvertTo-SecureString "${keys}" -AsPlainText -Force`, keys],
  [`ConvertTo-SecureString -AsPlainText -Force -String '${keys}'`, keys],
  [`kubectl create secret generic db \\\n  --from-literal=k=${keys} \\\n  --from-literal 'user=x y'`, keys],
  [`kubectl create secret generic db --from-literal "k=${keys} 2"`, keys],
  [`# mine\ndb.example.org:5432:shop:ada:${keys}\nlocalhost:5432:*:*:other1\n`, keys],
  [`*:5432:*:*:${keys}`, keys],
  [`ada:$2b$12$${of(53)}`, of(53)],
  [`ada:$6$saltsalt$${of(86)}:19000:0:99999:7:::`, of(86)],
  [`ada:$6$rounds=656000$saltsalt$${of(86)}`, of(86)],
  [`ada:$apr1$saltsalt$${of(22)}`, of(22)],
  [`root:$y$j9T$F5Jx5fExrKuPp53xLKQ..1$${of(43)}:1`, of(43)],
  [`$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$${base64}`, base64],
  [`"pbkdf2_sha256$260000$abcd3fghijkl$${base64}"`, base64],
  [`userPassword: {SSHA}${base64}`, base64],
])("what stands where a secret does is one, whatever it looks like: %s", (text, secret) => {
  const shown = redactor.redact(text).text;
  expect(shown).not.toContain(secret);
  expect(redactor.redact(shown)).toEqual({ text: shown, count: 0 });
});

test.each([
  "WIFI:S:Cafe;T:nopass;;",
  "WIFI:T:WPA;S:NAME;P:<password>;;",
  "wifi: P: the password is on the router; ask there",
  "keytool -list -keystore k.jks -storepass changeit",
  "keytool -list -storepass:env STOREPASS -storetype PKCS12",
  "keytool -importkeystore -storepass $STOREPASS",
  "keytool -storepass -keypass",
  "ConvertTo-SecureString $plain -AsPlainText -Force",
  "Use ConvertTo-SecureString, and Read-Host.",
  "kubectl create configmap colours --from-literal=sky=azure1",
  "kubectl create secret generic db --from-literal=password=$PASSWORD",
  "postgres listens at localhost:5432: see there",
  "10:12:03 db1:5432:shop connected",
  "echo $1$2$3",
  "$6$ is SHA-512, $2b$ is bcrypt",
])("what stands for one, or for nothing, stays: %s", (line) => {
  expect(redactor.redact(line)).toEqual({ text: line, count: 0 });
});

/** Private members of RSA (RFC 7518 §6.3.2), elliptic curves and symmetric keys, by Node's own keys. */
const jsonWebKeys = [
  ["RSA", generateKeyPairSync("rsa", { modulusLength: 1_024 }).privateKey, ["d", "p", "q", "dp", "dq", "qi"]],
  ["EC", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey, ["d"]],
  ["OKP", generateKeyPairSync("ed25519").privateKey, ["d"]],
  ["oct", createSecretKey(randomBytes(32)), ["k"]],
] as const;

test.each(jsonWebKeys)(
  "the private members of a JSON Web Key are credentials, the public ones none: %s",
  (_, key, named) => {
    const jwk: Record<string, unknown> = { ...key.export({ format: "jwk" }), kid: "2026-11" };
    const open = Object.fromEntries(Object.entries(jwk).filter(([name]) => !named.some((each) => each === name)));
    const reversed = Object.fromEntries(Object.entries(jwk).reverse());
    const forms = [jwk, reversed, { keys: [open, jwk] }, { text: JSON.stringify(jwk) }].flatMap((each) => [
      JSON.stringify(each),
      JSON.stringify(each, null, 2),
    ]);
    const code = `const key = { ${Object.entries(jwk)
      .map(([name, value]) => `${name}: "${String(value)}"`)
      .join(", ")} };`;
    const cut = JSON.stringify(jwk).slice(0, -1);
    for (const text of [...forms, code, cut]) {
      const shown = redactor.redact(text).text;
      for (const name of named) expect(shown).not.toContain(String(jwk[name]));
      for (const value of Object.values(open)) expect(shown).toContain(String(value));
      expect(redactor.redact(shown)).toEqual({ text: shown, count: 0 });
    }
    const published = JSON.stringify({ keys: [open] }, null, 2);
    expect(redactor.redact(published)).toEqual({ text: published, count: 0 });
  },
);

test("members of that name that stand in no key stay", () => {
  const text = JSON.stringify({
    d: "a-long-value-of-no-key",
    k: "another-of-them-1234",
    in: { kty: "RSA", e: "AQAB" },
  });
  expect(redactor.redact(text)).toEqual({ text, count: 0 });
});

test("a second redaction changes nothing, and a sentinel inside a value stays as it is", () => {
  const { text } = redactor.redact(`password: ab${invented}cd\nurl=https://a:b1c2d3e4@h.example/?token=${invented}\n`);
  expect(text).not.toContain(invented);
  expect(text).not.toMatch(/\u27e6[^\u27e7]*\u27e6/);
  expect(redactor.redact(text)).toEqual({ text, count: 0 });
  const marked = "password: x\u27e6redacted:token#a1b2c3\u27e7y";
  expect(redactor.redact(marked)).toEqual({ text: marked, count: 0 });
});

test("every kind is found in every format, and what only looks so stays", () => {
  const { kinds, missed, alarmed } = measureMade(7, 2);
  expect(kinds.length).toBeGreaterThanOrEqual(40);
  const low = kinds.filter(({ recall, precision }) => recall < 0.9 || precision < 0.8);
  expect({ low, missed: low.length > 0 ? missed : [], alarmed: low.length > 0 ? alarmed : [] }).toEqual({
    low: [],
    missed: [],
    alarmed: [],
  });
});

test("of random tokens after a credential's name at most two in a hundred are missed", () => {
  expect(measureNamed(7, 300).filter(({ missed, tokens }) => missed > 0.02 * tokens)).toEqual([]);
});

test.each([
  "-eyJ",
  "password=",
  "recovery codes:\n",
  "-----BEGIN PRIVATE KEY-----",
  "cookie: a=",
  '"password": [',
  "aaaaQ~",
  '{"kty":"',
  '"kty":"d","d":"',
])("a text made of %j is read to its end", (piece) => {
  // Where work grew with the square of the length this would not end within the test's time.
  const { text } = redactor.redact(`${piece.repeat(100_000 / piece.length)} ${invented}`);
  expect(text).not.toContain(invented);
});

test("whatever stands around it, a credential goes, and its sentinel is recognised on its way back", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom("", `token = "${invented}"`),
      (noise, secret) => {
        const { text, count } = redactor.redact(noise + secret);
        expect(text.includes(invented)).toBe(false);
        if (count > 0) expect(sentinelIn(text)).toBeDefined();
      },
    ),
  );
});

test.each([
  "⟦redacted:token#a1b2c3⟧",
  "[redacted:token#a1b2c3]",
  "[[redacted:token#a1b2c3]]",
  "【redacted:token#a1b2c3】",
])("a sentinel is recognised as a model may write it: %s", (written) =>
  expect(sentinelIn(`x = "${written}"`)).toBe(written),
);

test("words about redaction are no sentinel", () => {
  expect(sentinelIn("[redacted] and [redacted: name], ⟦redacted⟧")).toBeUndefined();
});
