import type { ItemView } from "../../../device/categorize/item-view.ts";
import type { Category, Priority } from "../../../events/proposals/categorize.ts";
import type { ProposalMetadata } from "../../../events/proposals/metadata.ts";
import { ada, type CategorizeCase, type Entity, item, known } from "../case.ts";

interface Row {
  readonly name: string;
  readonly item: Partial<Omit<ItemView, "metadata">>;
  readonly metadata: Partial<ProposalMetadata> | null;
  readonly stranger?: true;
  readonly is: readonly [Category, Priority];
  readonly entity?: Entity;
}

const bulk = { relation: "bulk" } as const;
const program = { automatic: true } as const;
const noReply = { sender: { name: "Bank", address: "no-reply@bank.example" } } as const;
const text = "Please confirm your address by Friday.";

const rows: readonly Row[] = [
  {
    name: "a newsletter (RFC 2369 List-Unsubscribe)",
    item: { text, reasonCode: "newsletter" },
    metadata: bulk,
    is: ["automatic", "none"],
  },
  {
    name: "advertising sent to many",
    item: { text, reasonCode: "marketing" },
    metadata: bulk,
    is: ["automatic", "none"],
  },
  {
    name: "a notification (RFC 3834 Auto-Submitted)",
    item: { text, reasonCode: "notification" },
    metadata: program,
    is: ["automatic", "none"],
  },
  {
    name: "a program's mail of no usual kind",
    item: { text, reasonCode: "other" },
    metadata: program,
    is: ["automatic", "none"],
  },
  {
    name: "an address nobody reads",
    item: { text, reasonCode: "notification" },
    metadata: noReply,
    is: ["automatic", "none"],
  },
  {
    name: "an address nobody reads, with a tag",
    item: { text, reasonCode: "notification" },
    metadata: { sender: { name: "", address: "noreply+abc@bank.example" } },
    is: ["automatic", "none"],
  },
  {
    name: "the mail system itself",
    item: { text: "Undelivered mail", reasonCode: "notification" },
    metadata: { sender: { name: "", address: "MAILER-DAEMON@mx.example" } },
    is: ["automatic", "none"],
  },
  {
    name: "a notice about an account",
    item: { text, reasonCode: "account_or_security" },
    metadata: noReply,
    is: ["actionable_only", "soon"],
  },
  {
    name: "a sign-in code",
    item: { text: "Your code is 123456.", reasonCode: "account_or_security" },
    metadata: program,
    is: ["actionable_only", "soon"],
  },
  {
    name: "a bill in words, with a day",
    item: { text: "Your bill of 12 EUR is due on 27 November 2026.", reasonCode: "invoice_or_payment" },
    metadata: noReply,
    is: ["task", "later"],
    entity: { due: "2026-11-27", quotes: ["Your bill of 12 EUR is due on 27 November 2026."] },
  },
  {
    name: "a bill in words, due tomorrow, of a stranger",
    item: { text: "Your bill is due by tomorrow.", reasonCode: "invoice_or_payment" },
    metadata: noReply,
    stranger: true,
    is: ["task", "later"],
    entity: { due: "2026-11-19", quotes: ["Your bill is due by tomorrow."] },
  },
  {
    name: "a bill in words, due tomorrow, of somebody known",
    item: { text: "Your bill is due by tomorrow.", reasonCode: "invoice_or_payment" },
    metadata: noReply,
    is: ["task", "now"],
    entity: { due: "2026-11-19", quotes: ["Your bill is due by tomorrow."] },
  },
  {
    name: "a receipt",
    item: { text: "Thanks for your payment.", reasonCode: "invoice_or_payment" },
    metadata: noReply,
    is: ["information", "none"],
  },
  {
    name: "a parcel in words",
    item: { text: "Your parcel is on its way.", reasonCode: "delivery_or_travel" },
    metadata: noReply,
    is: ["information", "none"],
  },
  {
    name: "an appointment in words, by a program",
    item: { text: "Your appointment.", reasonCode: "calendar" },
    metadata: noReply,
    is: ["information", "none"],
  },
  {
    name: "a post to a list asks everybody (RFC 2369 List-Post)",
    item: { text: "Could you please review this by Friday?", reasonCode: "personal" },
    metadata: { relation: "list", listId: "dev.example.org" },
    is: ["information", "none"],
  },
  {
    name: "a post to a list that names the reader",
    item: { text: "Could you please review this by Friday?", reasonCode: "personal" },
    metadata: { relation: "to", listId: "dev.example.org" },
    is: ["task", "soon"],
    entity: { due: "2026-11-20", quotes: ["Could you please review this by Friday?"] },
  },
  {
    name: "in copy",
    item: { text: "Please have a look by Friday.", reasonCode: "work_request" },
    metadata: { relation: "cc" },
    is: ["task", "soon"],
    entity: { due: "2026-11-20", quotes: ["Please have a look by Friday."] },
  },
  {
    name: "nothing known of it: a person's, by its code",
    item: { text: "Please send it.", reasonCode: "personal" },
    metadata: null,
    is: ["task", "later"],
    entity: { quotes: ["Please send it."] },
  },
  {
    name: "nothing known of it: a newsletter, by its code",
    item: { text: "Please subscribe.", reasonCode: "newsletter" },
    metadata: null,
    is: ["automatic", "none"],
  },
  {
    name: "without a subject the first words stand for it",
    item: { subject: "", text: "All is well here.", reasonCode: "personal" },
    metadata: {},
    is: ["information", "later"],
    entity: { title: "All is well here." },
  },
  {
    name: "without any word",
    item: { subject: "", text: "", reasonCode: "personal" },
    metadata: {},
    is: ["information", "later"],
    entity: { title: "(no subject)" },
  },
  {
    name: "a subject with controls in it is one line",
    item: { subject: "Hello\u202e\n there", text: "", reasonCode: "personal" },
    metadata: {},
    is: ["information", "later"],
    entity: { title: "Hello there" },
  },
  {
    name: "an invitation in a newsletter is an invitation",
    item: {
      reasonCode: "newsletter",
      calendars: [
        "BEGIN:VCALENDAR\r\nMETHOD:PUBLISH\r\nBEGIN:VEVENT\r\nUID:n@example.org\r\nSUMMARY:Fair\r\nDTSTART;VALUE=DATE:20261205\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
      ],
    },
    metadata: bulk,
    is: ["event", "later"],
    entity: {
      title: "Fair",
      start: "2026-12-05",
      end: "2026-12-06",
      isAllDay: true,
      uid: "n@example.org",
      status: "confirmed",
    },
  },
];

export const howItCameCases: readonly CategorizeCase[] = rows.map(
  ({ name, item: given, metadata, stranger, is, entity = {} }) => ({
    name: `how it came: ${name}`,
    item: item({ ...given, metadata: metadata === null ? null : { ...ada, ...metadata } }),
    known: known({ isSenderKnown: stranger !== true }),
    category: is[0],
    priority: is[1],
    entity,
  }),
);
