import type { Quoted } from "../errors/quoted.ts";
import type { SentenceValues } from "../exact-sentences.ts";
import { modelFindings } from "./model-findings.ts";

interface FindingTexts {
  readonly detail: string;
  readonly advice?: string;
  /** One of several in `{{each}}`. */
  readonly each?: string;
}

const otherFolder = "Choose another with --data.";
const setClock = "Set this machine's clock (NTP): tickets are refused otherwise.";
const seeHome = "See whether it runs, and whether this machine reaches it.";
const beginHome = "Run `{{up}}` or `scouts login`.";
const tryAgain = "Try again; see `home` above.";

/**
 * What a check can find and what to do about it, in English; `{{…}}` stands for a value, `{{why}}` for the sentence of an
 * error, `{{stood}}` for a time since `since`, `{{answers}}` for what another code says. The command line says them as they are; the page of the console has words for
 * each code in its other languages (device/console/page/texts/doctor).
 */
export const findings = {
  node_ok: { detail: "{{version}}" },
  node_old: {
    detail: "{{version}} is too old",
    advice: "Install Node {{oldest}} or newer, or run `npm install` in the checkout, which brings one along.",
  },
  folder_ok: { detail: "{{folder}}" },
  folder_new: { detail: "{{folder}} (will be made)" },
  folder_unwritable: {
    detail: "{{folder}} cannot be written to",
    advice:
      "If it is another account's, run: sudo chown -R $(id -un) {{folder}}; if it is yours, run: chmod u+rwx {{folder}}. Or choose another with --data.",
  },
  folder_read_only: {
    detail: "the disk of {{folder}} can only be read",
    advice:
      "The system does that to a disk that fails, or was told to: look with `mount` and `dmesg`, mend that, then mount it for writing. Or choose another with --data.",
  },
  folder_no_folder: { detail: "{{folder}} is not a folder", advice: otherFolder },
  folder_open: { detail: "others may read {{folder}}", advice: "Run: chmod 700 {{folder}}" },
  space_ok: { detail: "{{megabytes}} MB free" },
  space_low: { detail: "{{megabytes}} MB free", advice: "Free some space, or choose another disk with --data." },
  database_none: { detail: "none yet", advice: "Run `{{up}}`." },
  database_ok: { detail: "{{path}}" },
  database_damaged: {
    detail: "{{path}} is damaged: {{damage}}",
    advice: "Restore it, or move it away: what is still open is delivered again.",
  },
  database_newer: { detail: "{{why}}", advice: "Update scouts." },
  database_unusable: {
    detail: "{{why}}",
    advice: "Move the file away: what is still open is delivered again.",
  },
  database_refused: { detail: "{{why}}" },
  record_damaged: {
    detail: "{{path}} is damaged",
    advice: "Restore it, or move it away: the record of what was done begins anew; files, proposals and answers stay.",
  },
  record_unusable: { detail: "{{path}}: {{why}}" },
  clock_unknown: { detail: "not compared with the home's yet" },
  clock_behind: { detail: "{{ms}} ms behind the home's" },
  clock_ahead: { detail: "{{ms}} ms ahead of the home's" },
  clock_far_behind: { detail: "{{ms}} ms behind the home's", advice: setClock },
  clock_far_ahead: { detail: "{{ms}} ms ahead of the home's", advice: setClock },
  port_ok: { detail: "port {{port}} on 127.0.0.1 can be had" },
  port_taken: {
    detail: "port {{port}} on 127.0.0.1 cannot be had",
    advice: "End the program that has it, or choose another with --port.",
  },
  ports_ok: { detail: "a free port on 127.0.0.1 can be had" },
  ports_refused: {
    detail: "a free port on 127.0.0.1 cannot be had",
    advice: "Allow programs to listen on 127.0.0.1.",
  },
  home_none: { detail: "none runs here", advice: beginHome },
  home_unusable: { detail: "{{why}}", advice: beginHome },
  home_ok: { detail: "{{origin}} is well, asked and answered in {{ms}} ms" },
  home_unwell: { detail: "{{origin}} answers {{status}}", advice: seeHome },
  home_refused: { detail: "{{why}}", advice: seeHome },
  home_gone: {
    detail: "none answers at {{origin}}: the home that ran here was killed, or hangs",
    advice: "Run `{{up}}`: it goes on where that one was, and says which process it is if it still runs.",
  },
  home_damaged: { detail: "{{why}}" },
  home_unreachable: { detail: "{{origin}} cannot be reached", advice: seeHome },
  socket_ok: { detail: "a ticket was given, and opens a socket on {{host}}" },
  socket_stopped: {
    detail: "no socket opens on {{host}}",
    advice: "See whether a proxy or firewall stops WebSockets.",
  },
  socket_refused: { detail: "{{why}} ({{reason}})", advice: "Sign in again: scouts login." },
  socket_unavailable: { detail: "{{why}} ({{reason}})", advice: tryAgain },
  socket_no_ticket: { detail: "no ticket could be had", advice: tryAgain },
  running_ok: { detail: "version {{version}}, started {{stood}}" },
  running_other: {
    detail: "version {{version}}, started {{stood}}; this program is {{own}}",
    advice: "Stop it and run `scouts up` again to have both of one version.",
  },
  mail_account: { detail: "an account at its provider" },
  mail_mailbox: { detail: "a mailbox on this machine" },
  mail_away: {
    detail: "the mailbox {{path}} cannot be read, so its new mail is not seen",
    advice: "Put it back where it was, or plug its drive in: it is looked for, and read again when it is back.",
  },
  mail_unread: {
    detail: "mail in {{path}} is not seen: it cannot be read (of files and folders like that there are {{total}})",
    advice:
      "Let scouts read it, or take it out of its mailbox; the rest of that is read, and this as soon as it can be.",
  },
  mail_twice: {
    detail:
      "{{inner}} lies in {{outer}}, and both are looked at: the mail in it is proposed twice (of pairs like that there are {{total}})",
    advice: "Remove the scout of one of them (`scouts list`, `scouts remove`).",
  },
  mail_account_next: { detail: "{{provider}}, unless --mailbox is given" },
  mail_mailbox_next: { detail: "a mailbox on this machine (see --mailbox)" },
  ...modelFindings,
  embeddings_ok: {
    detail: "{{name}} at {{where}} answers; {{embedded}} of {{passages}} passages have been given to it",
  },
  embeddings_extension: {
    detail: "sqlite-vec does not load on this machine, so searches find words alone: {{reason}}",
    advice: "Run `npm install` in the checkout, or `scouts embeddings off`.",
  },
  embeddings_failed: {
    detail: "{{name}} at {{where}} cannot be used, so searches find words alone: {{why}} ({{reason}})",
    advice: "See docs/models.md for the code, or set another: `scouts embeddings set`.",
  },
  passphrase_damaged: {
    detail: "the key that what agents left is encrypted by (device/passphrase.json) is damaged",
    advice: "Restore that file from a backup, or give up what it encrypts: `scouts passphrase forget`.",
  },
  embeddings_unreadable: { detail: "{{why}}", advice: "Set it again: `scouts embeddings set`." },
  queues_empty: { detail: "all empty" },
  queues_busy: { detail: "{{each}}", each: "{{name}} {{waiting}} waiting, {{atWork}} at work" },
  queues_damaged: {
    detail: "the file of the home's queues is damaged, so nothing new is judged",
    advice:
      "Stop the home and start it again: it says which file it is. Where it does not start, restore the whole data folder from a backup.",
  },
  queues_refused: {
    detail: "the home's queues cannot be written, so nothing new is judged until they can",
    advice: "See whether the disk is full or can only be read; what waits goes on by itself when there is room.",
  },
  queues_set_aside: {
    detail: "{{each}}",
    each: "{{name}} {{waiting}} waiting, {{atWork}} at work",
    advice: "Work was set aside after it failed too often: scouts ops dlq list, with the home stopped.",
  },
  decisions_unknown: {
    detail:
      "{{total}} refused by the home, which has no such proposal any more: its scout was removed, or it is older than 90 days ({{reason}})",
    advice:
      "They stay as decided on this device, no other was told. To take them back as well: `scouts proposals undo {{refs}}`.",
  },
  decisions_refused: {
    detail: "{{total}} refused by the home: {{why}} ({{reason}})",
    advice: "They are known on this device alone. Take them back and decide anew: `scouts proposals undo {{refs}}`.",
  },
  scouts_ok: { detail: "{{working}} of {{total}} at work" },
  scouts_unasked: { detail: "they could not be asked for: {{why}}" },
  rows_damaged: {
    detail: "the home cannot read what it keeps of: {{rows}} ({{reason}})",
    advice:
      "If a newer version of scouts wrote it, run that one again; else whoever runs the home restores it or deletes it (docs/operate.md). What it is about waits or is not counted meanwhile.",
  },
  model_row_damaged: {
    detail: "the home cannot read what it has noted of its language model ({{reason}})",
    advice:
      "If a newer version of scouts wrote it, run that one again; else whoever runs the home stops it and runs `scouts ops model reset` (of a deployment with --table), which deletes it. Meanwhile a model that fails is asked all the same.",
  },
  scout_off: { detail: "{{name}} reads nothing: {{why}}", advice: "Run: {{command}}" },
  scout_off_since: { detail: "{{name}} reads nothing since {{stood}}: {{why}}", advice: "Run: {{command}}" },
  scout_forbidden: {
    detail: "{{name}} reads nothing: {{why}}",
    advice: "Run: {{command}}, once the administrator has allowed it",
  },
  scout_forbidden_since: {
    detail: "{{name}} reads nothing since {{stood}}: {{why}}",
    advice: "Run: {{command}}, once the administrator has allowed it",
  },
  scout_vanished: {
    detail:
      "{{name}} is known here and not to the home: it was removed from another device, or the home was restored from an older copy",
    advice: "Run `scouts add` to have it again; or, if you removed it: {{command}}",
  },
  scout_failing: {
    detail: "{{name}} cannot look at its source: {{why}} ({{reason}})",
    advice: "Run: {{command}}",
  },
  scout_failing_since: {
    detail: "{{name}} cannot look at its source for {{stood}}: {{why}} ({{reason}})",
    advice: "Run: {{command}}",
  },
  scout_folders: {
    detail: "{{name}} has not found {{folders}}: renamed or deleted at its source, or it does not open ({{reason}})",
    advice: "Name all folders it is to read: {{command}}",
  },
  linked_ok: { detail: "{{total}} linked, where they were" },
  linked_gone: {
    detail: "{{name}}: {{why}} ({{reason}})",
    advice: "Link it where it is now (`scouts project link`), or forget it (`scouts project unlink`).",
  },
  linked_unreadable: {
    detail: "{{name}} cannot be read now: {{why}} ({{reason}})",
    advice: "What is known of its files is kept. Once that is mended: `scouts project rescan`.",
  },
  linked_failed: {
    detail: "{{name}} was not read to the end the last time: {{why}} ({{reason}})",
    advice: "Run `scouts project rescan`.",
  },
  settings_ok: { detail: "{{file}}" },
  settings_unreadable: {
    detail: "{{file}} cannot be understood, so no file of any project is read or changed",
    advice: "Put right what `scouts config check` names, or move that file away.",
  },
  settings_idle: {
    detail: "not everything in {{file}} has an effect",
    advice: "`scouts config check` says what.",
  },
  settings_project: {
    detail: "the .scouts.json in {{folder}} cannot be understood, so no file there is read or changed",
    advice: "Put right what `scouts config check` names.",
  },
} as const satisfies Readonly<Record<string, FindingTexts>>;

export type FindingCode = keyof typeof findings;

/** What was found, by its code and what it names, and as the command line says it. */
export interface Finding {
  readonly code: FindingCode;
  readonly values: SentenceValues;
  readonly each?: readonly SentenceValues[] | undefined;
  readonly why?: Quoted | undefined;
  /** The code whose detail stands in `{{answers}}`, with the same values. */
  readonly answers?: FindingCode | undefined;
  readonly detail: string;
  readonly advice?: string | undefined;
}

const filled = (text: string, values: SentenceValues): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => String(values[name] ?? ""));

/** The finding of a code. @param values what it names; what of it is for English only (`stood`, `why`) others say their way */
export function found(
  code: FindingCode,
  values: SentenceValues = {},
  more: Pick<Finding, "each" | "why" | "answers"> = {},
): Finding {
  const texts: FindingTexts = findings[code];
  const each = (more.each ?? []).map((one) => filled(texts.each ?? "", one)).join("; ");
  const answers = more.answers === undefined ? "" : filled(findings[more.answers].detail, values);
  const said = { each, answers, why: more.why?.message ?? "", ...values };
  const detail = filled(texts.detail, said);
  return { code, values, ...more, detail, ...(texts.advice !== undefined && { advice: filled(texts.advice, said) }) };
}
