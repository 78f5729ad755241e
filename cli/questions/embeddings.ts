import type { Command } from "commander";
import { DeviceError } from "../../device/errors.ts";
import type { EmbeddingState } from "../../device/knowledge/embedding/embedding-state.ts";
import { isScoutsError } from "../../events/errors.ts";
import { type CliContext, type CommonOptions, withCommonOptions, withStore } from "../context.ts";
import { counted } from "../output/counted.ts";
import { facts } from "../output/facts.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { createProgress, type Progress } from "../output/progress.ts";
import { table } from "../output/table.ts";
import { standingForGroup } from "../ref-command.ts";

interface SetFlags extends CommonOptions {
  readonly url: string;
  readonly keyEnv?: string;
  readonly questionPrefix: string;
  readonly passagePrefix: string;
}

/** A model on the person's own machine may have to be loaded first. */
const probeTimeoutMs = 60_000;
const figures = new Intl.NumberFormat("en");

/** `scouts embeddings`: the embedding model of this device, by which searches find what means the same in other words. */
export function addEmbeddings(program: Command, context: CliContext): void {
  const embeddings = program
    .command("embeddings")
    .summary("the embedding model by which searches also find other words")
    .description(
      "An embedding model has searches find what means the same in other words. Without one, words are found. The texts " +
        "of your linked folders, as far as language models may see them, and what you search for are sent to it.",
    );

  const show = embeddings.command("show", { isDefault: true }).description("what is set, and how far your folders are");
  withCommonOptions(standingForGroup(show)).action((flags: CommonOptions) =>
    withStore(context, flags, async (store, output) => {
      const { embeddingState } = await import("../../device/knowledge/embedding/embedding-state.ts");
      const state = await embeddingState(store, context.now());
      if (flags.json) output.json(state);
      else showState(output, state);
    }),
  );

  const set = embeddings
    .command("set")
    .description("use a model at a server that speaks OpenAI's /v1/embeddings; it is asked once before it is kept")
    .argument("<model>", "its name there, such as nomic-embed-text or text-embedding-3-small")
    .requiredOption("--url <url>", "what stands before /embeddings there, such as http://127.0.0.1:11434/v1")
    .option("--key-env <variable>", "the environment variable that holds the key; it is kept on this device")
    .option("--question-prefix <text>", "what the model wants before a question, such as 'search_query: '", "")
    .option("--passage-prefix <text>", "and before a passage, such as 'search_document: '", "");
  withCommonOptions(set).action((model: string, flags: SetFlags) => setModel(context, model, flags));

  const run = embeddings
    .command("run")
    .description("give the model now what it has not had; `scouts up` does so by itself");
  withCommonOptions(run).action((flags: CommonOptions) => embedNow(context, flags));

  const off = embeddings.command("off").description("find words alone again, and forget what the model made");
  withCommonOptions(off).action((flags: CommonOptions) =>
    withStore(context, flags, async (store, output) => {
      const { turnOffEmbedding } = await import("../../device/knowledge/embedding/embedding-state.ts");
      await turnOffEmbedding(store);
      if (flags.json) output.json({ model: null });
      else output.line("No embedding model is used any more; searches find words.");
    }),
  );
}

async function setModel(context: CliContext, model: string, flags: SetFlags): Promise<void> {
  await withStore(context, flags, async (store, output) => {
    const [
      { probeEmbedding },
      { checkedSetting, writeEmbeddingSetting },
      { findVectorExtension },
      { EmbeddingFailure },
    ] = await Promise.all([
      import("../../device/knowledge/embedding/embedding-state.ts"),
      import("../../device/knowledge/embedding/embedding-setting.ts"),
      import("../../device/knowledge/vectors/vector-extension.ts"),
      import("../../device/knowledge/embedding/embedding-failure.ts"),
    ]);
    const { url, questionPrefix, passagePrefix } = flags;
    const setting = checkedSetting({ baseUrl: url, model, key: keyOf(context, flags), questionPrefix, passagePrefix });
    const extension = await findVectorExtension();
    if ("missing" in extension) {
      throw new DeviceError("value_invalid", {
        sentence: `Vectors cannot be searched here: sqlite-vec does not load (${extension.missing}). Run \`npm install\` in the checkout, on a machine it is made for.`,
      });
    }
    const found = await probeEmbedding(setting, probeTimeoutMs);
    if (typeof found !== "number") throw new EmbeddingFailure(found);
    writeEmbeddingSetting(store.dataFolder, setting);
    if (flags.json) return output.json({ model, baseUrl: url, dimension: found });
    output.line(printable(`${model} answers with vectors of ${found} numbers, and is used from now on.`));
    output.line("Your folders are given to it by `scouts up`, or now by: scouts embeddings run");
  });
}

function keyOf({ secrets }: CliContext, { keyEnv }: SetFlags): string | null {
  if (keyEnv === undefined) return null;
  const key = secrets?.variable(keyEnv);
  if (key !== undefined && key !== "") return key;
  throw new DeviceError("usage", {
    sentence: `There is no key in the environment variable ${keyEnv}; set it, or name the one that has it: --key-env.`,
  });
}

async function embedNow(context: CliContext, flags: CommonOptions): Promise<void> {
  await withStore(context, flags, async (store, output) => {
    const [{ readEmbeddingSetting }, { openEmbeddingModel }, { embedFolders }, { systemPorts }, { EmbeddingFailure }] =
      await Promise.all([
        import("../../device/knowledge/embedding/embedding-setting.ts"),
        import("../../device/knowledge/embedding/open-model.ts"),
        import("../../device/knowledge/embedding/embed-folders.ts"),
        import("../../device/connection/ports.ts"),
        import("../../device/knowledge/embedding/embedding-failure.ts"),
      ]);
    const setting = readEmbeddingSetting(store.dataFolder);
    if (setting === undefined) {
      throw new DeviceError("usage", { sentence: "No embedding model is set; see: scouts embeddings set --help" });
    }
    const { io } = context;
    const bars = new Map<string, Progress>();
    const done = await embedFolders({
      store,
      setting,
      model: await openEmbeddingModel(setting),
      clock: systemPorts.clock,
      signal: io.signal,
      onProgress({ project, ...progress }) {
        if (flags.json && !io.isTTY) return;
        const { stderr: stream, isTTY, color } = io;
        const label = printable(project);
        const bar = bars.get(project) ?? createProgress({ stream, isTTY, color, label, now: () => performance.now() });
        bars.set(project, bar);
        bar.update(progress);
      },
    }).finally(() => {
      for (const bar of bars.values()) bar.finish();
    });
    if (done === undefined) {
      throw new DeviceError("store_busy", {
        sentence: "Another program of this data folder is doing so already; see: scouts embeddings",
      });
    }
    if (flags.json) {
      output.json(
        done.map(({ project: { name }, problem, ...told }) => ({
          project: name,
          ...told,
          problem: problem?.code ?? null,
        })),
      );
    } else {
      for (const { project, embedded, left, tokens } of done) {
        const more = left > 0 ? `, ${figures.format(left)} left for later` : "";
        output.line(
          printable(`${project.name}: ${counted(embedded, "passage")} embedded for ${counted(tokens, "token")}${more}`),
        );
      }
    }
    const problem = done.find((each) => each.problem !== undefined)?.problem;
    if (problem !== undefined) throw isScoutsError(problem) ? new EmbeddingFailure(problem) : problem;
  });
}

function showState(output: Output, { model, baseUrl, extensionMissing, folders }: EmbeddingState): void {
  if (model === null || baseUrl === null) {
    output.line("No embedding model is set: searches find words. See: scouts embeddings set --help");
    return;
  }
  facts(output, [
    ["model", model],
    ["at", baseUrl],
    ...(extensionMissing === null ? [] : [["sqlite-vec", `does not load: ${extensionMissing}`] as const]),
  ]);
  if (folders.length === 0) return;
  output.line();
  table(output, folders, [
    { title: "PROJECT", cell: ({ project }) => project, fills: true },
    { title: "PASSAGES", cell: ({ passages }) => figures.format(passages) },
    {
      title: "EMBEDDED",
      cell: ({ embedded, passages }) => `${figures.format(embedded)} (${shareOf(embedded, passages)})`,
    },
    { title: "TOKENS THIS MONTH", cell: ({ tokens }) => figures.format(tokens) },
  ]);
}

/** Whole percents, and 100 for all of them only. */
const shareOf = (part: number, whole: number): string => `${whole === 0 ? 100 : Math.floor((part / whole) * 100)}%`;
