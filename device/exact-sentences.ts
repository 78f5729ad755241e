import type { ErrorData } from "../events/errors.ts";
import { called } from "./errors/called.ts";
import { DeviceError, type DeviceErrorCode } from "./errors.ts";

/** What a sentence names: names, numbers, paths. For the person whose device this is; never for a log of the cloud. */
export type SentenceValues = Readonly<Record<string, string | number>>;

/**
 * Sentences that say more than their code's own, each under the code and a word for what it is about; `{{…}}` stands for a
 * value. The command line says them as they are. The console says them in the person's language, by code, word and values.
 */
export const exactSentences = {
  scout_exists: { named: "There is a scout called {{name}} already; choose another name." },
  project_exists: { named: "There is a project called {{name}} already; choose another name." },
  scout_unknown: { removed: "{{name}} was removed meanwhile, and what was tried with it." },
  item_unknown: {
    scoutRemoved: "Its scout was removed, so its text cannot be read here any more: look for it at its source.",
    forgotten:
      "Its home does not know it any more, so its text cannot be read here: what was judged is known for ninety days. Look for it at its source.",
  },
  source_in_use: {
    named: "{{name}} reads this source already; two would propose everything twice.",
    adding: "This source is being added just now, or that broke off; if no scout reads it in a minute, add it again.",
    removing:
      "{{name}} reads this source and is being removed; add it when that has ended. If {{name}} is still listed in a minute, remove it once more.",
  },
  source_credentials_refused: {
    kept: "The source does not accept the password or grant that is kept any more; give another (on the command line by --password-stdin or --password-env, a grant by --settings-stdin).",
  },
  source_unavailable: {
    name: "The name of the source's server is not found; check its spelling, and whether the home is on the network.",
    port: "Nothing takes connections at this port of the source's server; check the port, and whether the server runs.",
    route: "No way leads from the home to the source's server; check the address and the network.",
    slow: "The source has not answered in time; try again in a while, or check the address.",
    silent:
      "A server takes the connection and says nothing, where a mail server greets; check the port: 993, or 143 with STARTTLS (on the command line --tls starttls).",
    cut: "The source's server ends the connection before it answers; try again in a while, or check the port.",
    encrypted:
      "The server speaks TLS from the first byte at this port, and nothing else; choose TLS from the start, the usual (on the command line --tls implicit), or another port.",
    plain:
      "The server does not speak TLS at this port; check the port, and whether the address begins with http or https.",
    certificate:
      "The certificate of the source's server is not valid for its name, has expired, or is signed by nobody the home knows; check the address, or have the certificate mended.",
    other: "Another kind of server answers at this port (a web server, say); check host and port of the mail server.",
    missing: "There is nothing at this address (404); open it in a browser, and give the address where the source is.",
    denied:
      "The source's server denies reading at this address (403): it is not open to everybody, or not to programs. Open it in a browser; if it shows there, ask whoever runs it to let programs read it, else give another address.",
    status: "The source's server answers with an error ({{status}}); try again in a while, or give another address.",
    busy: "The home had nobody free to ask the source, which was not asked; try again in a minute.",
  },
  source_folder_unknown: {
    named:
      "The source has no folder called {{folders}}, or does not open it. Name all that are to be read, as a mail program shows them (on the command line --folder INBOX --folder …).",
  },
  source_unknown: { known: "This home does not read such a source. It reads: {{known}}." },
  source_account_other: {
    both: "{{name}} reads {{own}}, and you chose {{chosen}}; it is as it was. Choose its own account, or add the other: scouts add {{source}}",
    chosen:
      "{{name}} reads another account than {{chosen}}, which you chose; it is as it was. Choose its own account, or add the other: scouts add {{source}}",
    none: "{{name}} reads another account than the one you chose; it is as it was. Choose its own account, or add the other: scouts add {{source}}",
  },
  usage: {
    name: "A name has 1 to {{longest}} characters.",
    reserved: "No project can be called {{name}}: the word takes a task out of its project; choose another name.",
    purpose: "A purpose has 1 to {{longest}} characters.",
    schedule: 'A schedule is a cron expression of five fields in UTC, such as "0 7 * * *".',
    pauseAfterDays: "Give a whole number of days, from 1 to {{longest}}, or nothing for {{usual}}.",
    autoTrash: "This source has no Trash to move spam to.",
    url: "Give a web address, such as https://example.org/feed.xml, without user and password.",
    host: "Give the server by its name, such as imap.example.org.",
    port: "A port is a whole number from 1 to 65535.",
    whole: "Give a whole number.",
    wholeFrom: "Give a whole number, {{least}} or more.",
    wholeBetween: "Give a whole number from {{least}} to {{most}}.",
    path: "Give the whole path on the home's machine: of an mbox file, a Maildir or a folder of .eml.",
    settings: "The source needs other settings than these.",
    field: "Not usable: {{field}}.",
    address: "Give the sender's address, as scouts spam and scouts proposals show it.",
    noMail: "No scout of yours reads mail; scouts add makes one.",
    noSender: "The proposal names no sender with an address, so nobody can be muted.",
    words: "There is nothing to search for: give at least one word.",
    question: "There is no question.",
    folder: "Give the whole path of a folder on this machine, and not the whole disk.",
    systemFolder: "{{path}} belongs to the system and to no person; choose a folder of yours.",
    dataFolder: "{{path}} lies in this device's data folder, which no project may show; choose another one.",
    bucket:
      "Give a bucket as s3://bucket/prefix. In the prefix no part is empty, . or ..; ?, # and % are written %3F, %23 and %25.",
    bucketOption:
      "A bucket's options are endpoint, region, profile and writable=true, as in s3://bucket/prefix?region=eu-central-1.",
    endpoint: "Give the endpoint as a web address without user and password, such as https://minio.example.org.",
  },
  proposal_decided: {
    approved: "The proposal is approved already.",
    rejected: "The proposal is rejected already.",
    closed: "The proposal is closed already: it is gone at its source, or too old.",
    undecided:
      "The proposal was closed because nobody decided it for thirty days. To decide it after all, open it again first: scouts proposals reopen {{id}}",
    scoutRemoved: "The proposal is closed: its scout was removed.",
    elsewhereApproved: "Another device of yours has approved this proposal already.",
    elsewhereRejected: "Another device of yours has rejected this proposal already.",
  },
  value_invalid: {
    snoozePast: "That time is past. Nothing was changed.",
    snoozeClosed:
      "The proposal is closed undecided on {{day}}, before it would come back; choose an earlier time. Nothing was changed.",
    title: "A title has 1 to {{longest}} characters. Nothing was changed.",
    taskTitle:
      "The task that begins with {{begins}} cannot be kept: its title is longer than {{longest}} characters. Mend it in the file. Nothing was taken.",
    taskNote:
      "The task that begins with {{begins}} cannot be kept: its note is longer than {{longest}} characters. Mend it in the file. Nothing was taken.",
    taskDue:
      "The task that begins with {{begins}} cannot be kept: it is due on a day that is not in the calendar. Mend it in the file, such as 2026-11-27. Nothing was taken.",
    name: "A name has 1 to {{longest}} characters. Nothing was changed.",
    fact: "A fact has 1 to {{longest}} characters. Nothing was changed.",
    text: "This text is longer than {{longest}} characters. Nothing was changed.",
    list: "These are more than {{most}}, or one of them is empty or longer than {{longest}} characters. Nothing was changed.",
    end: "This event cannot be kept: its end lies before the start. Nothing was changed.",
    zone: "{{zone}} is not a known time zone; give one such as Europe/Berlin, or floating for the time wherever you are.",
    start: "An event needs a start, such as 2026-11-27T17:00.",
    perMillion: "A price is a number above 0 and at most {{most}}, such as 2.50. Nothing was changed.",
    currency: "A currency has three letters, such as EUR or USD. Nothing was changed.",
  },
  date_invalid: {
    words:
      "{{text}} is not understood as a date. Write it as 2026-11-27 or 2026-11-27T17:00, or in words in English, German, French, Spanish or Italian, such as next Friday.",
    empty:
      "An empty text is not understood as a date. Write it as 2026-11-27 or 2026-11-27T17:00, or in words in English, German, French, Spanish or Italian, such as next Friday.",
    day: "{{text}} is not a day of the calendar; give one that exists, such as 2026-11-27.",
    year: "{{text}} is in the year {{year}}; give a year from 1000 on, such as 2026.",
    time: "{{text}} is not a time of the day; give one such as 17:30.",
    skipped: "On that day clocks are set forward, and no clock shows {{text}}; give a time an hour later or earlier.",
    twoWays: "{{text}} can be read as more than one date; write it as 2026-11-27.",
    endDay: "The event lasts all day, so its end is a day; give one, or a start with a time.",
    endTime: "The event starts at a time, so its end needs one too, such as 18:30.",
    beyond: "The calendar ends with 9999-12-31, and the event would go on beyond that; give an earlier day.",
  },
  change_superseded: {
    newer: "Change {{newer}} is newer and rests on change {{change}}; undo that one first.",
    undone: "Change {{change}} has been undone already.",
    proposal:
      "It was made from a proposal whose decision was taken back; approve that again: scouts proposals show {{id}}",
    there: "The event is there again, as {{id}}: it was taken from a calendar file since. Remove that one first.",
  },
  change_unknown: {
    none: "There is nothing left to undo here; a change that was undone is brought back by undoing the undo, see the history (on the command line --change NUMBER).",
    number: "There is no change {{change}} here; the history lists them.",
  },
  import_invalid: {
    calendar: "This is no iCalendar file (RFC 5545); give one that begins with BEGIN:VCALENDAR. Nothing was taken.",
    noText: "This file holds no text. Choose a text file in UTF-8. Nothing was taken.",
    encoding:
      "This file is no text in UTF-8 or UTF-16: its letters would be lost. Save it as UTF-8 in the program it is from, and take it again. Nothing was taken.",
  },
  approval_ended: {
    approved: "This was approved already, here or elsewhere.",
    refused: "This was refused already, here or elsewhere.",
    expired: "Nobody answered in time, so it was not done; the program may ask again.",
    withdrawn: "The program that asked waits no more: it was stopped, or gave up. Nothing was done.",
  },
  bucket_region: {
    named: "The bucket is in the region {{region}}; link it again with --region {{region}}.",
  },
  folder_unreadable: {
    rules:
      "The project's .scouts.json cannot be understood, so nothing of the project is read or changed; `scouts config check` says what is wrong with it.",
  },
  folder_not_found: {
    at: "Folder not found: {{path}}. Check how it is written, and that it is there.",
    linked:
      "Folder not found: {{path}}. Bring it back (is its drive connected?), or link the project to where it is now: scouts project link {{project}} <folder>",
    emptied:
      "{{path}} is empty, and another folder than the one that was read before: is its drive connected? What is known of its files ({{files}}) is kept. If they are gone for good, unlink the folder and link it again.",
    file: "This is a file and no folder: {{path}}. Give the folder it lies in: {{folder}}",
  },
  request_refused: {
    unreachable: "The home cannot be reached; check the network, or whether it runs.",
    unanswered:
      "The home has not answered, so it is not known whether this was done. See whether it runs (scouts status), and look before you do it again.",
    answer: "The home's answer is not understood: is it another version?",
  },
} as const satisfies Partial<Record<DeviceErrorCode, Readonly<Record<string, string>>>>;

type Exact = typeof exactSentences;

/** The error of a code with one of its exact sentences. @param values what the sentence names */
export function exactError<C extends keyof Exact>(
  code: C,
  about: keyof Exact[C] & string,
  values: SentenceValues = {},
  more: { readonly data?: ErrorData; readonly cause?: unknown } = {},
): DeviceError {
  const templates: Readonly<Record<string, string>> = exactSentences[code];
  const said = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? called(value) : value]),
  );
  const sentence = (templates[about] ?? "").replaceAll(/\{\{(\w+)\}\}/g, (_, name) => String(said[name] ?? ""));
  return new DeviceError(code, { sentence, exact: { about, values: said }, ...more });
}
