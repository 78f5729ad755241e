import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import * as z from "zod";
import { type ProjectId, projectId } from "../../../events/ids.ts";
import type { FileToolName } from "../../../events/tools.ts";
import type { ToolOutcome } from "../../access/file-access.ts";
import type { Approver } from "../../access/policy/approver.ts";
import type { Clock } from "../../connection/clock.ts";
import type { OpenedFolders } from "../../projects/opened-folders.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { ConsoleEnvironment } from "../doors.ts";
import { failed, refuse } from "./answers.ts";
import type { HttpCaller, HttpCallers } from "./callers.ts";
import { followChanges } from "./change-events.ts";
import { hasAlready, type Precondition, preconditionOf, tagOf } from "./precondition.ts";
import {
  argumentsIn,
  deleteRequest,
  patchRequest,
  rollbackRequest,
  type ToolRequest,
  writeRequest,
} from "./tool-requests.ts";

export interface FileRouteParts {
  readonly store: Pick<DeviceStore, "projects">;
  readonly folders: Pick<OpenedFolders, "within">;
  readonly callers: Pick<HttpCallers, "find">;
  readonly clock: Clock;
  /** Who is asked about what the rules of a folder ask about. */
  readonly approverAt: (root: string) => Approver;
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
  const { store, callers } = parts;
  const read = (tool: FileToolName) => (c: FileContext) => {
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
      const caller = token === undefined ? undefined : callers.find(token);
      if (caller === undefined) return refuse(c, "unauthenticated");
      c.set("caller", caller);
      return next();
    })
    .get("/files", (c) => {
      const { project: only, right } = c.var.caller;
      const open = store.projects.list().filter(({ id, folderPath }) => folderPath !== null && (only ?? id) === id);
      return c.json({ projects: open.map(({ id, name }) => ({ id, name, right })) });
    })
    .use("/files/:project/*", async (c, next) => {
      const named = projectId.safeParse(c.req.param("project"));
      // Another project than the token's is none: whether there is one is not told.
      const only = c.var.caller.project;
      if (!named.success || (only !== null && only !== named.data)) return refuse(c, "forbidden");
      c.set("project", named.data);
      return next();
    })
    .route("/files/:project", project)
    .all("*", (c) => refuse(c, "not_found"));
}

/** The path of a file, behind the name of what is wanted of it. */
function pathIn(c: FileContext): string {
  const [, behind = ""] = /^\/v1\/files\/[^/]*\/[^/]*\/(.*)$/s.exec(new URL(c.req.url).pathname) ?? [];
  try {
    return decodeURIComponent(behind);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    // Not UTF-8: no path of a file here, which the tool says.
    return `${behind}\0`;
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
function answered(
  c: FileContext,
  { folders, approverAt, clock }: FileRouteParts,
  { tool, args }: ToolRequest,
  condition?: Precondition,
): Promise<Response> {
  const { caller, project } = c.var;
  return folders.within(project, async ({ access, root }) => {
    const { session, endsAtMs } = caller.session({ root, access, approver: approverAt(root) });
    const outcome = await access.call(session, tool, args, c.req.raw.signal);
    if (outcome.ok) return given(c, outcome);
    const told = { ...(condition && { condition: condition.kind }), retryAfterMs: endsAtMs - clock.now() };
    const { currentHash } = outcome.error;
    const isThere = outcome.error.code === "already_applied" || outcome.error.code === "patch_empty";
    // Sent twice, or what it is already (RFC 9110 §13.1.1): the file is as it was wanted.
    if (tool === "write_file" && isThere && typeof currentHash === "string") {
      c.header("etag", tagOf(currentHash));
      return c.json({
        path: args["path"],
        hash: currentHash,
        versionId: null,
        message: "It is so already.",
        diff: null,
      });
    }
    return failed(c, outcome.error, told);
  });
}

function given(c: FileContext, { result }: Extract<ToolOutcome, { ok: true }>): Response {
  if ("success" in result) {
    const { files, message, versionId, diff } = result;
    const [file] = files;
    if (file?.hash) c.header("etag", tagOf(file.hash));
    const moved = files.length > 1 ? { moved: files } : {};
    return c.json({ path: file?.path, hash: file?.hash ?? null, versionId, message, diff, ...moved });
  }
  if (!("hash" in result)) return c.json(result);
  c.header("etag", tagOf(result.hash));
  if (hasAlready(c.req.header("if-none-match"), result.hash)) return c.body(null, 304);
  const isWhole = "form" in result && result.form === "whole";
  if (!/\btext\/plain\b/.test(c.req.header("accept") ?? "")) return c.json(result);
  if (isWhole) return c.text(result.text);
  return failed(
    c,
    {
      code: "too_large",
      message: "It is too long to be given whole: ask for JSON, page by page (startChar, nextChar).",
    },
    { retryAfterMs: 0 },
  );
}

const lastEventId = /^\d{1,15}$/;

/** Changes of a project's files as they come, as Server-Sent Events (WHATWG HTML §9.2); `Last-Event-ID` says where to go on. */
async function events(c: FileContext, parts: FileRouteParts): Promise<Response> {
  const { folders, approverAt, clock, store, onProblem } = parts;
  const { caller, project } = c.var;
  const last = c.req.header("last-event-id") ?? c.req.query("after");
  const after = last !== undefined && lastEventId.test(last) ? Number(last) : last === undefined ? undefined : -1;
  // What cannot be opened is refused as any request is.
  await folders.within(project, async () => undefined);
  const stream = async (out: SSEStreamingApi) => {
    const reader = new AbortController();
    out.onAbort(() => reader.abort());
    await folders.within(project, async ({ access, root }) => {
      const { session } = caller.session({ root, access, approver: approverAt(root) });
      const linked = store.projects.find(project)?.folderPath;
      const isStillGood = () => caller.isStillGood() && store.projects.find(project)?.folderPath === linked;
      for await (const message of followChanges({ access, session, clock, isStillGood }, after, reader.signal)) {
        if (message.type === "beat") await out.write(": still here\n\n");
        else {
          const data = JSON.stringify(message.type === "change" ? message.change : {});
          await out.writeSSE({ id: String(message.place), event: message.type, data });
        }
      }
    });
  };
  return streamSSE(c, stream, async (error) => onProblem(error));
}
