import { Hono } from "hono";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import {
  calendarRequest,
  dayRequest,
  doneRequest,
  entityParam,
  eventFields,
  exportRequest,
  importRequest,
  listRequest,
  memoryFields,
  noteFields,
  personFields,
  revisionQuery,
  taskFields,
  taskPageRequest,
  undoRequest,
} from "./contract.ts";
import type { OneUseCases } from "./entity-use-cases.ts";
import type { WorkUseCases } from "./use-cases.ts";

const entity = checked("param", entityParam);
const seen = checked("query", revisionQuery);

/** What can be done with one of each kind. They parse, call, and hand on; what is done stands in the use cases. */
const entityRoutes = <Shown extends object>(use: OneUseCases<Shown>) =>
  new Hono<ConsoleEnvironment>()
    .get("/:id", entity, (c) => c.json(use.one(c.req.valid("param").id)))
    .delete("/:id", entity, (c) => c.json(use.remove(c.req.valid("param").id)))
    .get("/:id/history", entity, (c) => c.json(use.history(c.req.valid("param").id)))
    .post("/:id/undo", entity, checked("json", undoRequest), (c) =>
      c.json(use.undo(c.req.valid("param").id, c.req.valid("json").change)),
    );

/** The person's work. Words are in bodies and not in addresses, which are kept in places that content is not. */
export const workRoutes = (use: WorkUseCases) =>
  new Hono<ConsoleEnvironment>()
    .get("/projects", (c) => c.json(use.projects()))
    .post("/tasks/page", checked("json", taskPageRequest), (c) => {
      const { project: projectId, ...request } = c.req.valid("json");
      return c.json(use.tasks({ ...request, projectId }));
    })
    .put("/tasks/:id/done", entity, checked("json", doneRequest), (c) =>
      c.json(use.setDone(c.req.valid("param").id, c.req.valid("json").isDone)),
    )
    .post("/notes/page", checked("json", listRequest), (c) => c.json(use.notes(c.req.valid("json"))))
    .post("/people/page", checked("json", listRequest), (c) => c.json(use.people(c.req.valid("json"))))
    .post("/memory/page", checked("json", listRequest), (c) => c.json(use.facts(c.req.valid("json"))))
    .post("/calendar", checked("json", calendarRequest), (c) => c.json(use.calendar(c.req.valid("json"))))
    .post("/calendar/day", checked("json", dayRequest), (c) => c.json(use.day(c.req.valid("json"))))
    .post("/export", checked("json", exportRequest), async (c) => c.json(await use.give(c.req.valid("json"))))
    .post("/import", checked("json", importRequest), async (c) => c.json(await use.take(c.req.valid("json"))))
    .post("/tasks", checked("json", taskFields), async (c) => c.json(await use.task.add(c.req.valid("json"))))
    .patch("/tasks/:id", entity, seen, checked("json", taskFields), async (c) =>
      c.json(await use.task.edit(c.req.valid("param").id, c.req.valid("query").revision, c.req.valid("json"))),
    )
    .route("/tasks", entityRoutes(use.task))
    .post("/events", checked("json", eventFields), async (c) => c.json(await use.event.add(c.req.valid("json"))))
    .patch("/events/:id", entity, seen, checked("json", eventFields), async (c) =>
      c.json(await use.event.edit(c.req.valid("param").id, c.req.valid("query").revision, c.req.valid("json"))),
    )
    .route("/events", entityRoutes(use.event))
    .post("/notes", checked("json", noteFields), async (c) => c.json(await use.note.add(c.req.valid("json"))))
    .patch("/notes/:id", entity, seen, checked("json", noteFields), async (c) =>
      c.json(await use.note.edit(c.req.valid("param").id, c.req.valid("query").revision, c.req.valid("json"))),
    )
    .route("/notes", entityRoutes(use.note))
    .post("/people", checked("json", personFields), async (c) => c.json(await use.person.add(c.req.valid("json"))))
    .patch("/people/:id", entity, seen, checked("json", personFields), async (c) =>
      c.json(await use.person.edit(c.req.valid("param").id, c.req.valid("query").revision, c.req.valid("json"))),
    )
    .route("/people", entityRoutes(use.person))
    .post("/memory", checked("json", memoryFields), async (c) => c.json(await use.memory.add(c.req.valid("json"))))
    .patch("/memory/:id", entity, seen, checked("json", memoryFields), async (c) =>
      c.json(await use.memory.edit(c.req.valid("param").id, c.req.valid("query").revision, c.req.valid("json"))),
    )
    .route("/memory", entityRoutes(use.memory));
