import type { Alteration } from "../../e2e/altered-tree.ts";

interface Leak {
  readonly alteration: Alteration;
  readonly labels: readonly string[];
  readonly into: string;
  readonly inStores?: RegExp;
  readonly inFiles: RegExp;
}

/** One step past the seal each; everything around it is the product as it is. */
export const leaks: readonly Leak[] = [
  {
    labels: ["name of a file", "name of a waiting file", "name of an uploaded file"],
    into: "a line of a log, when a file is summarised",
    alteration: {
      file: "shared/folders/summarize/summarize-index.ts",
      call: "summarizeFile",
      before: 'ports.log.event("reading", { path: file.reveal().relPath });',
    },
    inFiles: /^logs\/SummarizeSubscriber\.log$/,
  },
  {
    labels: ["text of a file", "text of a waiting file"],
    into: "the body of a message, beside the sealed file",
    alteration: {
      file: "shared/folders/index/index-frame-handler.ts",
      property: "sealed",
      beside: "content: file.content",
    },
    inFiles: /^fauxqs\.db/,
  },
  {
    labels: ["summary of a file"],
    into: "a file's row, in base64",
    alteration: {
      file: "shared/folders/summarize/summarize-index.ts",
      within: "summarized",
      property: "sealed",
      beside: "model: btoa(summary.reveal().summary)",
    },
    inStores: /^table Sessions, model$/,
    inFiles: /^dynamodb\//,
  },
  {
    labels: ["calling question", "answering question", "waiting question"],
    into: "the body of a step's message",
    alteration: {
      file: "shared/agents/step/step-message.ts",
      within: "stepMessage",
      property: "sealed",
      beside: "content",
    },
    inFiles: /^fauxqs\.db/,
  },
  {
    labels: ["path in a tool call", "answer"],
    into: "an object, compressed",
    alteration: {
      file: "shared/agents/step/outbox.ts",
      call: "objects.put",
      before: `const { gzipSync } = await import("node:zlib");
  await objects.put(newObjectKey(userId, sealer.sessionId, newId), gzipSync(bytes.reveal()));`,
    },
    inStores: /^bucket Transit$/,
    inFiles: /^fauxqs\.db/,
  },
  {
    labels: ["tool result"],
    into: "a line of a log, with an error's data",
    alteration: {
      file: "shared/agents/step/advance.ts",
      within: "answerOf",
      property: "text",
      before: 'ports.log.error("odd", new Error(text), { text: text.slice(0, 100) });',
    },
    inFiles: /^logs\/AgentSubscriber\.log$/,
  },
];

/** The end of a session forgets what makes it one. */
export const keptKey: Alteration = {
  file: "shared/devices/session-store.ts",
  within: "#endRow",
  call: "this.#sessions.delete",
  instead: "",
};
