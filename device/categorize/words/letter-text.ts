/** How much of a letter is looked at: what somebody wants stands at its front, or in a line of its own. */
export const mostCharacters = 20_000;

const oneOf = (...forms: readonly string[]) => forms.join("|");

/** Where an answer begins to repeat what it answers, as mail programs write it in their languages. */
const repeats = new RegExp(
  `^(?:${oneOf(
    "-{2,} ?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|ursprungligt meddelande|wiadomość oryginalna|исходное сообщение|原始邮件|原始郵件|元のメッセージ|원본 (?:메시지|메일)) ?-{2,}",
    "on .{4,200} wrote:",
    "am .{4,200} schrieb.{0,120}:",
    "le .{4,200} a écrit ?:",
    "el .{4,200} escribió:",
    "il .{4,200} ha scritto:",
    "op .{4,200} schreef.{0,120}:",
    "(?:em|no dia) .{4,200} escreveu:",
    "(?:den )?(?=.{0,20}\\d).{4,200} skrev.{0,120}:",
    "(?=.{0,40}\\d).{4,200} (?:пишет|написал(?:а|\\(а\\))?|писал(?:а|\\(а\\))?|napisał(?:a|\\(a\\))?|napsal(?:a|\\(a\\))?|yazdı) ?:",
    "(?=.{0,20}\\d).{4,200}(?:写道|寫道|書きました|のメール|작성) ?[:：]",
  )})\\s*$`,
  "iu",
);
/** The end of such a line that was too long for one. */
const repeatsEnd = /^(?:<[^<>]{3,120}> ?)?(?:(?:wrote|schrieb|a écrit|escribió|ha scritto) ?)?:$/iu;
/** Into so many lines one is broken at most, if it begins with a word that tells so. */
const repeatsLines = 4;
const repeatsStart = /^(?:on|am|le|el|il|op|em|no|den) /iu;
/** Where a mail begins that is passed on. */
const passesOn =
  /^(?:-{2,} ?(?:forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato) ?-{2,}|(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié|inizio messaggio inoltrato) ?:)\s*$/iu;
/** The fields that stand above a mail within another, as Outlook and others write them in their languages; the sender's comes first. */
const firstField = /^\*?(?:from|von|de|da|van|från|fra|od|от|发件人|寄件者|差出人|送信者|보낸 ?사람) ?[:：]\*? ?\S/iu;
const laterField = new RegExp(
  `^\\*?(?:${oneOf(
    "sent|date|to|cc|subject",
    "gesendet|datum|an|betreff",
    "envoyé|objet|à",
    "enviad[oa](?: el| em)?|fecha|para|asunto|assunto",
    "inviato|data|a|oggetto",
    "verzonden|aan|onderwerp",
    "skickat|sendt|till?|ämne|emne",
    "wysłano|do|temat|odesláno|komu|předmět",
    "отправлено|дата|кому|копия|тема",
    "发送时间|日期|收件人|抄送|主题|寄件日期|收件者|副本|主旨",
    "送信日時|日時|宛先|件名",
    "보낸 ?날짜|날짜|받는 ?사람|제목",
  )}) ?[:：]`,
  "iu",
);
/** Of the lines behind the first field, how many are looked at, and how many have to be fields. */
const block = { lines: 4, fields: 2 } as const;

/** What somebody has written, and the mail they pass on below it. */
export interface Letter {
  readonly own: string;
  /** Without the fields above it; empty where none is passed on. */
  readonly passedOn: string;
}

/**
 * Takes a letter apart at the first line that begins another one: what an answer repeats goes.
 *
 * @param isForward whether its subject says that it passes one on: programs write the same above both
 */
export function takenApart(text: string, isForward: boolean): Letter {
  const lines = text.slice(0, mostCharacters).split("\n");
  for (const [at, line] of lines.entries()) {
    const trimmed = line.trim();
    const isPassed = passesOn.test(trimmed);
    if (!isPassed && !repeatsAt(lines, at) && !isBlock(lines, at)) continue;
    const own = lines.slice(0, at).join("\n");
    if (!isPassed && !isForward) return { own, passedOn: "" };
    const below = lines.slice(isBlock(lines, at) ? at : at + 1);
    const first = below.findIndex((each) => !firstField.test(each.trim()) && !laterField.test(each.trim()));
    return { own, passedOn: below.slice(Math.max(0, first)).join("\n") };
  }
  return { own: lines.join("\n"), passedOn: "" };
}

function repeatsAt(lines: readonly string[], at: number): boolean {
  let joined = (lines[at] ?? "").trim().slice(0, 300);
  if (repeats.test(joined)) return true;
  if (!repeatsStart.test(joined)) return false;
  for (const line of lines.slice(at + 1, at + repeatsLines)) {
    joined = `${joined} ${line.trim().slice(0, 300)}`;
    // What runs over several lines and names no time and no address may be somebody's own.
    if (repeats.test(joined)) return repeatsEnd.test(line.trim()) || /\d[:.]\d\d|@/.test(joined);
  }
  return false;
}

function isBlock(lines: readonly string[], at: number): boolean {
  if (!firstField.test((lines[at] ?? "").trim())) return false;
  const behind = lines.slice(at + 1, at + 1 + block.lines);
  return behind.filter((line) => laterField.test(line.trim())).length >= block.fields;
}
