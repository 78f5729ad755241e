import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ArtifactToolInput } from "../../../events/agent-tools/artifact-tools.ts";
import { contextBlock } from "../description/context.ts";
import { ArtifactError } from "../errors.ts";
import { parseExactJson } from "../exact-json.ts";
import type { FileMetadata } from "../metadata.ts";
import type { CsvDialect } from "../sniff/csv-dialect.ts";
import { maxQueriedBytes } from "../thresholds.ts";
import type { ArtifactSession, ArtifactToolAnswer } from "./artifact-session.ts";
import type { QueryAnswer, QueryTask } from "./query/query-task.ts";
import { usable } from "./usable.ts";

const queryTimeoutMs = 10_000;
const maxHeapMb = 768;
/** An answer this long is cut before it is stored. */
const maxAnswerChars = 32 * 1024 * 1024;

const plainDialect: CsvDialect = { delimiter: ",", quote: '"', hasHeader: true };

/**
 * The answer to a JMESPath query about a JSON, JSON Lines or CSV artifact, as JSON. An answer of more than `maxChars`
 * becomes an artifact of its own, and the session is given what describes it. A query may take 10 seconds.
 *
 * @throws ArtifactError `not_queryable`, `too_large` (the artifact, or an answer of more than 32 Mi characters),
 * `query_invalid`, `query_overdue`, `query_too_large` (it ran out of memory), `cancelled`, `not_found`, `corrupt`,
 * `store_unavailable`
 */
export async function artifactQuery(
  session: ArtifactSession,
  { id, query, maxChars }: ArtifactToolInput<"artifact_query">,
): Promise<ArtifactToolAnswer> {
  const { metadata, json, badLines } = await queryArtifact(session, id, query);
  const notes = badLines > 0 ? { notes: [`${badLines} lines are no JSON and were left out.`] } : {};
  if (json.length <= maxChars) return { facts: { id, chars: json.length, ...notes }, text: json };
  return storedAnswer(session, metadata, query, json, notes);
}

/** The whole answer to a query, as JSON. @throws ArtifactError `not_queryable`, `too_large`, `query_*`, and as `usable` */
export async function queryArtifact(
  session: ArtifactSession,
  id: string,
  query: string,
): Promise<{ metadata: FileMetadata; json: string; badLines: number }> {
  const { metadata } = await usable(session, id);
  const { stats, sizeBytes, encoding } = metadata;
  if (stats.kind !== "json" && stats.kind !== "jsonl" && stats.kind !== "csv") throw new ArtifactError("not_queryable");
  if (sizeBytes > maxQueriedBytes) {
    throw new ArtifactError("too_large", {
      detail: `Queries take up to ${maxQueriedBytes} bytes.`,
      recovery: "Use artifact_grep, or artifact_read a part.",
    });
  }
  session.artifacts.usage.add("queries");
  const bytes = await session.artifacts.read(id);
  const content =
    encoding === undefined || encoding === "utf-8" ? bytes : Buffer.from(new TextDecoder(encoding).decode(bytes));
  const dialect = stats.kind === "csv" ? stats : plainDialect;
  return { metadata, ...(await runQuery({ content, kind: stats.kind, query, dialect }, session.signal)) };
}

/** The answer becomes an artifact of its own. */
async function storedAnswer(
  session: ArtifactSession,
  { id, origin }: FileMetadata,
  query: string,
  json: string,
  notes: object,
): Promise<ArtifactToolAnswer> {
  if (json.length > maxAnswerChars) {
    throw new ArtifactError("too_large", {
      detail: `The answer has ${json.length} characters.`,
      recovery: "Ask for less: filter, or slice.",
    });
  }
  const answer = await session.artifacts.keep(parseExactJson(json), {
    threadId: session.threadId,
    taskId: session.taskId,
    toolCallId: session.newCallId(),
    tool: "artifact_query",
    readOnly: true,
    arguments: { id, query },
    ...(origin.projectRoot !== undefined && { projectRoot: origin.projectRoot }),
    ...(origin.projectId !== undefined && { projectId: origin.projectId }),
    ...(origin.files !== undefined && { files: origin.files }),
    derivedFrom: id,
  });
  if (answer.kind === "direct")
    return { facts: { id, isCut: true, notes: answer.notices ?? [] }, text: String(answer.result) };
  return {
    facts: { id, storedAs: answer.metadata.id, chars: json.length, ...notes },
    text: contextBlock(answer.metadata, session.artifacts.templates),
  };
}

const program = fileURLToPath(new URL("./query/query-process.ts", import.meta.url));

/**
 * Runs a query in a process of its own, which is killed when it takes too long. A thread would not do: one that runs out
 * of memory can take the whole process with it, whatever its resource limits say.
 * @throws ArtifactError `query_*`, `not_queryable`, `cancelled`
 */
export async function runQuery(
  task: Omit<QueryTask, "timeLimitMs">,
  signal?: AbortSignal,
  limits: { timeoutMs?: number; maxHeapMb?: number } = {},
): Promise<Extract<QueryAnswer, { ok: true }>> {
  if (signal?.aborted) throw new ArtifactError("cancelled");
  const timeLimitMs = limits.timeoutMs ?? queryTimeoutMs;
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${limits.maxHeapMb ?? maxHeapMb}`],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const done = Promise.withResolvers<QueryAnswer>();
  const timer = setTimeout(() => done.reject(new ArtifactError("query_overdue")), timeLimitMs);
  const onAbort = () => done.reject(new ArtifactError("cancelled"));
  signal?.addEventListener("abort", onAbort, { once: true });
  child.once("message", (answer: QueryAnswer) => done.resolve(answer));
  child.on("error", (cause) => done.reject(new ArtifactError("internal", { cause })));
  child.once("exit", () => done.reject(new ArtifactError("query_too_large")));
  try {
    child.send({ ...task, timeLimitMs: 2 * timeLimitMs } satisfies QueryTask);
    const answer = await done.promise;
    if (answer.ok) return answer;
    throw new ArtifactError(answer.reason === "unreadable" ? "not_queryable" : "query_invalid", {
      detail: answer.detail,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    child.kill("SIGKILL");
  }
}
