import { expect, test } from "vitest";
import { connectorFolders } from "../architecture/registry.ts";
import { code, type SourceFile } from "../architecture/source-tree.ts";

/** The files that may look into a Transient, and what each does with what it sees. */
const allowed: Record<string, string> = {
  "device/access/model-merge-proposer.ts": "the merged text a model proposes, to the tool that writes it on the device",
  "device/access/summaries/model-summarizer.ts": "the summary, to the device that asked for it",
  "shared/agents/step/advance.ts":
    "what a step starts from: which kind it is, results for the conversation, wrapped again",
  "shared/agents/step/ask-model.ts":
    "length of the prompt and its label; which calls the answer holds, whether it is empty",
  "shared/agents/step/commit-step.ts": "the prompt's label, whether the device is asked anything",
  "shared/agents/step/delta-writer.ts": "the answer while it is written, to the person's own device",
  "shared/agents/step/send-out.ts": "calls and answers, to the person's own device",
  "shared/devices/proposal-frame.ts": "a proposal frame, to the person's own device",
  "shared/devices/frames/hello.ts": "the session key, to the device it belongs to",
  "shared/devices/frames/item-parts.ts": "the full item, to the person's own device",
  "shared/scouts/items/read-dismissed.ts": "who wrote what was dismissed and about what, to the person who asks",
  "shared/folders/summarize/file-result.ts": "a file's path, summary and tag, to the person's own device",
  "shared/folders/summarize/summarize-file.ts":
    "the file, into the prompt, which is wrapped again; that its summary is not empty",
  "shared/llm/openai-embeddings.ts":
    "texts and questions, to the embedding model the person set; their length, when the server counts nothing",
  "shared/llm/openai-tool-model.ts":
    "length of the conversation and of the answer's calls, when the server counts nothing",
  "shared/llm/openai-model.ts": "length of the prompt, when the server counts nothing",
  "shared/llm/openai/request/chat-body.ts": "the prompt, to the language model",
  "shared/llm/openai/request/tool-body.ts": "the conversation, to the language model",
  "shared/privacy/session-sealer.ts": "the plaintext that is about to be sealed, the path a name is made of",
  "shared/privacy/ring-sealer.ts": "the plaintext that is about to be sealed",
  "shared/privacy/opaque.ts": "which source it is, into an HMAC",
  "functions/api/serve.ts": "which mailboxes a consent was about, in the answer to their owner",
  "shared/scouts/trial/try-items.ts":
    "the purpose that is tried, into the prompt, which is wrapped again; verdict, code and confidence of the answer",
  "shared/scouts/lifecycle/connect-by-settings.ts":
    "settings as they were given, to the connector and back into the seal",
  "shared/scouts/lifecycle/mute-sender.ts": "a sender's address, into an HMAC under a key that is sealed",
  "shared/scouts/lifecycle/what-it-sees.ts": "what a scout sees, in the answer to its owner",
  "shared/scouts/connectors/remote/answer-call.ts":
    "which source it is and the key of its refs, to the function that asked, in memory",
  "shared/scouts/connectors/remote/carried.ts": "items, to the function that asked for them, in memory",
  "shared/scouts/connectors/remote/remote-connector.ts":
    "settings nobody has kept yet, to the function that reaches the source with them",
  "shared/scouts/describe-scout.ts": "name and purpose, in the answer to their owner",
  "shared/scouts/triage/triage-prompt.ts": "the item, into the prompt, which is wrapped again",
  "shared/scouts/triage/triage.ts": "verdict, code and confidence of the model's answer; its words stay wrapped",
};

/** The definition itself. */
const definition = "shared/privacy/transient.ts";
const look = /\.reveal\b|\["reveal"\]|\breveal\s*[,}]/;

const looking = (files: readonly Pick<SourceFile, "path" | "text">[]) =>
  files.filter(({ path, text }) => path !== definition && look.test(text)).map(({ path }) => path);

/** What a connector reads is content, and what it shows its source are addresses and tokens: its contract suite watches it. */
const isConnectors = (path: string) => connectorFolders.some((folder) => path.startsWith(folder));

test("P1: content is looked into in the listed files only, each for its reason", () => {
  expect(looking(code).filter((path) => !(path in allowed) && !isConnectors(path))).toEqual([]);
});

test("P1: the list holds no file that has no need to be on it", () => {
  expect(Object.keys(allowed).filter((path) => !looking(code).includes(path))).toEqual([]);
});

test.each([
  "x.reveal()",
  "x?.reveal()",
  "x.map((y) => y.reveal())",
  'x["reveal"]()',
  "const { reveal } = x;",
  "x.reveal;",
])("P1: the check sees %s", (text) => {
  expect(looking([{ path: "shared/scouts/other.ts", text }])).toEqual(["shared/scouts/other.ts"]);
});
