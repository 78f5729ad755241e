import { Hono } from "hono";
import * as z from "zod";
import { proposalId } from "../../events/ids.ts";
import { activityRoutes } from "./activity/routes.ts";
import type { ActivityUseCases } from "./activity/use-cases.ts";
import { askRoutes } from "./ask/routes.ts";
import { streamLines } from "./ask/stream-lines.ts";
import type { AskUseCases } from "./ask/use-cases.ts";
import { briefRoutes } from "./brief/routes.ts";
import type { BriefUseCases } from "./brief/use-cases.ts";
import { checked } from "./checked.ts";
import { dismissedQuery, eventQuery, type LoggedEvent, sessionRequest } from "./contract.ts";
import { editRoutes } from "./edits/routes.ts";
import type { EditUseCases } from "./edits/use-cases.ts";
import { type ConsoleEnvironment, tabsOnly } from "./entrance/doors.ts";
import type { TabTokens } from "./entrance/tab-tokens.ts";
import { failureBody } from "./failure.ts";
import { narrowedRequest, pageRequest } from "./inbox/contract.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import type { InboxUseCases } from "./inbox/use-cases.ts";
import type { FileUseCases } from "./projects/file-use-cases.ts";
import { projectRoutes } from "./projects/routes.ts";
import type { ProjectUseCases } from "./projects/use-cases.ts";
import { searchRequest } from "./search/contract.ts";
import type { SearchUseCase } from "./search/use-case.ts";
import { settingsRoutes } from "./settings/routes.ts";
import type { SettingsUseCases } from "./settings/use-cases.ts";
import { sourceRoutes } from "./sources/routes.ts";
import type { SourceUseCases } from "./sources/use-cases.ts";
import { usageRoutes } from "./usage/routes.ts";
import type { UsageUseCases } from "./usage/use-cases.ts";
import type { ConsoleUseCases } from "./use-cases.ts";
import { workRoutes } from "./work/routes.ts";
import type { WorkUseCases } from "./work/use-cases.ts";

export interface RouteParts {
  readonly useCases: ConsoleUseCases;
  readonly inbox: InboxUseCases;
  readonly brief: BriefUseCases;
  readonly sources: SourceUseCases;
  readonly settings: SettingsUseCases;
  readonly search: SearchUseCase;
  readonly projects: ProjectUseCases;
  readonly files: FileUseCases;
  readonly edits: EditUseCases;
  readonly work: WorkUseCases;
  readonly usage: UsageUseCases;
  readonly asking: AskUseCases;
  readonly activity: ActivityUseCases;
  readonly tokens: TabTokens;
  /** Whether a launch's code is good; it is good once. */
  readonly takeCode: (code: string) => boolean;
  readonly follow: (after: string, signal: AbortSignal) => AsyncIterable<LoggedEvent>;
}

/** What the page's typed client is made from. */
export type ConsoleApi = ReturnType<typeof consoleRoutes>;

const usedLink = "This link was used or is too old: run `scouts console`.";

const ofProposal = z.object({ id: proposalId });
const idParam = checked("param", ofProposal, "proposal_unknown");
const itemParam = checked("param", ofProposal, "item_unknown");

/** Every address of the console's API, below `/api`. They parse, call, and hand on; what is done stands in the use cases. */
export function consoleRoutes(parts: RouteParts) {
  const { useCases, inbox, brief, sources, settings, search, projects, files, work, asking, usage, activity } = parts;
  const { edits, tokens, takeCode, follow } = parts;
  const open = new Hono<ConsoleEnvironment>().post("/session", checked("json", sessionRequest), (c) =>
    takeCode(c.req.valid("json").code)
      ? c.json({ token: tokens.open() })
      : c.json(failureBody({ code: "unauthenticated", message: usedLink }), 401),
  );
  return open
    .use(tabsOnly(tokens))
    .post("/proposals/page", checked("json", pageRequest), (c) => {
      const { from, look, ...narrowed } = c.req.valid("json");
      return c.json(useCases.page({ ...narrowedTo(narrowed), from, look }));
    })
    .post("/proposals/counts", checked("json", narrowedRequest), (c) =>
      c.json(useCases.counts(narrowedTo(c.req.valid("json")))),
    )
    .get("/undoable", (c) => c.json(useCases.undoable()))
    .get("/proposals/:id", idParam, (c) => c.json(useCases.find(c.req.valid("param").id)))
    .get("/proposals/:id/conversation", idParam, (c) => c.json(useCases.conversation(c.req.valid("param").id)))
    .delete("/proposals/:id/decision", idParam, (c) => c.json(useCases.undo(c.req.valid("param").id)))
    .post("/proposals/:id/reopen", idParam, (c) => c.json(useCases.reopen(c.req.valid("param").id)))
    .get("/items/:id", itemParam, async (c) => c.json(await useCases.item(c.req.valid("param").id)))
    .get("/dismissed", checked("query", dismissedQuery), async (c) => {
      const { scout, cursor } = c.req.valid("query");
      return c.json(await useCases.dismissed(scout, cursor));
    })
    .post("/dismissed/:id/restore", itemParam, async (c) => c.json(await useCases.restore(c.req.valid("param").id)))
    .post("/search", checked("json", searchRequest), async (c) => c.json(await search(c.req.valid("json").words)))
    .get("/scouts", async (c) => c.json(await useCases.scouts()))
    .get("/events", checked("query", eventQuery), (c) =>
      streamLines(c, (signal) => follow(c.req.valid("query").after, signal)),
    )
    .route("/", inboxRoutes(inbox))
    .route("/", briefRoutes(brief))
    .route("/", sourceRoutes(sources))
    .route("/", settingsRoutes(settings))
    .route("/", projectRoutes(projects, files))
    .route("/work", workRoutes(work))
    .route("/edits", editRoutes(edits))
    .route("/usage", usageRoutes(usage))
    .route("/", askRoutes(asking))
    .route("/activity", activityRoutes(activity));
}

const narrowedTo = ({ scout, why, project, ...rest }: z.output<typeof narrowedRequest>) => ({
  ...rest,
  scoutId: scout,
  reasonCode: why,
  projectId: project,
});
