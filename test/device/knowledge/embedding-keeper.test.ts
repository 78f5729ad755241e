import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { keepEmbedded } from "../../../device/knowledge/embedding/keep-embedded.ts";
import { openIndexToRead } from "../../../device/knowledge/index/index-file.ts";
import { comparableWith } from "../../../device/knowledge/vectors/comparable.ts";
import { quick } from "../../rounds.ts";
import { ManualClock } from "../manual-clock.ts";
import { embedded, useModel, vectorsIn } from "./embedded.ts";
import { embeddingServer, refusal } from "./embedding-server.ts";
import { filler, type IndexedFolder, indexedFolder } from "./setting.ts";

const many = (files: number) =>
  Object.fromEntries(Array.from({ length: files }, (_, at) => [`${at}.md`, `number ${at} ${filler(40, at)}`]));

function keeperOf({ store }: IndexedFolder) {
  const clock = new ManualClock(1_793_000_000_000);
  const problems: Error[] = [];
  const keeper = keepEmbedded({ store, clock, onProblem: (error) => problems.push(error) });
  onTestFinished(() => keeper.close());
  const look = async (times = 1) => {
    for (let time = 0; time < times; time++) {
      clock.advance(20_000);
      await keeper.whenIdle();
    }
  };
  return { keeper, look, problems };
}

test("15: a program that stays embeds what is new by itself, once a model is set, and asks for nothing twice", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(many(3));
  await folder.index();
  const { keeper, look, problems } = keeperOf(folder);
  keeper.start();
  await keeper.whenIdle();
  expect(server.requests()).toBe(0);

  useModel(folder, server);
  await look();
  expect(vectorsIn(folder).vectors).toHaveLength(6);
  const asked = server.requests();
  await look();
  await look();
  expect(server.requests()).toBe(asked);

  folder.write("new.md", "something new");
  await folder.index();
  await look();
  expect(server.texts.at(-1)).toContain("something new");
  expect(vectorsIn(folder).vectors).toHaveLength(8);
  expect(new Set(server.texts).size).toBe(server.texts.length);
  expect(problems).toEqual([]);
});

test("15: a model that fails is told once, asked again after longer and longer, and gone on with when it answers", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(many(3));
  await folder.index();
  useModel(folder, server);
  server.fault = () => refusal(401, "Incorrect API key provided.");
  const { keeper, look, problems } = keeperOf(folder);
  keeper.start();
  await keeper.whenIdle();
  await look(2);
  expect(server.requests()).toBe(1);
  await look();
  expect(server.requests()).toBe(2);
  await look(3);
  expect(server.requests()).toBe(2);
  expect(problems).toMatchObject([{ code: "model_forbidden" }]);
  server.fault = undefined;
  await look(6);
  expect(vectorsIn(folder).vectors).toHaveLength(6);
  expect(problems).toHaveLength(1);
});

test.skipIf(quick)(
  "15: embedding that is killed (kill -9) goes on where it was; two programs do not do it at once",
  async () => {
    const server = await embeddingServer();
    const folder = indexedFolder(many(60));
    await folder.index();
    const setting = useModel(folder, server);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    onTestFinished(() => released.resolve());
    server.fault = async (_asked, request) => {
      if (request < 4) return undefined;
      reached.resolve();
      await released.promise;
      return undefined;
    };
    const script = new URL("./embed-child.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [script, folder.store.dataFolder], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const gone = once(child, "exit");
    await reached.promise;
    expect(await embedded(folder, setting)).toBeUndefined();
    child.kill("SIGKILL");
    await gone;
    released.resolve();
    server.fault = undefined;

    const { passages, vectors } = vectorsIn(folder);
    expect(vectors).toHaveLength(48);
    const update = await embedded(folder, setting);
    expect(update).toMatchObject({ embedded: passages - 48, left: 0 });
    expect(vectorsIn(folder).vectors).toHaveLength(passages);
  },
);

test("15: where SQLite's extension does not load, words are found, and the answer says why", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(many(3));
  await folder.index();
  await embedded(folder, useModel(folder, server));
  const connection = openIndexToRead(folder.indexFile, { allowExtension: true });
  onTestFinished(() => connection?.close());
  if (connection === undefined) throw new TypeError("There is no index");
  const meaning = { model: "words-1", vector: new Uint8Array(64), extension: "/no/such/extension.so" };
  expect(comparableWith(connection, meaning, "garden", 0)).toEqual({
    note: {
      code: "words_no_extension",
      text: "Found by words alone: sqlite-vec does not load here; see: scouts doctor",
      values: {},
    },
  });
});
