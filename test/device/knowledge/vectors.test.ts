import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { unlinkFolder } from "../../../device/folders/indexer/unlink-folder.ts";
import { embeddingState, turnOffEmbedding } from "../../../device/knowledge/embedding/embedding-state.ts";
import { openEmbeddingModel } from "../../../device/knowledge/embedding/open-model.ts";
import { keepIndexesCurrent } from "../../../device/knowledge/keep-current.ts";
import { search } from "../../../device/knowledge/search/search.ts";
import { json } from "../../../infra/standins/loopback-server.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { circumstances, quick } from "../../rounds.ts";
import { ManualClock } from "../manual-clock.ts";
import { embedded, hurriedClock, useModel, vectorsIn } from "./embedded.ts";
import { type EmbeddingFault, embeddingServer, listOf, refusal, vectorOf } from "./embedding-server.ts";
import { filler, indexedFolder } from "./setting.ts";

const tree = () => ({
  "travel.md": `# Driving\n\nThe automobile stands behind the station.\n\n${filler(50)}\n`,
  "health.md": `# Appointment\n\nThe physician sees nobody on Fridays.\n\n${filler(50, 3)}\n`,
  "pay.md": `# Work\n\nThe salary comes on the last day.\n\n${filler(50, 5)}\n`,
});

test("15: what means the same in other words is found, and says that no word was; exact words come first all the same", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(tree());
  await folder.index();
  expect(await folder.paths("car")).toEqual([]);

  const update = await embedded(folder, useModel(folder, server));
  expect(update).toMatchObject({ left: 0 });
  expect(update?.problem).toBeUndefined();
  const { hits, hasAll, notes } = await folder.find("car");
  expect(notes).toEqual([]);
  expect(hits[0]).toMatchObject({ path: "travel.md", hasAll: false });
  expect(hits[0]?.passages[0]?.text).toContain("The automobile stands");
  expect(hasAll).toBe(false);
  expect(await folder.paths("surgeon")).toEqual(["health.md"]);
  expect((await folder.paths("automobile"))[0]).toBe("travel.md");
  expect((await folder.find("physician")).hasAll).toBe(true);
});

test("15: without a model nothing changes: the same answers byte for byte, after one was set and taken away too", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(tree());
  await folder.index();
  const at = { store: folder.store, now: () => 1_795_000_000_000 };
  const questions = ["car", "physician fridays", '"the last day"', "station -salary", "kind:md work"];
  // One after the other: of several at once one may find the index of work kept by another, and says so.
  const answers = async () => {
    const found: unknown[] = [];
    for (const text of questions) found.push(await search({ text, limit: 10 }, at));
    return JSON.stringify(found);
  };
  const before = await answers();
  const asked = server.requests();
  await embedded(folder, useModel(folder, server));
  expect(await answers()).not.toBe(before);
  await turnOffEmbedding(folder.store);
  const answered = server.requests();
  expect(await answers()).toBe(before);
  expect([asked, server.requests()]).toEqual([0, answered]);
  expect(vectorsIn(folder)).toMatchObject({ vectors: [], madeWith: undefined });
});

test.skipIf(quick)("15: phrases, words that are not wanted and kinds narrow what is found by meaning too", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(tree());
  await folder.index();
  await embedded(folder, useModel(folder, server));
  expect(await folder.paths("car -station")).not.toContain("travel.md");
  expect(await folder.paths("car -Fridays")).toEqual(["travel.md"]);
  expect(await folder.paths('car "nobody on Fridays"')).not.toContain("travel.md");
  expect(await folder.paths('car "behind the station"')).toEqual(["travel.md"]);
  expect(await folder.paths('car "behind the harbour"')).toEqual([]);
  expect(await folder.paths("car kind:pdf")).toEqual([]);
});

test("15: what is sent is what the index has: no credentials, nothing that is withheld now", async () => {
  const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const server = await embeddingServer();
  const folder = indexedFolder({
    ...tree(),
    "keys.md": `The walrus token is ${token} and no other.`,
    "secret/a.md": "hidden harbour",
  });
  await folder.index();
  folder.write(".scouts.json", JSON.stringify({ read: { deny: ["secret/"] } }));
  await embedded(folder, useModel(folder, server));
  const sent = server.texts.join("\n");
  expect(sent).toContain("The walrus token is");
  expect(sent).not.toContain(token);
  expect(sent).not.toContain("hidden");
  expect(sent).not.toContain("secret/");
});

test.each(circumstances(["deny", "delete", "unlink"] as const))(
  "15: of a file somebody decides to %s no vector is left in database and log",
  async (how) => {
    const server = await embeddingServer();
    const folder = indexedFolder({ ...tree(), "secret/a.md": `${filler(300)} quagmirezebra ${filler(300, 2)}` });
    await folder.index();
    await embedded(folder, useModel(folder, server));
    const { vectors, passages } = vectorsIn(folder);
    expect(vectors).toHaveLength(passages);
    const own = vectors.filter((vector) => vector !== null && folder.bytes().includes(vector));
    expect(own).toHaveLength(passages);

    if (how === "deny") {
      const clock = new ManualClock(1_793_000_000_000);
      const problems: Error[] = [];
      const keeper = keepIndexesCurrent({ store: folder.store, clock, onProblem: (error) => problems.push(error) });
      onTestFinished(() => keeper.close());
      keeper.start();
      await keeper.whenIdle();
      folder.write(".scouts.json", JSON.stringify({ read: { deny: ["secret/"] } }));
      clock.advance(20_000);
      await keeper.whenIdle();
      expect(problems).toEqual([]);
    }
    if (how === "delete") {
      rmSync(join(folder.root, "secret"), { recursive: true });
      await folder.index();
    }
    if (how === "unlink") unlinkFolder(folder.store, folder.project);
    const bytes = folder.bytes();
    const left = vectors.filter((vector) => vector !== null && bytes.includes(vector)).length;
    const kept = how === "unlink" ? 0 : vectorsIn(folder).passages;
    expect(kept).toBeLessThan(passages);
    expect(left).toBe(kept);
  },
);

test("15: a file that changed, or is withheld, while its vectors were on their way gets none of them", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(tree());
  await folder.index();
  const setting = useModel(folder, server);
  let changed: Promise<unknown> | undefined;
  server.fault = () => {
    if (changed === undefined) {
      folder.write("pay.md", "# Work\n\nNothing of it is true any more.\n");
      changed = folder.index();
    }
    return undefined;
  };
  // The index changes while the answer is waited for, and the thread that writes it is another.
  const update = await embedded(folder, setting);
  await changed;
  expect(update?.problem).toBeUndefined();
  server.fault = undefined;
  await embedded(folder, setting);
  const { vectors, passages } = vectorsIn(folder);
  expect(vectors).toHaveLength(passages);
  expect((await folder.find("wage")).hits.map(({ path }) => path)).not.toContain("pay.md");
});

test("15: model and length are part of the index: another model embeds all anew, and nothing of the old one is compared meanwhile", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(tree());
  await folder.index();
  await embedded(folder, useModel(folder, server));
  const { passages } = vectorsIn(folder);
  expect(vectorsIn(folder).madeWith).toEqual({ model: "words-1", dimension: 64 });

  const other = useModel(folder, server, { model: "words-2" });
  expect((await folder.find("car")).notes).toEqual([
    `Found by words alone: 0 of ${passages} passages of garden have been given to the embedding model so far; see: scouts embeddings`,
  ]);
  expect(await embedded(folder, other)).toMatchObject({ embedded: passages });
  expect(vectorsIn(folder).madeWith).toEqual({ model: "words-2", dimension: 64 });

  // The same name, another model behind it.
  server.dimension = 32;
  await embedded(folder, other);
  await embedded(folder, other);
  expect(vectorsIn(folder).madeWith).toEqual({ model: "words-2", dimension: 32 });
  expect(vectorsIn(folder).vectors.map((vector) => vector?.length)).toEqual(Array.from({ length: passages }, () => 32));
  expect((await folder.paths("vehicle"))[0]).toBe("travel.md");
});

test.skipIf(quick)(
  "15: a model that is set while another is being asked: what arrives of the old one is not kept",
  async () => {
    const server = await embeddingServer();
    const folder = indexedFolder(
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.md`, `number ${at} ${filler(40, at)}`])),
    );
    await folder.index();
    const setting = useModel(folder, server);
    server.fault = (_asked, request) => {
      if (request === 2) useModel(folder, server, { model: "words-2" });
      return undefined;
    };
    const first = await embedded(folder, setting);
    expect(first?.problem).toBeUndefined();
    expect(first?.embedded).toBe(16);
    expect(server.requests()).toBe(2);
    server.fault = undefined;
    const { passages } = vectorsIn(folder);
    expect(await embedded(folder, useModel(folder, server, { model: "words-2" }))).toMatchObject({
      embedded: passages,
    });
  },
);

test.skipIf(quick)(
  "15: a model that is gone half way loses a batch at most; what is there is not asked for again",
  async () => {
    const server = await embeddingServer();
    const folder = indexedFolder(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.md`, `number ${at} ${filler(40, at)}`])),
    );
    await folder.index();
    const setting = useModel(folder, server);
    server.fault = (_asked, request) => (request > 2 ? refusal(401, "Incorrect API key provided.") : undefined);
    const first = await embedded(folder, setting);
    expect(first).toMatchObject({ embedded: 32, problem: { code: "model_forbidden" } });
    const { passages } = vectorsIn(folder);
    const { notes, hits } = await folder.find("number 7");
    expect(hits.length).toBeGreaterThan(0);
    expect(notes.join()).toContain("Found by words alone: the embedding model cannot be used");

    server.fault = undefined;
    expect(await embedded(folder, setting)).toMatchObject({ embedded: passages - 32, left: 0 });
    expect(new Set(server.texts).size).toBe(server.texts.length);
    const { folders } = await embeddingState(folder.store, 1_793_000_000_000);
    expect(folders).toEqual([{ project: "garden", passages, embedded: passages, tokens: passages * 10 }]);
  },
);

test.skipIf(quick)(
  "15: a server that rate limits is waited for as long as it says; one that goes on so ends the pass, which goes on later",
  async () => {
    const server = await embeddingServer();
    const folder = indexedFolder(tree());
    await folder.index();
    const setting = useModel(folder, server);
    server.fault = (_texts, request) =>
      request === 1 ? refusal(429, "Rate limit reached", { "retry-after": "7" }) : undefined;
    const clock = hurriedClock();
    expect(await embedded(folder, setting, { clock })).toMatchObject({ left: 0 });
    expect(clock.waitedMs).toEqual([7_000]);

    folder.write("new.md", "a new one");
    await folder.index();
    server.fault = () => refusal(429, "Rate limit reached", { "retry-after": "600" });
    expect(await embedded(folder, setting)).toMatchObject({ problem: { code: "model_rate_limited" } });
    server.fault = undefined;
    expect(await embedded(folder, setting)).toMatchObject({ embedded: 2, left: 0 });
  },
);

const unusable = {
  "fewer vectors than asked": (asked: readonly string[]) =>
    json(200, listOf(asked.slice(1).map((text) => vectorOf(text, 64)))),
  "no list": () => json(200, { object: "list", data: "none" }),
  "numbers that are none": (asked: readonly string[]) => json(200, listOf(asked.map(() => [1, null, 2]))),
  "numbers without end": (asked: readonly string[]) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(listOf(asked.map(() => ["x"]))).replaceAll('"x"', "1e999"),
  }),
  "vectors of several lengths": (asked, request) =>
    json(200, listOf(asked.map((_, at) => Array.from({ length: 8 + at + request }, () => 1)))),
  zeros: (asked: readonly string[]) => json(200, listOf(asked.map(() => [0, 0, 0]))),
} satisfies Record<string, EmbeddingFault>;

test("15: an embedding server whose vectors cannot be used ends the pass with a code, and nothing of it is kept", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(tree());
  await folder.index();
  const setting = useModel(folder, server);
  for (const [what, fault] of Object.entries(unusable)) {
    server.fault = fault;
    const update = await embedded(folder, setting);
    expect(update?.problem, what).toMatchObject({ code: "model_answer_invalid" });
    expect(vectorsIn(folder).vectors.filter((vector) => vector !== null)).toEqual([]);
    expect(await folder.paths("physician")).toEqual(["health.md"]);
  }
});

const wrong: readonly (readonly [what: string, code: string, fault: EmbeddingFault])[] = [
  [
    "half an answer",
    "model_unavailable",
    (asked: readonly string[]) => ({ ...json(200, listOf(asked.map((text) => vectorOf(text, 64)))), truncated: true }),
  ],
  [
    "a web page",
    "model_not_an_api",
    () => ({ status: 200, headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" }),
  ],
  ["an error of its own", "model_unavailable", () => refusal(500, "json: unsupported value: NaN")],
  ["no such model", "model_unknown", () => refusal(404, "The model `words-1` does not exist")],
];

test.skipIf(quick)("15: what comes in place of vectors ends the pass with the code of what it is", async () => {
  const server = await embeddingServer();
  const folder = indexedFolder(tree());
  await folder.index();
  const setting = useModel(folder, server);
  for (const [what, code, fault] of wrong) {
    server.fault = fault;
    expect(await embedded(folder, setting), what).toMatchObject({ embedded: 0, problem: { code } });
    expect(await folder.paths("physician")).toEqual(["health.md"]);
  }
});

test.skipIf(quick)(
  "15: a passage that is too long for the model is given by its beginning; one it refuses is not asked about again",
  async () => {
    const server = await embeddingServer();
    const folder = indexedFolder({
      ...tree(),
      "long.md": `long ${"x".repeat(1_500)}`,
      "bad.md": "unspeakable harbour",
    });
    await folder.index();
    const setting = useModel(folder, server);
    server.fault = (asked) => {
      if (asked.some((text) => text.length > 1_200))
        return refusal(400, "This model's maximum context length is 256 tokens.");
      if (asked.some((text) => text.includes("unspeakable")))
        return refusal(400, "Your request was flagged by the content filter.");
      return undefined;
    };
    const update = await embedded(folder, setting);
    expect(update?.problem).toBeUndefined();
    const { vectors, passages } = vectorsIn(folder);
    expect(vectors).toHaveLength(passages);
    expect(vectors.filter((vector) => vector === null).length).toBeGreaterThan(0);
    const requests = server.requests();
    await embedded(folder, setting);
    // One, to see whether it is the same model still.
    expect(server.requests()).toBe(requests + 1);
  },
);

test.skipIf(quick)(
  "15: a model that hangs is given up after a time, and one that failed is not asked with the next letter again",
  async () => {
    const server = await embeddingServer();
    const folder = indexedFolder(tree());
    await folder.index();
    const setting = useModel(folder, server);
    await embedded(folder, setting);
    const answered = Promise.withResolvers<void>();
    onTestFinished(() => answered.resolve());
    server.fault = () => answered.promise.then(() => json(200, {}));
    const model = await openEmbeddingModel(setting);
    const hanging = model.embed({ texts: new Transient(["physician"]), timeoutMs: 50 });
    await expect(hanging).rejects.toMatchObject({ code: "model_timeout" });
    answered.resolve();

    server.fault = () => refusal(401, "Incorrect API key provided.");
    const first = await folder.find("physician");
    expect(first.hits.map(({ path }) => path)).toEqual(["health.md"]);
    expect(first.notes.join()).toContain("(model_forbidden)");
    const requests = server.requests();
    const second = await folder.find("salary");
    expect(second.notes).toEqual(["Found by words alone: the embedding model did not answer just now"]);
    expect(server.requests()).toBe(requests);
  },
);
