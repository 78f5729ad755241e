import type { ReasonCode } from "../../../../events/proposals/verdict.ts";
import type { Features } from "../features.ts";
import { conceptCounts } from "../lexicon/concepts.ts";
import type { Concept } from "../lexicon/lexicon.ts";
import { fold, plainText } from "../text.ts";
import type { MailView } from "../view.ts";
import { type KindEvidence, kindOf } from "./kind-of.ts";
import type { MailKind } from "./mail-kinds.ts";

/** What a rule may look at. */
interface Evidence {
  /** A concept's occurrences in the body, those in the subject counting three times. */
  readonly weight: (concept: Concept) => number;
  readonly has: (signal: string) => boolean;
  readonly says: (expression: RegExp) => boolean;
  readonly files: string;
}

type Rule = readonly [code: ReasonCode, points: (evidence: Evidence) => number];

/** An invitation as its card (shared/scouts/connectors/mail/text/calendar.ts) or its subject says it, not a date somebody writes of. */
const invitationCard =
  /^(?:invitation|cancelled|answer to an invitation|another time proposed|event): .*\n(?:when|wann|quand|cuando|quando): /m;
const invitationSubject =
  /^(?:(?:re|fwd?|aw|wg)\s*:\s*)*(?:(?:updated |canceled |cancelled |accepted |declined |tentative )?(?:invitation|event)|einladung|abgesagt|zugesagt|abgelehnt|invitation|annule|accepte|invitacion|cancelado|aceptado|invito|annullato|convite|uitnodiging|zaproszenie|приглашение|会议邀请|会議の招待|초대)(?: \p{L}+){0,2}\s*[:：]/u;

const executable = /\.(?:exe|scr|js|vbs|iso|img|lnk|bat|cmd|jar|hta|wsf|ps1|xlsm|docm)\b/i;
const travel =
  /\b(?:flight|itinerary|boarding|booking|reservation|check-in|hotel|flug\w*|buchung\w*|zugticket|bahnticket|reise\w*|reservierung\w*|vol|reserva|reservacion|vuelo|volo|prenotazione|vlucht|boeking|lot|rezerwacja|реис|бронирован\p{L}*)(?![\p{L}])|航班|预订|予約|예약|항공/u;
const request =
  /\b(?:could you|can you|would you|please (?:review|send|check|confirm|reply|sign|let|find attached)|need (?:you|your)|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|end of)|konnten sie|konntest du|kannst du|bitte (?:schick|prufe|send|gib)\w*|pouvez-vous|peux-tu|merci de|puedes|podrias|podria|puo |puoi |potrebbe|pode|poderia|kun je|kunt u|czy moze|prosze o)\b|пожалуиста|посмотрите|请在|ご確認|いただけますか|확인해 주|주시겠/u;
const work =
  /\b(?:contract|draft|meeting|agenda|report|figures|numbers|project|client|customer|invoice|budget|deadline|office|vertrag|entwurf|besprechung|bericht|zahlen|projekt|kunde|angebot|buro|contrat|reunion|projet|rapport|contrato|reunion|informe|proyecto|contratto|riunione|progetto|reuniao|relatorio|vergadering|umow\w*|spotkanie|raport)\b|договор|совещан|отч|合同|会议|契約|会議|계약|회의|보고/u;

const phishing: Rule = [
  "phishing",
  ({ weight, has }) =>
    (has("brand in name, not in address") ? 3 : 0) +
    (has("sender disguised") || has("mixed scripts in subject") ? 2 : 0) +
    Math.min(2, weight("account") + weight("mailbox")) +
    Math.min(3, weight("verify") + weight("suspended") + weight("credential")),
];
const malware: Rule = [
  "malware",
  ({ says, files }) =>
    (executable.test(files) ? 8 : 0) +
    (says(executable) ? 4 : 0) +
    (says(/enable (?:content|macros|editing)|inhalte? aktivieren|makros aktivieren/) ? 6 : 0) +
    (says(/password (?:for|to open|of) the (?:archive|attachment|file|zip)/) ? 6 : 0),
];
const scam: Rule = [
  "scam",
  ({ weight }) =>
    Math.min(4, weight("inheritance")) + Math.min(2, weight("fortune")) + 1.5 * Math.min(4, weight("crypto")),
];
const indecent: Rule = [
  "adult_or_pharma",
  ({ weight, has }) =>
    4 * Math.min(2, weight("drug")) +
    2 * Math.min(4, weight("adult")) +
    Math.min(4, weight("pharma")) +
    2 * Math.min(4, weight("gambling")) +
    (has("disguised words") ? 2 : 0),
];

/** Of each kind the codes it may have; the rule with the most points decides, and the first code when none has any. */
const unwantedRules: Readonly<Record<"advertising" | "phishing" | "fraud", readonly Rule[]>> = {
  advertising: [["marketing", () => 3], indecent, malware, scam],
  phishing: [["phishing", () => 3.5], malware],
  fraud: [["scam", () => 1], malware, phishing],
};
const transactional: readonly Rule[] = [
  ["notification", ({ has }) => (has("automatic wording") ? 1.5 : 1)],
  ["invoice_or_payment", ({ weight }) => Math.min(6, weight("payment")) + Math.min(3, weight("receipt"))],
  ["delivery_or_travel", ({ weight, says }) => (says(travel) ? 3 : 0) + 1.5 * Math.min(4, weight("parcel"))],
  [
    "account_or_security",
    ({ weight, has }) =>
      1.5 * Math.min(4, weight("credential")) +
      Math.min(2, weight("security")) +
      (has("code shown") && weight("credential") > 0 ? 2 : 0),
  ],
];

/** The code of a mail: whether it invites, else its kind ({@link kindOf}), and what of that kind it is about. */
export function reasonCodeOf(view: MailView, features: Features, by: KindEvidence, spam: boolean): ReasonCode {
  const subject = fold(plainText(view.subject).text);
  const body = fold(plainText(view.body).text);
  const inSubject = conceptCounts(subject);
  const inBody = conceptCounts(body);
  const evidence: Evidence = {
    weight: (concept) => 3 * (inSubject.get(concept) ?? 0) + (inBody.get(concept) ?? 0),
    has: (signal) => features.signals.has(signal),
    says: (expression) => expression.test(subject) || expression.test(body),
    files: view.header?.attachments ?? "",
  };
  const kind = kindOf(view, features, by, spam);
  if (!spam && (invitationCard.test(body) || invitationSubject.test(subject) || /\.ics\b/i.test(evidence.files))) {
    return "calendar";
  }
  return codeOf(kind, evidence);
}

function codeOf(kind: MailKind, evidence: Evidence): ReasonCode {
  const { weight, says } = evidence;
  switch (kind) {
    case "personal":
      return says(request) && (says(work) || weight("technical") > 0) ? "work_request" : "personal";
    case "list":
      return "list";
    case "newsletter":
      return weight("discount") + weight("offer") > weight("publication") + weight("campaign") + 1
        ? "marketing"
        : "newsletter";
    case "transactional":
      return most(transactional, evidence);
    default:
      return most(unwantedRules[kind], evidence);
  }
}

function most(rules: readonly Rule[], evidence: Evidence): ReasonCode {
  let best: ReasonCode = "other";
  let reachedMost = 0;
  for (const [code, points] of rules) {
    const reached = points(evidence);
    if (reached > reachedMost) {
      reachedMost = reached;
      best = code;
    }
  }
  return best;
}
