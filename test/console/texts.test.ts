import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { approvalKinds, approvalReasons } from "../../device/access/policy/approver.ts";
import { approvalPlaces, approvalStates } from "../../device/activity/approval-table.ts";
import { endWords } from "../../device/activity/end-words.ts";
import { attachmentKinds } from "../../device/attachments/attachment-ref.ts";
import { knownCallers, knownTools } from "../../device/console/page/activity/call-text.ts";
import { knownEnds } from "../../device/console/page/activity/end-text.ts";
import { knownActions } from "../../device/console/page/ask/known-actions.ts";
import { checkNames } from "../../device/doctor/checks.ts";
import { keptStates } from "../../device/folders/manifest/kept-state.ts";
import { fileFilters } from "../../device/projects/file-list.ts";
import { causeWords } from "../../device/proposals/attention/order.ts";
import { formKinds } from "../../device/proposals/draft/draft-form.ts";
import { shownStatuses } from "../../device/proposals/proposal-page.ts";
import { snoozeNames } from "../../device/proposals/snooze-times.ts";
import { scoutStates } from "../../device/sources/state.ts";
import { scoutActions, scoutRunStatuses } from "../../device/store/folder-schema.ts";
import { closedReasons, proposalStatuses } from "../../device/store/schema.ts";
import { outcomeKinds } from "../../device/work/decide-into.ts";
import { entitySchemas } from "../../device/work/entities.ts";
import { dueGroups, taskOrders } from "../../device/work/lists/task-list.ts";
import { gapWords } from "../../device/work/recurrence/partly-known.ts";
import { nthNames } from "../../device/work/recurrence/rule-shape.ts";
import { deviceActionNames } from "../../events/agent-tools/actions.ts";
import { fileToolNames } from "../../events/agent-tools/file-tools.ts";
import { mcpTools } from "../../events/agent-tools/mcp-tools.ts";
import { agentName, runStatus } from "../../events/frames/agents.ts";
import { fileTag, manifestKinds } from "../../events/frames/folders.ts";
import { scoutRun } from "../../events/http/scouts.ts";
import { featureUsage } from "../../events/http/usage.ts";
import { categories, priorities } from "../../events/proposals/categorize.ts";
import { proposalMetadata } from "../../events/proposals/metadata.ts";
import { decisionOutcomes, shownReasonCodeSchema } from "../../events/proposals/verdict.ts";
import { sourceSees } from "../../events/sources/sees.ts";
import { imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";

const page = fileURLToPath(new URL("../../device/console/page/", import.meta.url));
const languages = ["en", "it", "es", "fr", "de"] as const;

/** Words that are the same in another language, and texts that are no words. */
const sameOnPurpose: readonly string[] = [
  "ask.tokens_one",
  "ask.tokens_other",
  "activity.tokens_one",
  "activity.tokens_other",
  "filter.scout",
  "filter.counted",
  "checkName.node",
  "checkName.passphrase",
  "checkName.scout",
  "checkName.scouts",
  "nav.scouts",
  "nav.menu",
  "kind.gmail",
  "kind.feed",
  "setting.host",
  "setting.password",
  "setting.port",
  "panel.name",
  "settings.modelName",
  "step.source",
  "projects.show.pdf",
  "projects.show.office",
  "projects.show.image",
  "projects.kind.pdf",
  "projects.kind.image",
  "projects.tag.code",
  "projects.versions",
  "work.nav.notes",
  "work.one.note",
  "work.one.person",
  "work.field.source",
  "work.field.markdown",
  "work.field.name",
];

type Catalogue = ReadonlyMap<string, string>;

function flat(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value ?? {}).flatMap(([key, each]) => flat(each, path === "" ? key : `${path}.${key}`));
}

/** Of the page as a whole, and of each room that has words of its own. */
const rooms = globSync("*/en.json", { cwd: `${page}texts` }).map((file) => file.split("/")[0] ?? "");
const inFile = (file: string): unknown => JSON.parse(readFileSync(`${page}texts/${file}.json`, "utf8"));

const catalogue = (language: string): Catalogue =>
  new Map([...flat(inFile(language)), ...rooms.flatMap((room) => flat(inFile(`${room}/${language}`), room))]);

const bare = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, "");
const bareKeys = (texts: Catalogue) => new Set([...texts.keys()].map(bare));
const placeholders = (text: string) => [...text.matchAll(/\{\{\w+(?:, number)?\}\}/g)].map(([found]) => found).sort();

const source = globSync("**/*.{ts,tsx}", { cwd: page })
  .filter((file) => !file.startsWith("dist"))
  .map((file) => readFileSync(`${page}${file}`, "utf8"))
  .join("\n");

const entityKinds = Object.keys(entitySchemas);
/** Fields of what a person keeps, but for those that say nothing to them. */
const workFields = [
  ...["title", "due", "priority", "projectId", "note", "start", "end", "zone", "place", "people", "status", "markdown"],
  ...["name", "addresses", "fact", "source", "recurrence", "uid", "recurrenceId", "sourceSuggestionId"],
];

/** Which weekday of its month. */
const nths = [...nthNames.values()];
/** The kinds of words that languages put before or behind numbers: 1st, 2nd, 3rd, 4th. */
const ordinalForms = ["one", "two", "few", "many", "other"];

/** What keys that are put together may become. */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  why: shownReasonCodeSchema.options,
  status: proposalStatuses.filter((status) => status !== "pending"),
  done: [
    ...["approved", "rejected", "snoozed", "merged", "assigned", "muted", "copied", "saved", "chosen"],
    ...["withdrawn", "reopened", "yielded", "refused", "removed", "woken", "heard", "kept", "late"],
  ],
  closedBecause: closedReasons,
  decidedElsewhere: decisionOutcomes,
  became: outcomeKinds,
  filter: [...shownStatuses, "arrival", "attention", "scout", "why", "category", "priority", "project"],
  because: Object.keys(causeWords).map((cause) => cause.replaceAll("_", "-")),
  category: [...categories, "unprocessed"],
  priority: priorities,
  conflict: decisionOutcomes,
  deed: ["edit", "snooze", "wake", "assign", "merge", "copy", "mute", "thread", "sender"],
  snooze: snoozeNames,
  "draft.kinds": formKinds,
  "brief.rest": ["more", "older", "onlyToKnow", "unread", "snoozed"],
  "brief.change": ["added", "changed", "removed", "tasksAdded", "tasksDone"],
  "brief.broken": ["offline", "home", "off", "failing", "waiting", "folder"],
  scoutState: scoutStates,
  folderState: ["idle", "scanning", "error", "paused"],
  kind: ["gmail", "feed", "imap", "mailbox"],
  kindHint: ["gmail", "feed", "imap", "mailbox"],
  setting: [
    ...["url", "path", "host", "port", "tls", "user", "password", "folders"],
    ...["refreshToken", "clientId", "clientSecret", "tokenUrl"],
  ],
  settingChoice: imapSettings.shape.tls.unwrap().options,
  step: ["source", "settings", "purpose", "done"],
  "ask.pace": ["slow", "silent"],
  "ask.ended": runStatus.options.filter((status) => status !== "completed" && status !== "cancelled"),
  "ask.did": deviceActionNames,
  "usage.feature": featureUsage.shape.feature.options,
  "usage.agent": agentName.options,
  "work.one": entityKinds,
  "work.back": entityKinds,
  "work.did": ["done", "reopened", "removed"],
  "work.status": ["open", "done", "all"],
  "work.due": dueGroups,
  "work.priority": priorities,
  "work.orders": taskOrders,
  "work.eventStatus": ["confirmed", "tentative", "cancelled"],
  "work.field": workFields,
  "work.fieldHint": ["due", "start", "end", "zone", "people", "addresses", "markdown"],
  "work.what": ["added", "removed"],
  "work.repeat.every": ["day", "week", "month", "year"],
  "work.repeat.nth": nths,
  "work.repeat.nthSunday": nths,
  "work.repeat.date": ordinalForms,
  "work.repeat.yearDay": ordinalForms,
  "work.calendar": ["month", "week"],
  "work.calendar.previous": ["month", "week"],
  "work.calendar.next": ["month", "week"],
  "activity.view": ["waiting", "runs", "trail"],
  "activity.wants": approvalKinds,
  "activity.why": approvalReasons,
  "activity.state": approvalStates,
  "activity.by": approvalPlaces,
  "calls.by": knownCallers,
  "calls.tool": knownTools,
  "calls.attach": attachmentKinds,
  "calls.nothing": knownEnds,
  "activity.status": runStatus.options,
  "activity.damaged": ["altered", "missing", "reordered", "cut_off"],
  "activity.decision": ["allow", "deny", "approved", "refused", "none"],
  "series.gap": Object.keys(gapWords),
  theme: ["system", "light", "dark"],
  notifyKind: ["off", "count", "subject"],
  hitKind: ["projects", "files", "proposal", "task", "event", "note", "person", "memory", "answer", "artifact"],
  check: ["ok", "note", "fail"],
  outcome: [...scoutRun.shape.outcome.options, ...scoutRunStatuses].filter((outcome) => !/^completed?$/.test(outcome)),
  action: scoutActions,
  checkName: checkNames.map((name) => name.replace(" ", "_")),
  push: sourceSees.shape.push.options.filter((push) => push !== "never"),
  "projects.state": ["unlinked", "idle", "paused", "scanning", "stopped", "error"],
  "projects.phase": ["wait", "look", "read", "index", "summarize"],
  "projects.show": Object.keys(fileFilters),
  "projects.kind": manifestKinds,
  "projects.tag": fileTag.options,
  "projects.fileState": [...keptStates, "gone"],
  "projects.priority": priorities.filter((priority) => priority !== "none"),
  "projects.view": ["content", "edit", "model", "history"],
  "projects.edit.state": ["same", "typed", "kept", "browser", "tab", "saving", "waiting", "saved", "refused", "unkept"],
  "projects.edit.side": ["base", "mine", "theirs", "both"],
  relation: proposalMetadata.shape.relation.options.filter((relation) => relation !== "unknown"),
};
const used = new Set([
  ...[...source.matchAll(/"((?:[a-z]\w*\.)+\w+)"/gi)].flatMap(([, key]) => (key === undefined ? [] : [key])),
  ...[...source.matchAll(/\bt\("(\w+)"/g)].flatMap(([, key]) => (key === undefined ? [] : [key])),
  ...[...source.matchAll(/`((?:\w+\.)*\w+)\.\$\{/g)].flatMap(([, group = ""]) =>
    (madeOf[group] ?? []).map((key) => `${group}.${key}`),
  ),
]);

/** Words by which one who is no friend is addressed, and what they would be asked to do. */
const formal: Readonly<Record<string, RegExp>> = {
  it: /\b(?:lei|alleghi|controlli|riprovi|indichi|scelga|apra|scriva|esegua|avvii|aggiunga|finché non lo ritira|Le sue cartelle|la sua posta)\b(?! che)/i,
  es: /\b(?:ustede?s?|lo suyo|adjunte|compruebe|inténtelo|ejecute|elija|escriba|abra|copie|indique|añada|inicie|reinicie|espere|deje)\b/i,
};

const en = catalogue("en");

describe("the catalogues of the console", () => {
  it("have words for everything that an agent may ask of the device", () => {
    expect([...knownActions].sort()).toEqual([...deviceActionNames].sort());
  });

  it("have words for every tool and every caller of ours that stands in an audit trail", () => {
    const ofTrails = [...fileToolNames, ...deviceActionNames, ...Object.keys(mcpTools), "audit_rotate", "observed"];
    expect([...knownTools].sort()).toEqual([...new Set(ofTrails)].sort());
    expect([...knownCallers].sort()).toEqual([...agentName.options, "attach", "disk", "person"].sort());
  });

  it("have words for every way a call may end, and the terminal says them alike", () => {
    expect([...knownEnds].sort()).toEqual(Object.keys(endWords).sort());
    for (const [code, words] of Object.entries(endWords)) expect(en.get(`calls.nothing.${code}`), code).toBe(words);
  });

  it("hold every text the page asks for, and the page asks for every text", () => {
    const known = bareKeys(en);
    const groups = new Set([...known].map((key) => key.split(".")[0]));
    const missing = [...used].filter((key) => groups.has(key.split(".")[0]) && !known.has(key));
    expect(missing).toEqual([]);
    expect([...known].filter((key) => !used.has(key))).toEqual([]);
  });

  it.each(Object.entries(formal))("address a person in %s as a friend does, everywhere", (language, words) => {
    const files = globSync([`${language}.json`, `*/${language}.json`], { cwd: `${page}texts` });
    const all = files.flatMap((file) => flat(inFile(file.replace(".json", ""))));
    expect(all.length).toBeGreaterThan(1_000);
    expect(all.filter(([, text]) => words.test(text))).toEqual([]);
  });

  it("call the giving of a folder to a project by one word in Spanish, wherever it is spoken of", () => {
    const files = globSync(["es.json", "*/es.json"], { cwd: `${page}texts` });
    const all = files.flatMap((file) => flat(inFile(file.replace(".json", ""))));
    expect(all.filter(([, text]) => /v[ií]ncul/i.test(text)).length).toBeGreaterThan(10);
    expect(all.filter(([, text]) => /enl[aá][zc](?!es?\b)/i.test(text))).toEqual([]);
  });

  it.each(languages)(
    "hold in %s what they hold in English, in every form its numbers need, with the same places",
    (language) => {
      const texts = catalogue(language);
      expect([...bareKeys(texts)].sort()).toEqual([...bareKeys(en)].sort());
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [key, text] of texts) {
        const english = en.get(key) ?? en.get(`${bare(key)}_other`) ?? "";
        expect(placeholders(text), `${language} ${key}`).toEqual(placeholders(english));
        if (bare(key) !== key) {
          for (const form of forms) expect([...texts.keys()], language).toContain(`${bare(key)}_${form}`);
        }
      }
    },
  );

  it.each(languages.filter((language) => language !== "en"))("are translated into %s", (language) => {
    const texts = catalogue(language);
    const same = [...texts].filter(([key, text]) => text === en.get(key) && !sameOnPurpose.includes(key));
    expect(same).toEqual([]);
  });
});

it("what the page shows is put together as text: nothing takes markup", () => {
  expect(source).not.toMatch(/dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
});
