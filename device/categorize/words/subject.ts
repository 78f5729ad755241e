/** What a list or a gate has put before a subject: `[EXTERNAL]`, `[garden]`. */
const tags = "(?:\\[[^\\[\\]]{1,40}\\] ?)*";
const count = "(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\))?";
const colon = " ?[:：] ?";

/** What mail programs put before the subject of an answer, and of a mail that is passed on, in their languages. */
const answers =
  "re|aw|antw(?:ort)?|sv|vs|ref|r|rif|odp|res|ynt|atb|bls|vá|απ|σχετ|ответ|відповідь|תגובה|השב|رد|回复|回覆|答复|答覆|返信|답장";
const passes =
  "fwd?|fw|wg|tr|rv|i|enc|vb|vl|pd|doorst|[iİ]lt|trs|yml|továbbítás|πρθ|пересл|הועבר|إعادة توجيه|转发|轉寄|転送|전달";

const answer = new RegExp(`^${tags}(?:${answers})${count}${colon}`, "iu");
const pass = new RegExp(`^${tags}(?:${passes})${count}${colon}`, "iu");
const marks = new RegExp(`^(?:${tags}(?:${answers}|${passes})${count}${colon}){1,20}`, "iu");

/** Whether a mail passes another one on, by its subject. */
export const isPassedOn = (subject: string): boolean => pass.test(subject.trim());

/** Whether a subject is its writer's own, and not of what is answered or passed on. */
export const isOwnSubject = (subject: string): boolean => !answer.test(subject.trim()) && !isPassedOn(subject);

/** A subject without such marks. */
export const withoutMarks = (subject: string): string => subject.trim().replace(marks, "");

/** What gates of firms put before what comes from outside, in brackets, stars or before a colon. */
const outside =
  "(?:external|extern[aeo]?|externí|esterno|ext|внешн(?:ее|яя|ий)|zewnętrzn[ay]|外部(?:邮件|郵件|メール)?|외부(?:메일)?)";
const letter = "(?:[ -](?:e-?mail|mail|sender|message|absender|quelle|source))?";
const gate = new RegExp(
  `^(?:[[(<{*【]{1,3} ?${outside}${letter}[:!]? ?[\\])>}*】]{1,3}[ :-]{0,3}|${outside}${letter}${colon})`,
  "iu",
);
const mostMarks = 20;

/** What a thing that is made of a mail is called: its subject without the marks of answers and of gates, where there is more. */
export function titleOfSubject(subject: string): string {
  let title = subject.trim();
  for (let round = 0; round < mostMarks; round += 1) {
    const less = withoutMarks(title).replace(gate, "").trim();
    if (less === title || less === "") break;
    title = less;
  }
  return title;
}
