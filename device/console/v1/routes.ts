import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import * as z from "zod";
import { type ProjectId, projectId } from "../../../events/ids.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import { answerOf, refuse } from "./answers.ts";
import type { HttpCaller } from "./callers.ts";
import { type Precondition, preconditionOf } from "./precondition.ts";
import {
  argumentsIn,
  deleteRequest,
  patchRequest,
  rollbackRequest,
  type ToolRequest,
  writeRequest,
} from "./tool-requests.ts";
import type { FileCalls } from "./use-cases.ts";

export interface FileRouteParts {
  readonly use: FileCalls;
  /** Hears of what nobody expected in a stream, whose answer has begun. */
  readonly onProblem: (error: unknown) => void;
}

interface FileEnvironment extends ConsoleEnvironment {
  readonly Variables: { readonly caller: HttpCaller; readonly project: ProjectId };
}
type FileContext = Context<FileEnvironment>;

const versionBody = z.strictObject({ versionId: z.string() });

/** Every address of `/v1/files`, below `/v1`: a program's way to a project's files, through the tools that models have. */
export function fileRoutes(parts: FileRouteParts) {
  const { use } = parts;
  const read = (tool: ToolRequest["tool"]) => (c: FileContext) => {
    const args = { ...argumentsIn(c.req.queries()), path: pathIn(c) };
    return answered(c, parts, { tool, args });
  };
  const project = new Hono<FileEnvironment>()
    .get("/", (c) => answered(c, parts, { tool: "list_files", args: argumentsIn(c.req.queries()) }))
    .get("/events", (c) => events(c, parts))
    .post("/grep", async (c) => answered(c, parts, { tool: "grep_files", args: await jsonIn(c) }))
    .post("/search", async (c) => answered(c, parts, { tool: "search_content", args: await jsonIn(c) }))
    .post("/record", async (c) => answered(c, parts, { tool: "record_changes", args: await jsonIn(c) }))
    .get("/content/*", (c) => {
      const args = { ...argumentsIn(c.req.queries()), path: pathIn(c) };
      if ("startLine" in args) return answered(c, parts, { tool: "read_lines", args });
      return answered(c, parts, { tool: "read_file", args: { ...args, full: true } });
    })
    .put("/content/*", (c) =>
      changing(c, async (condition) => {
        if (!/^text\/plain\b/.test(c.req.header("content-type") ?? "")) return refuse(c, "unsupported_media_type");
        const text = await textIn(c);
        return text === undefined
          ? notText(c)
          : answered(c, parts, writeRequest(pathIn(c), text, condition), condition);
      }),
    )
    .patch("/content/*", (c) =>
      changing(c, async (condition) => {
        if (condition.kind !== "seen") return refuse(c, "precondition_required", "A patch is of a file that was read.");
        if (!/^text\//.test(c.req.header("content-type") ?? "")) return refuse(c, "unsupported_media_type");
        const patch = await textIn(c);
        if (patch === undefined) return notText(c);
        const request = patchRequest(pathIn(c), patch, argumentsIn(c.req.queries()), condition);
        if (request === undefined)
          return refuse(c, "invalid_request", "A patch here is about the file of its address alone.");
        return answered(c, parts, request, condition);
      }),
    )
    .delete("/content/*", (c) =>
      changing(c, async (condition) =>
        condition.kind === "seen"
          ? answered(c, parts, deleteRequest(pathIn(c), condition), condition)
          : refuse(c, "precondition_required", "What is deleted has been read."),
      ),
    )
    .get("/excerpt/*", read("get_excerpt"))
    .get("/summary/*", read("summarize_file"))
    .get("/history/*", read("file_history"))
    .get("/diff/*", read("get_diff"))
    .post("/rollback/*", (c) =>
      changing(c, async (condition) => {
        const { versionId } = versionBody.parse(await jsonIn(c));
        return answered(c, parts, rollbackRequest(pathIn(c), versionId, condition), condition);
      }),
    );

  return new Hono<FileEnvironment>()
    .use(async (c, next) => {
      const [, token] = /^Bearer ([\w-]{43,60})$/.exec(c.req.header("authorization") ?? "") ?? [];
      const caller = token === undefined ? undefined : use.caller(token);
      if (caller === undefined) return refuse(c, "unauthenticated");
      c.set("caller", caller);
      return next();
    })
    .get("/files", (c) => c.json({ projects: use.projects(c.var.caller) }))
    .use("/files/:project/*", async (c, next) => {
      const named = projectId.safeParse(c.req.param("project"));
      // Another project than the token's is none: whether there is one is not told.
      const only = c.var.caller.project;
      if (!named.success || (only !== null && only !== named.data)) return refuse(c, "forbidden");
      if (!isDecodable(c)) return refuse(c, "invalid_path", "Escapes in an address are those of UTF-8.");
      c.set("project", named.data);
      return next();
    })
    .route("/files/:project", project)
    .all("*", (c) => refuse(c, "not_found"));
}

/** The path of a file, behind the name of what is wanted of it. */
function pathIn(c: FileContext): string {
  const [, behind = ""] = /^\/v1\/files\/[^/]*\/[^/]*\/(.*)$/s.exec(new URL(c.req.url).pathname) ?? [];
  return decodeURIComponent(behind);
}

/** Whether an address is UTF-8 behind its escapes: no file here has another path. */
function isDecodable({ req }: FileContext): boolean {
  try {
    decodeURIComponent(new URL(req.url).pathname);
    return true;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return false;
  }
}

async function textIn(c: FileContext): Promise<string | undefined> {
  const bytes = await c.req.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

const notText = (c: FileContext) => refuse(c, "invalid_request", "The body is not UTF-8.");

/** Arguments of a tool as a body has them. @throws HTTPException, ZodError for a body that is none */
async function jsonIn(c: FileContext): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch((cause: unknown) => {
    throw new HTTPException(400, { cause });
  });
  return z.record(z.string(), z.unknown()).parse(body);
}

/** A request that changes a file says which content it has seen, before anything else of it is looked at. */
function changing(
  c: FileContext,
  work: (condition: Exclude<Precondition, { kind: "none" }>) => Promise<Response>,
): Promise<Response> | Response {
  const condition = preconditionOf(c.req.header("if-match"), c.req.header("if-none-match"));
  return condition.kind === "none" ? refuse(c, "precondition_required", condition.why) : work(condition);
}

/** Calls a tool for whoever asks, and makes an answer of what it gives. */
async function answered(
  c: FileContext,
  { use }: FileRouteParts,
  request: ToolRequest,
  condition?: Precondition,
): Promise<Response> {
  const called = await use.call(c.var.caller, c.var.project, request, c.req.raw.signal);
  return answerOf(c, request, called, condition?.kind);
}

const lastEventId = /^\d{1,15}$/;

/** Changes of a project's files as they come, as Server-Sent Events (WHATWG HTML §9.2); `Last-Event-ID` says where to go on. */
async function events(c: FileContext, { use, onProblem }: FileRouteParts): Promise<Response> {
  const { caller, project } = c.var;
  const last = c.req.header("last-event-id") ?? c.req.query("after");
  const after = last !== undefined && lastEventId.test(last) ? Number(last) : last === undefined ? undefined : -1;
  // What cannot be opened is refused as any request is.
  await use.open(project);
  const stream = async (out: SSEStreamingApi) => {
    const reader = new AbortController();
    out.onAbort(() => reader.abort());
    await use.follow(caller, project, { after, signal: reader.signal }, (message) => {
      if (message.type === "beat") return out.write(": still here\n\n");
      const data = JSON.stringify(message.type === "change" ? message.change : {});
      return out.writeSSE({ id: String(message.place), event: message.type, data });
    });
  };
  return streamSSE(c, stream, async (error) => onProblem(error));
}
