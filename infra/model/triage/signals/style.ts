import { fold, withoutAddresses, words } from "../text.ts";
import { brokenWords } from "./broken-words.ts";
import { disguisedWords, unsayable } from "./disguise.ts";
import { jumbledWords } from "./jumbled-words.ts";
import { misspeltWords } from "./misspelt-words.ts";
import { randomWords } from "./random-words.ts";
import { count, type Setter, saturate } from "./signal.ts";
import { unrelatedWords } from "./unrelated-words.ts";

export const automatic =
  /do not reply|don't reply|please do not respond|automat\w{1,12} (?:message|notification|generated|erstellt|e-?mail)|automatisch (?:erstellt|generiert|versendet)|nicht auf diese|ne pas repondre|ne repondez pas|message automatique|no responda|mensaje automatico|non rispondere|messaggio automatico|nao responda|mensagem automatica|niet beantwoorden|automatisch bericht|nie odpowiadaj|не отвечаите|автоматическ|请勿回复|自动发送|返信しないで|自動送信|返信はできません|회신하지|발신전용|自動配信/;

const listNotice = /-(?:request|owner|bounces|confirm|admin)\b[+\w-]{0,64}@|mailman\/\w|listinfo|majordomo@|listserv@/i;

/** How it is written: tone, length, quotations, greetings. */
export function styleSignals(set: Setter, subject: string, body: string): void {
  const letters = count(body, /\p{L}/gu);
  const capitals = count(body, /\p{Lu}/gu);
  const bodyWords = words(fold(body));
  const per = (value: number): number => value / (bodyWords.length + 20);
  const subjectLetters = count(subject, /\p{L}/gu);
  set("automatic wording", automatic.test(fold(body)) ? 1 : 0);
  set("list's own notice", listNotice.test(body) ? 1 : 0);
  set(
    "list footer",
    /^_{20,}\s*$|mailing list\b.{0,80}(?:\n|$)|listinfo|to unsubscribe,? (?:e-?mail|send)|-unsubscribe@|posting to|hat geschrieben|newsgroup|usenet/im.test(
      body,
    )
      ? 1
      : 0,
  );
  set("names its page", /^URL: +https?:\/\//m.test(body) ? 1 : 0);
  set(
    "code shown",
    /(?<![\d.,:/-])\d{3}[ -]?\d{3}(?![\d.,:/-])|(?<![\d.,:/-])\d{4}(?![\d.,:/-])/.test(subject) ? 1 : 0,
  );
  set("subject is a reply", /^\s*(?:re|aw|sv|antw|res|ref)(?:\[\d+\])?\s*:/i.test(subject) ? 1 : 0);
  set("subject is forwarded", /^\s*(?:fwd?|wg|enc|tr)\s*:/i.test(subject) ? 1 : 0);
  set("subject shouts", subjectLetters > 8 && count(subject, /\p{Lu}/gu) / subjectLetters > 0.6 ? 1 : 0);
  set("subject exclaims", saturate(count(subject, /!/g), 1));
  set("subject asks", subject.includes("?") ? 1 : 0);
  set("subject with emoji", /\p{Extended_Pictographic}/u.test(subject) ? 1 : 0);
  set("subject with money or percent", /[$€£%]|\b(?:usd|eur|rs)\b/i.test(subject) ? 1 : 0);
  set("subject ends with dots", /(?:\.\.|…)$/.test(subject.trimEnd()) ? 1 : 0);
  const plain = fold(`${subject} ${body}`);
  const spoken = withoutAddresses(plain);
  set("disguised words", saturate(disguisedWords(plain) + misspeltWords(spoken).length, 0.5));
  set("broken words", saturate(brokenWords(spoken), 0.5));
  set("random words", saturate(randomWords(withoutAddresses(`${subject} ${body}`)), 1));
  set("unrelated words", unrelatedWords(withoutAddresses(body)));
  set("jumbled words", jumbledWords(withoutAddresses(fold(body))));
  set("unsayable words", saturate(per(unsayable(fold(body))), 0.02));
  set(
    "greets by name",
    /^\W{0,3}(?:dear|hi|hello|hey|hallo|liebe[rs]?|moin|servus|bonjour|salut|cher|chere|hola|querid[oa]|ola|oi|caro|cara|ciao|beste|hoi|czesc|привет|здравствуи\S*|дорог\S*|merhaba|sevgili|selam)\s+(?!customer|user|friend|sir|member|client|subscriber|account|beneficiary|kunde|kundin|cliente|klant)\p{L}{2,14}\s*[,!.\n-]/u.test(
      fold(body),
    )
      ? 1
      : 0,
  );
  set(
    "template not filled in",
    /\{\{\w+\}\}|%[A-Z_]{4,}%|%[ ]?(?:rnd|RND) ?_|%RANDOM_|\[\[\w+\]\]|\{%\w+%\}/.test(`${subject} ${body}`) ? 1 : 0,
  );
  set("subject alone", bodyWords.length === 0 && subjectLetters > 0 ? 1 : 0);
  set("body empty", bodyWords.length === 0 ? 1 : 0);
  set("body very short", bodyWords.length < 15 ? 1 : 0);
  set("body short", bodyWords.length < 60 ? 1 : 0);
  set("body long", bodyWords.length > 250 ? 1 : 0);
  set("body shouts", letters > 40 ? saturate(Math.max(0, capitals / letters - 0.08), 0.1) : 0);
  set("body exclaims", saturate(per(count(body, /!/g)), 0.02));
  set("body asks", saturate(per(count(body, /\?/g)), 0.01));
  set(
    "body with money",
    saturate(
      count(body, /[$€£¥￥₽]\s?\d|\d\s?(?:[$€£¥￥₽元円원]|万元)|\d\s?(?:usd|eur|dollars|euros?|rmb|руб|zł)\b/giu),
      1,
    ),
  );
  set("body with percent", saturate(count(body, /\d\s?%/g), 1));
  set("body with emoji", saturate(count(body, /\p{Extended_Pictographic}/gu), 3));
  set("addresses shown", saturate(count(body, /https?:\/\/|www\./gi), 2));
  set("numbers as address", /https?:\/\/\d{1,3}(?:\.\d{1,3}){3}/.test(body) ? 1 : 0);
  set("quoted lines", saturate(count(body, /^[^\S\r\n\u2028\u2029]*[>|]/gm), 1));
  set(
    "quotes a mail",
    /\bwrote:|\bschrieb:|a écrit\s?:|escribió:|escreveu:|^-+\s?original message/im.test(body) ? 1 : 0,
  );
  set("code signs", saturate(per(count(body, /[{}[\]<>=_\\|;#*]/g)), 0.15));
  set(
    "first person",
    saturate(per(count(fold(body), /\b(?:i|i'm|i've|i'd|i'll|me|my|ich|mir|mich|je|j'ai|yo|eu|ik)\b/g)), 0.02),
  );
  set(
    "second person",
    saturate(
      per(
        count(
          fold(body),
          /\b(?:you|your|yours|sie|ihr|ihre|ihren|ihrem|ihnen|vous|votre|vos|usted|su|sus|voce|seu|sua|seus|suas|u|uw|je|jouw)\b/g,
        ),
      ),
      0.03,
    ),
  );
  set(
    "greets by address",
    /\b(?:dear|hello|hi|hallo|bonjour|hola|ola|beste|attn|attention)[:,]?\s+[\w.+-]+@[\w.-]+/i.test(body) ? 1 : 0,
  );
  set("long unbroken token", /[a-z0-9]{25,}/i.test(body) ? 1 : 0);
  set("dotted or ruled lines", /[.·_=*~-]{40,}/.test(body) ? 1 : 0);
}
