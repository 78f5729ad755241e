import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { textOf } from "../../../device/folders/extraction/text/decode-text.ts";

/** Sentences written for this test, short ones among them, and the encodings that programs have written them in. */
const sentences: readonly [language: string, encodings: readonly string[], texts: readonly string[]][] = [
  [
    "Russian",
    ["koi8-r", "cp866", "win1251", "iso-8859-5"],
    [
      "Привет, Анна!",
      "Встреча переносится на четверг.",
      "Список дел:\n1. Купить хлеб\n2. Позвонить врачу",
      "Уважаемые коллеги, отчёт за третий квартал готов; просьба прислать замечания до пятницы.",
    ],
  ],
  [
    "Ukrainian",
    ["win1251", "koi8-u"],
    ["Зустріч відбудеться у п'ятницю, її перенесли.", "Дякую за лист і за допомогу!"],
  ],
  ["Bulgarian", ["win1251"], ["Срещата е в сряда от десет часа.", "Благодаря за бързия отговор."]],
  [
    "Japanese",
    ["shift_jis", "euc-jp"],
    ["会議は木曜日です。", "お疲れ様です。資料を送ります。", "テスト結果の一覧", "庭のポンプは物置の後ろにあります。"],
  ],
  ["Chinese, simplified", ["gb18030"], ["会议改到星期四下午。", "请把报告发给我，谢谢。", "这个项目的文件都在这里。"]],
  ["Chinese, traditional", ["big5"], ["會議改到星期四下午。", "請把報告發給我，謝謝。", "這個專案的文件都在這裡。"]],
  ["Korean", ["euc-kr"], ["회의는 목요일입니다.", "자료를 보내 드립니다.", "정원의 펌프는 창고 뒤에 있습니다."]],
  ["German", ["win1252"], ["Grüße aus München, schöne Woche!", "Die Straße ist gesperrt.", "Größe: 12 °C"]],
  ["French", ["win1252"], ["Réunion à dix heures, déjà prévue.", "Ça va très bien, à bientôt."]],
  ["Spanish", ["win1252"], ["La reunión será mañana a las diez.", "¿Qué pasó con el informe?"]],
  ["Polish", ["win1250"], ["Spotkanie będzie we środę, proszę o potwierdzenie.", "Zażółć gęślą jaźń"]],
  [
    "Czech",
    ["win1250"],
    ["Schůzka bude ve středu, děkuji za odpověď.", "Příliš žluťoučký kůň", "Příloha", "Antonín Dvořák"],
  ],
  ["Greek", ["win1253"], ["Η συνάντηση είναι την Πέμπτη.", "Ευχαριστώ πολύ για την απάντηση."]],
  ["Hebrew", ["win1255"], ["הפגישה ביום חמישי.", "תודה רבה על התשובה המהירה."]],
  ["Thai", ["win874"], ["การประชุมเลื่อนไปเป็นวันพฤหัสบดี", "ขอบคุณมากครับ"]],
  // A text of ASCII with a sign in it that other encodings have as a letter.
  [
    "English",
    ["win1252"],
    ["It costs £5.00 then.", "A\u00a0space\u00a0that does not break.", "•First of all\n•Then the rest"],
  ],
  ["Danish, Norwegian", ["win1252"], ["Søren Kjær", "Ægir Øystein", "Mødet er på onsdag, tak for svaret."]],
  ["Chinese, of few words", ["gb18030"], ["网站改版通知！！！", "会议通知", "北京市朝阳区建国路八十八号"]],
  ["Japanese, of few words", ["euc-jp"], ["ご注文の確認"]],
  ["Arabic", ["win1256"], ["الاجتماع يوم الخميس.", "شكرا جزيلا على الرد السريع."]],
];

const cases = sentences.flatMap(([language, encodings, texts]) =>
  encodings.flatMap((encoding) => texts.map((text) => [language, encoding, text] as const)),
);

describe("nothing silent: text of another age is read as it was written", () => {
  test.each(cases)("%s in %s: %s", (_, encoding, text) => {
    expect(textOf(iconv.encode(text, encoding))).toBe(text);
  });

  test("also where it begins late, and behind a sign that tells nothing", () => {
    const text = `\u00a9 2009 ${"Nothing but English here. ".repeat(4_000)}Встреча переносится на четверг.`;
    expect(textOf(iconv.encode(text.replace("\u00a9", "(c)"), "win1251"))).toBe(text.replace("\u00a9", "(c)"));
    expect(textOf(iconv.encode(text, "win1251"))).toBe(text);
  });
});
