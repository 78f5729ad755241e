import type { Migrations } from "./sqlite/migrate.ts";

/** The device's own database: proposals, projects, the outbox. */
export const deviceMigrations: Migrations = {
  folder: new URL("./migrations/", import.meta.url),
  whole: new URL("./whole-schema.sql", import.meta.url),
  files: [
    "0001-proposals.sql",
    "0002-projects.sql",
    "0003-folder-snapshots.sql",
    "0004-known-scouts.sql",
    "0005-unjudged.sql",
    "0006-any-kind.sql",
    "0007-table-sums.sql",
    "0008-proposal-metadata.sql",
    "0009-decisions-wait.sql",
    "0010-work.sql",
    "0011-search-changes.sql",
    "0012-rounds.sql",
    "0013-categories.sql",
    "0014-answers.sql",
    "0015-set-aside.sql",
    "0016-kept-index.sql",
    "0017-model-readings.sql",
    "0018-sealed-answers.sql",
    "0019-work-files.sql",
    "0020-written-at.sql",
    "0021-search-drafts.sql",
  ],
};
