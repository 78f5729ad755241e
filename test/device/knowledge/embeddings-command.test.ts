import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { checkEmbeddings } from "../../../device/doctor/embedding-checks.ts";
import { newId } from "../../memory/chance.ts";
import { settledNow } from "../scanner/setting.ts";
import { Screen } from "../screen.ts";
import { vectorsIn } from "./embedded.ts";
import { embeddingServer, refusal } from "./embedding-server.ts";
import { type IndexedFolder, indexedFolder } from "./setting.ts";

const key = "a key of letters";
const settingOf = ({ store }: IndexedFolder) => join(store.dataFolder, "device", "embedding-model.json");

function commandsOn({ store }: IndexedFolder) {
  return async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const secrets = { stdin: Readable.from([]), variable: (name: string) => (name === "MY_KEY" ? key : undefined) };
    const context = { io, environment: {}, workingFolder: store.dataFolder, now: settledNow, newId, secrets };
    const code = await runCommand([...words, "--data", store.dataFolder], context, "1");
    return { code, stdout: stdout.written, stderr: stderr.written };
  };
}

test("15: an embedding model is set, run, shown, examined and taken away by commands; its key is the owner's alone", async () => {
  const server = await embeddingServer(key);
  const folder = indexedFolder({
    "travel.md": "The automobile stands behind the station.",
    "b.md": "The salary comes.",
  });
  await folder.index();
  const scouts = commandsOn(folder);
  expect((await scouts("embeddings")).stdout).toContain("No embedding model is set");
  expect(await checkEmbeddings(folder.store.dataFolder, { now: settledNow, newId })).toEqual([]);

  const url = ["--url", server.url];
  const set = await scouts("embeddings", "set", "words-1", ...url, "--key-env", "MY_KEY");
  expect(set).toMatchObject({ code: 0, stderr: "" });
  expect(set.stdout).toContain("words-1 answers with vectors of 64 numbers");
  expect(set.stdout).not.toContain(key);
  expect(statSync(settingOf(folder)).mode & 0o777).toBe(0o600);

  const run = await scouts("embeddings", "run");
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain("garden: 4 passages embedded for 40 tokens");
  const shown = await scouts("embeddings");
  expect(shown.stdout).toMatch(/garden +4 +4 \(100%\) +40/);
  expect(shown.stdout).not.toContain(key);
  const found = await scouts("search", "car");
  expect(found.stdout).toContain("Nothing has all of these words; these are the nearest:");
  expect(found.stdout).toContain("travel.md");
  expect(await checkEmbeddings(folder.store.dataFolder, { now: settledNow, newId })).toMatchObject([
    { state: "ok", code: "embeddings_ok", values: { embedded: 4, passages: 4 } },
  ]);

  server.fault = () => refusal(401, "Incorrect API key provided.");
  expect(await checkEmbeddings(folder.store.dataFolder, { now: settledNow, newId })).toMatchObject([
    { state: "fail", code: "embeddings_failed", why: { code: "model_forbidden" } },
  ]);
  expect(await scouts("embeddings", "off")).toMatchObject({ code: 0 });
  expect(existsSync(settingOf(folder))).toBe(false);
  expect(vectorsIn(folder).vectors).toEqual([]);
  expect((await scouts("search", "car")).stdout).toContain("Nothing found");
});

test("15: a model that does not answer, an address that is none and a key that is not there are not kept", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder({ "b.md": "The salary comes." });
  await folder.index();
  const scouts = commandsOn(folder);
  server.fault = () => refusal(404, "The model `words-1` does not exist");
  const unknown = await scouts("embeddings", "set", "words-1", "--url", server.url);
  expect(unknown.stderr).toContain("(model_unknown)");
  const nowhere = await scouts("embeddings", "set", "words-1", "--url", "ftp://example.org");
  expect(nowhere.stderr).toContain("(value_invalid)");
  const keyless = await scouts("embeddings", "set", "words-1", "--url", server.url, "--key-env", "NO_KEY");
  expect(keyless.stderr).toContain("There is no key in the environment variable NO_KEY; set it,");
  expect((await scouts("embeddings", "run")).stderr).toContain("No embedding model is set");
  expect([unknown, nowhere, keyless].every(({ code }) => code !== 0)).toBe(true);
  expect(existsSync(settingOf(folder))).toBe(false);
});

test("15: a setting that cannot be read stops no search, and says how it is mended", async () => {
  const folder = indexedFolder({ "b.md": "The salary comes." });
  await folder.index();
  writeFileSync(settingOf(folder), "{ no setting");
  const { hits, notes } = await folder.find("salary");
  expect(hits).toHaveLength(1);
  expect(notes.join()).toContain("scouts embeddings set");
  expect(await checkEmbeddings(folder.store.dataFolder, { now: settledNow, newId })).toMatchObject([
    { state: "fail", code: "embeddings_unreadable" },
  ]);
  const scouts = commandsOn(folder);
  expect(await scouts("embeddings", "off")).toMatchObject({ code: 0 });
  expect((await folder.find("salary")).notes).toEqual([]);
});

test.each([
  [401, "Incorrect API key provided.", "model_forbidden", "--key-env"],
  [404, "The model `words-1` does not exist", "model_unknown", "--url"],
  [429, "Slow down.", "model_rate_limited", "run the same command again"],
  [500, "Something is broken.", "model_unavailable", "run the same command again"],
])(
  "nothing silent: an embedding model that answers %i is told with what mends it there, not at the other model",
  async (status, words, code, cure) => {
    const server = await embeddingServer();
    const folder = indexedFolder({ "b.md": "The salary comes." });
    await folder.index();
    const scouts = commandsOn(folder);
    const set = ["embeddings", "set", "words-1", "--url", server.url];
    await scouts(...set);
    server.fault = () => refusal(status, words);
    // A server that may answer in a while is waited for by what embeds, half a minute.
    for (const command of status < 429 ? [set, ["embeddings", "run"]] : [set]) {
      const { stderr } = await scouts(...command);
      expect(stderr).toContain(`(${code})`);
      expect(stderr).toContain(cure);
      expect(stderr).not.toMatch(/OPENAI_|doctor|question has to/);
    }
  },
);
