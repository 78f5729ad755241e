import { Hono } from "hono";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import {
  diffRequest,
  filePageRequest,
  fileParam,
  fileTreeRequest,
  giveFolderRequest,
  nameRequest,
  previewRequest,
  projectParam,
  restoreRequest,
  taskParam,
  taskStatusRequest,
  versionsRequest,
} from "./contract.ts";
import type { FileUseCases } from "./file-use-cases.ts";
import type { ProjectUseCases } from "./use-cases.ts";

const project = checked("param", projectParam, "project_unknown");
const file = checked("param", fileParam);

const named = ({ id, number }: { id: Parameters<ProjectUseCases["project"]>[0]; number: number }) => ({
  project: id,
  number,
});

/** Addresses of projects and of their files. A file is named by its number: its path is content, and no part of an address. */
export function projectRoutes(use: ProjectUseCases, files: FileUseCases) {
  return new Hono<ConsoleEnvironment>()
    .get("/projects", (c) => c.json(use.projects()))
    .post("/projects", checked("json", nameRequest), (c) => c.json(use.add(c.req.valid("json").name)))
    .get("/projects/:id", project, (c) => c.json(use.project(c.req.valid("param").id)))
    .patch("/projects/:id", project, checked("json", nameRequest), (c) =>
      c.json(use.rename(c.req.valid("param").id, c.req.valid("json").name)),
    )
    .delete("/projects/:id", project, (c) => c.json(use.remove(c.req.valid("param").id)))
    .get("/projects/:id/held", project, (c) => c.json(use.held(c.req.valid("param").id)))
    .get("/projects/:id/overview", project, (c) => c.json(use.overview(c.req.valid("param").id)))
    .get("/projects/:id/plan", project, async (c) => c.json(await use.plan(c.req.valid("param").id)))
    .post("/projects/:id/folder", project, checked("json", giveFolderRequest), async (c) =>
      c.json(await use.giveFolder(c.req.valid("param").id, c.req.valid("json").path)),
    )
    .post("/projects/:id/scan", project, (c) => c.json(use.rescan(c.req.valid("param").id)))
    .delete("/projects/:id/scan", project, (c) => c.json(use.cancelScan(c.req.valid("param").id)))
    .get("/projects/:id/tasks", project, (c) => c.json(use.tasks(c.req.valid("param").id)))
    .put("/projects/:id/tasks/:task/status", checked("param", taskParam), checked("json", taskStatusRequest), (c) =>
      c.json(use.setTask(c.req.valid("param").task, c.req.valid("json").status)),
    )
    .post("/projects/:id/files/page", project, checked("json", filePageRequest), (c) =>
      c.json(files.page(c.req.valid("param").id, c.req.valid("json"))),
    )
    .post("/projects/:id/files/tree", project, checked("json", fileTreeRequest), (c) =>
      c.json(files.tree(c.req.valid("param").id, c.req.valid("json"))),
    )
    .post("/projects/:id/disk", project, async (c) => c.json(await files.disk(c.req.valid("param").id)))
    .get("/projects/:id/files/:number", file, (c) => c.json(files.file(named(c.req.valid("param")))))
    .post("/projects/:id/files/:number/preview", file, checked("json", previewRequest), async (c) =>
      c.json(await files.preview(named(c.req.valid("param")), c.req.valid("json"))),
    )
    .post("/projects/:id/files/:number/model-view", file, async (c) =>
      c.json(await files.modelView(named(c.req.valid("param")))),
    )
    .post("/projects/:id/files/:number/versions", file, checked("json", versionsRequest), async (c) =>
      c.json(await files.versions(named(c.req.valid("param")), c.req.valid("json").approves)),
    )
    .post("/projects/:id/files/:number/diff", file, checked("json", diffRequest), async (c) =>
      c.json(await files.diff(named(c.req.valid("param")), c.req.valid("json"))),
    )
    .post("/projects/:id/files/:number/restore", file, checked("json", restoreRequest), async (c) =>
      c.json(await files.restore(named(c.req.valid("param")), c.req.valid("json"))),
    );
}
