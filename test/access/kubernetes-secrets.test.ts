import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { Redactor } from "../../shared/privacy/redaction/redact.ts";

const redactor = new Redactor(Buffer.alloc(32, 7));
/** Under a name that says nothing of it. */
const value = Buffer.from("winter in the south").toString("base64");
const plain = Buffer.from("garden").toString("base64");

const inJson = (kind: string, data: string) => ({ apiVersion: "v1", data: { database: data }, kind });

test.each([
  ["as manuals write one", `apiVersion: v1\nkind: Secret\ndata:\n  database: ${value}\n`],
  ["as kubectl prints one", `apiVersion: v1\ndata:\n  database: ${value}\nkind: Secret\nmetadata:\n  name: a\n`],
  ["with line ends of Windows", `apiVersion: v1\r\ndata:\r\n  database: "${value}"\r\nkind: Secret\r\n`],
  [
    "in a list",
    `items:\n- apiVersion: v1\n  data:\n    database: ${value}\n  kind: Secret\n  metadata:\n    name: a\n`,
  ],
  ["that begins with its kind, in a list", `items:\n  - kind: Secret\n    data:\n      database: ${value}\n`],
  ["with an empty line and a note in it", `stringData:\n\n  # of the south\n  database: ${value}\nkind: Secret\n`],
  ["in JSON", JSON.stringify(inJson("Secret", value))],
  ["in JSON of several lines", JSON.stringify(inJson("Secret", value), undefined, 4)],
  ["in JSON, beside another", JSON.stringify([inJson("ConfigMap", plain), inJson("Secret", value)])],
  [
    "that kubectl has noted in an annotation",
    `kind: Secret\nmetadata:\n  annotations:\n    last-applied: |\n      ${JSON.stringify(inJson("Secret", value))}\n`,
  ],
])("a Secret of Kubernetes gives up what it holds: %s", (_, text) => {
  const shown = redactor.redact(text).text;
  expect(shown).not.toContain(value);
  expect(shown).toContain("database");
  expect(redactor.redact(shown)).toEqual({ text: shown, count: 0 });
});

test("a private key in a Secret of Kubernetes gives way as anywhere else", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const lines = privateKey.export({ type: "pkcs8", format: "pem" }).toString().trimEnd().split("\n");
  const key = lines.map((line) => `    ${line}`).join("\n");
  const shown = redactor.redact(`kind: Secret\nstringData:\n  tls.pem: |\n${key}\ntype: Opaque\n`).text;
  for (const line of lines.slice(1, -1)) expect(shown).not.toContain(line);
  expect(shown).toContain("type: Opaque");
});

test.each([
  ["of another kind", `data:\n  database: ${plain}\nkind: ConfigMap\n`],
  ["in JSON of another kind", JSON.stringify(inJson("ConfigMap", plain))],
  ["before it", `kind: ConfigMap\ndata:\n  database: ${plain}\n---\nkind: Secret\nmetadata:\n  name: a\n`],
  ["behind it", `kind: Secret\nmetadata:\n  name: a\n---\ndata:\n  database: ${plain}\nkind: ConfigMap\n`],
  ["in a list with it", `- data:\n    database: ${plain}\n  kind: ConfigMap\n- kind: Secret\n  type: Opaque\n`],
  ["that names one", `kind: Secret\nmetadata:\n  labels:\n    database: ${plain}\n`],
])("what is no value of a Secret stays: %s", (_, text) => {
  expect(redactor.redact(text)).toEqual({ text, count: 0 });
});
