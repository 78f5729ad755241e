import { onTestFinished } from "vitest";
import * as z from "zod";
import { type HttpAnswer, json, serveLoopback } from "../../../infra/standins/loopback-server.ts";

/** What may be wrong with an answer, or with what comes in its place. */
export type EmbeddingFault = (
  asked: readonly string[],
  request: number,
) => HttpAnswer | undefined | Promise<HttpAnswer | undefined>;

export interface EmbeddingServer {
  /** As OpenAI's clients want it. */
  readonly url: string;
  /** Every text that was asked for, in order. */
  readonly texts: string[];
  readonly models: string[];
  /** Requests, refused ones included. */
  readonly requests: () => number;
  dimension: number;
  fault: EmbeddingFault | undefined;
  close(): Promise<void>;
}

const body = z.strictObject({
  model: z.string(),
  input: z.array(z.string().min(1)).min(1).max(2_048),
  encoding_format: z.literal("float").optional(),
});

/** Words of one meaning, for a model that knows a few. */
const meanings = [
  "car automobile vehicle",
  "doctor physician surgeon",
  "money salary wage",
  "garden allotment orchard",
];

/**
 * Speaks OpenAI's `POST /v1/embeddings` as its API reference has it. Its model counts words: each adds to a few numbers, words
 * of one meaning to the same ones.
 */
export async function embeddingServer(apiKey = "none"): Promise<EmbeddingServer> {
  const texts: string[] = [];
  const models: string[] = [];
  let requests = 0;
  const server = await serveLoopback(async (request) => {
    requests += 1;
    if (request.headers.authorization !== `Bearer ${apiKey}`) return refusal(401, "Incorrect API key provided.");
    if (request.method !== "POST" || request.url.pathname !== "/v1/embeddings") return refusal(404, "Invalid URL");
    const { input, model } = body.parse(JSON.parse(request.body.toString("utf8")));
    const faulty = await standIn.fault?.(input, requests);
    if (faulty !== undefined) return faulty;
    texts.push(...input);
    models.push(model);
    return json(200, listOf(input.map((text) => vectorOf(text, standIn.dimension))));
  });
  let isClosed = false;
  const standIn: EmbeddingServer = {
    url: `${server.url}/v1`,
    texts,
    models,
    requests: () => requests,
    dimension: 64,
    fault: undefined,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await server.close();
    },
  };
  onTestFinished(() => standIn.close());
  return standIn;
}

/** An answer as it should be, with these vectors. */
export const listOf = (vectors: readonly unknown[]): object => ({
  object: "list",
  data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
  model: "words-1",
  usage: { prompt_tokens: vectors.length * 10, total_tokens: vectors.length * 10 },
});

export const refusal = (status: number, message: string, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }),
});

export function vectorOf(text: string, dimension: number): number[] {
  const vector = Array.from({ length: dimension }, () => 0.001);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    const meaning = meanings.find((each) => each.split(" ").includes(word)) ?? word;
    let hash = 0x811c9dc5;
    for (const letter of meaning) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
    for (const place of [hash % dimension, (hash >>> 8) % dimension]) vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
