import { type McpToolInput, mcpTools, type SessionTask } from "../../../events/agent-tools/mcp-tools.ts";
import { escapedJson } from "../../../shared/privacy/delimiters.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { findFile } from "../changes/file-on-disk.ts";
import type { FileAccess } from "../file-access.ts";
import type { AccessSession } from "../session/session.ts";
import type { AccessStore } from "../store/access-store.ts";
import { programOf } from "./client-tokens.ts";
import type { FurtherTool, Served } from "./further-tool.ts";

/** Files that are looked at to say whether they have changed. */
const maxBuffers = 20;
/** Lists of tasks in which that of an earlier session of the same program is looked for. */
const maxLooked = 500;

export const sessionStatusTool: FurtherTool = {
  name: "session_status",
  definition: mcpTools.session_status,
  call: async (_, served) => ({ text: escapedJson(await sessionStatus(served)) }),
};

export const setTasksTool: FurtherTool = {
  name: "set_tasks",
  definition: mcpTools.set_tasks,
  async call(input, { session }) {
    const { tasks } = mcpTools.set_tasks.input.parse(input) satisfies McpToolInput<"set_tasks">;
    session.tasks = tasks;
    return { text: escapedJson({ tasks }) };
  },
};

/** Everything about a session but contents: names of files only where the rules of this moment show them. */
export async function sessionStatus({ project, session }: Served) {
  const { access } = project;
  const showable = await access.shownAmong(session, session.paths());
  const mayShow = (path: string) => showable.has(path);
  const shown = session.openBuffers().filter(({ path }) => mayShow(path));
  const openBuffers = await Promise.all(shown.slice(0, maxBuffers).map((buffer) => describedBuffer(access, buffer)));
  const tasksLeft = tasksLeftBy(access.kit.store, session);
  const { limits } = session;
  const mayUse = {
    calls: limits.calls,
    bytesRead: limits.bytesRead,
    tokensRead: limits.tokensRead,
    writes: limits.writes,
  };
  return { ...session.describe(mayShow), mayUse, openBuffers, ...(tasksLeft.length > 0 && { tasksLeft }) };
}

async function describedBuffer(
  { kit }: FileAccess,
  { path, hash, ranges, whole }: ReturnType<AccessSession["openBuffers"]>[number],
) {
  const lines = whole ? "all" : ranges.map(([from, to]) => `${from}-${to}`).join(", ");
  try {
    const now = await findFile(kit.files, path, kit.maxTextBytes);
    return { path, lines, state: now === null ? "gone" : now.hash === hash ? "current" : "changed since" };
  } catch (error) {
    if (!isProjectFilesError(error)) throw error;
    return { path, lines, state: "cannot be read now" };
  }
}

/** What the latest session of the same program, in whichever version, meant to do and had not done. */
function tasksLeftBy(
  store: Pick<AccessStore, "audit">,
  { caller, id }: { readonly caller: string; readonly id: string },
): SessionTask[] {
  const program = programOf(caller);
  const latest = store.audit
    .newest({ before: Number.MAX_SAFE_INTEGER, limit: maxLooked, tool: "set_tasks" })
    .find((record) => record.outcome === "ok" && record.session !== id && programOf(record.caller) === program);
  const tasks = mcpTools.set_tasks.input.safeParse({ tasks: latest?.args["tasks"] });
  return tasks.success ? tasks.data.tasks.filter(({ state }) => state !== "done") : [];
}
