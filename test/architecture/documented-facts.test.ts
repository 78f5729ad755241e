import { globSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { buildProgram } from "../../cli/program.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { tierName, tiers } from "../../shared/billing/tiers.ts";
import { Screen } from "../device/screen.ts";
import { expectedGrants } from "../infra/expected-grants.ts";
import { callsIn, documents, inCode, isKnown, shownLines, tableOf, textOf } from "./document-examples.ts";
import { root } from "./source-tree.ts";

const io = {
  ...{ stdout: new Screen(), stderr: new Screen(), isTTY: false, color: false },
  signal: new AbortController().signal,
};
const context = { io, environment: readEnvironment({}), workingFolder: "/", ...systemTimeAndIds };
/** Rooms that lie in another have a row of their own. */
const rooms = new Set(tableOf("docs/architecture.md", "room |").flatMap(([room]) => inCode(room)));
const program = buildProgram(context, "1.2.3", () => undefined);

test.each(documents)("every command that %s shows is one, with the options it is shown with", (document) => {
  expect(callsIn(textOf(document)).filter((call) => !isKnown(program, call))).toEqual([]);
});

test("the reader of commands finds them, and what is wrong with one", () => {
  const example = "npx scouts frob x   # scouts it\npass | scouts add imap --tsl none";
  const calls = callsIn(`\`scouts up --once\`\n\`\`\`sh\n${example}\n\`\`\`\nscouts go on`);
  expect(calls).toEqual(["frob x", "add imap --tsl none", "up --once"]);
  expect(calls.filter((call) => !isKnown(program, call))).toEqual(["frob x", "add imap --tsl none"]);
});

test("every variable that an example names is one that a document says how to come by", () => {
  const lines = documents.flatMap((document) => shownLines(textOf(document), ["sh"]));
  const found = (what: RegExp) => new Set(lines.flatMap((line) => [...line.matchAll(what)].map(([, name]) => name)));
  const set = found(/(?:^|[\s;])([A-Za-z_]+)=/g);
  const named = found(/\$\{?([A-Za-z_]+)/g);
  expect(named.size).toBeGreaterThan(5);
  // A bearer token of the person's own issuer.
  expect([...named].filter((name) => !set.has(name) && name !== "TOKEN")).toEqual([]);
});

test("docs/device.md has every command, in the row of its group", () => {
  const rows = tableOf("docs/device.md", "command | |").map(([commands, says]) => ({
    groups: inCode(commands).map((word) => word.replace(/^scouts /, "").split(" ")[0]),
    words: inCode(`${commands} ${says}`).flatMap((word) => word.split(/[ |]/)),
  }));
  const missing = program.commands.flatMap((group) => {
    const words = rows.filter(({ groups }) => groups.includes(group.name())).flatMap((row) => row.words);
    return [group, ...group.commands].map((each) => each.name()).filter((name) => !words.includes(name));
  });
  expect(missing).toEqual([]);
});

test("docs/architecture.md has every folder of each room", () => {
  const missing = tableOf("docs/architecture.md", "room |").flatMap(([room = "", folders]) => {
    const [folder = ""] = inCode(room);
    const named = new Set(inCode(folders).flatMap((word) => [word, `${folder}${word}`]));
    return globSync(`${folder}*/`, { cwd: root })
      .map((found) => `${found.split(path.sep).join("/")}/`)
      .filter((found) => !named.has(found.slice(folder.length)) && !rooms.has(found));
  });
  expect(missing).toEqual([]);
});

test("docs/device.md has every table of the device's database, and no other", () => {
  const schema = textOf("device/store/whole-schema.sql");
  const made = [...schema.matchAll(/^CREATE TABLE "?(\w+)/gm)].map(([, name = ""]) => name);
  expect(made.length).toBeGreaterThan(15);
  const named = tableOf("docs/device.md", "table | holds").flatMap(([cell]) => inCode(cell));
  expect(named.sort()).toEqual(made.sort());
});

/** The settings infra/settings.ts reads: name, and what it takes where none is given; undefined where it refuses. */
function settingsRead(): { name: string; unset: string | undefined }[] {
  const read = /(?:read\.(\w+)|ofGoogle)\(\s*"([A-Z_]+)"(?:,\s*\[?("[^"]*"|[\d_]+|off))?/g;
  return [...textOf("infra/settings.ts").matchAll(read)].map(([, kind, name = "", given]) => {
    if (kind === "urlOrOff" || given === "off") return { name, unset: "off" };
    return { name, unset: kind === "host" ? "" : given?.replaceAll(/["_]/g, "") };
  });
}

test("docs/deploy.md has every setting of a deployment, with what it is when it is not set", () => {
  const rows = tableOf("docs/deploy.md", "variable |").map(([names, , unset = ""]) => ({
    names: inCode(names),
    unset,
  }));
  const settings = settingsRead();
  expect(rows.flatMap(({ names }) => names).sort()).toEqual(settings.map(({ name }) => name).sort());
  const wrong = settings.filter(({ name, unset }) => {
    const said = rows.find(({ names }) => names.includes(name))?.unset ?? "";
    if (unset === undefined) return said !== "**refused**";
    // An empty one has words there.
    if (unset === "") return inCode(said).length > 0;
    return !inCode(said).includes(unset) && !(/google/.test(unset) && said === "Google's own");
  });
  expect(wrong).toEqual([]);
});

test("docs/deploy.md says what a deployment prints", () => {
  const [, printed = ""] = /# prints: +(.*(?:\n# .*)*)/.exec(textOf("docs/deploy.md")) ?? [];
  const [, returned = ""] = /return (\{\s*api:[\s\S]*?\});/.exec(textOf("sst.config.ts")) ?? [];
  const keys = (text: string) => [...text.matchAll(/\b([a-zA-Z]+): /g)].map(([, key]) => key).sort();
  expect(keys(returned).length).toBeGreaterThan(3);
  expect(keys(printed)).toEqual(keys(returned));
});

test("docs/operate.md has what each tier may use", () => {
  const shown = (limit: number | undefined) => limit?.toLocaleString("en") ?? "no limit";
  const rows = tierName.options.map((name) => [`\`${name}\``, ...Object.values(tiers[name]).map(shown)]);
  expect(tableOf("docs/operate.md", "tier |")).toEqual(rows);
});

test.each([
  ["vault ring", "VaultKeyRing"],
  ["session ring", "SessionKeyRing"],
])("docs/threat-model.md names every function that opens the %s, and no other", (key, ring) => {
  const may = Object.entries(expectedGrants).flatMap(([handler, grants]) =>
    grants.includes(`kms:Decrypt on ${ring}`) ? [handler.replace(/^functions\/|\.handler$/g, "")] : [],
  );
  expect(may.length).toBeGreaterThan(2);
  const [, , named] = tableOf("docs/threat-model.md", "key | opens").find(([name]) => name === key) ?? [];
  expect(inCode(named).sort()).toEqual(may.sort());
});

test("every code that a table of the documents explains is one of the product's", () => {
  const files = globSync("{device,events,functions,shared}/**/*.ts", { cwd: root });
  const product = new Set(files.flatMap((file) => textOf(file).match(/\w+/g) ?? []));
  const tables = documents.flatMap((document) =>
    [...textOf(document).matchAll(/^\| code(?: in a log)? \|.*\n((?:\|.*\n)+)/gm)].map(([, rows = ""]) => rows),
  );
  const codes = tables.flatMap((rows) => rows.split("\n").flatMap((row) => inCode(row.split(" | ")[0])));
  const whole = codes.flatMap((code) => code.split(/[: ]+/)).filter((code) => /^[a-z]+(_[a-z]+)+$/.test(code));
  expect(whole.length).toBeGreaterThan(30);
  expect(whole.filter((code) => !product.has(code))).toEqual([]);
});
