import { describe, expect, test } from "vitest";
import { featuresOf } from "../../infra/model/triage/features.ts";
import { misspeltWords } from "../../infra/model/triage/signals/misspelt-words.ts";
import { randomWords } from "../../infra/model/triage/signals/random-words.ts";
import { unrelatedWords } from "../../infra/model/triage/signals/unrelated-words.ts";

const signalsOf = (view: { readonly subject?: string; readonly body?: string }) =>
  featuresOf({ subject: "Minutes", sender: "Ada Berg <ada.berg@example.org>", body: "See below.", ...view }).signals;

describe("a word of advertising that is spelled so that filters do not know it is seen", () => {
  test.each([
    ["a letter said twice", "cheeap"],
    ["inner letters in another order", "prescripiton"],
    ["a letter too many", "medicaytion"],
    ["a letter too many in a name", "vkiagra"],
  ])("%s", (_how, word) => expect(misspeltWords(`order ${word} here`)).toEqual([word]));

  test("and counts against its mail", () => {
    expect(signalsOf({ body: "Our prescripiton is cheeap" }).has("disguised words")).toBe(true);
  });

  test("where it is written once or ten times", () => {
    expect(misspeltWords("cheeap, cheeap and cheeap")).toEqual(["cheeap"]);
  });
});

test.each([
  ["as it should be", "the cheapest medications, shipped at a discount; discounted tablets, lenders and watches"],
  [
    "in other languages",
    "precis, orgasmo, tabletas, meditacion, paiement, watchers, degré, ordner, casinos, discutons",
  ],
  ["in an address", "see cheeap.example and wnidows@example.org"],
  ["in code", "data.frame(cheeap_tablets)"],
])("a word %s is misspelt by nobody", (_how, text) => expect(misspeltWords(text)).toEqual([]));

describe("rows of letters nobody speaks", () => {
  test("are counted once each", () => {
    expect(randomWords("jqznawq wvxvxm qvxtoz jqznawq")).toBe(3);
    expect(signalsOf({ body: "Save now jqznawq wvxvxm" }).has("random words")).toBe(true);
  });

  test.each([
    ["German", "Angstschweiß, Rechtschreibung, Wirtschaftsprüfung, Jauchzt"],
    ["Dutch", "tijdelijk, vrijwilligers, wijk, lijkje, bijkomend, opvallend"],
    ["Polish", "Brzęczyszczykiewicz, przystań, wszystkich, źdźbło"],
    ["Czech", "čtvrtek, zmrzlina, předseda, vyjmenovaná, nejvhodnější"],
    ["Hungarian and Finnish", "egyszerű, gyümölcs, yhteyttä, jälkeen"],
    ["Turkish and Vietnamese", "görüşürüz, sevgilerimle, nguyễn, phương, không"],
    ["transcribed Chinese, Japanese and Korean", "xiexie, zhongguo, qingdao, xuexi, tsukuba, hyundai, gyeongju"],
  ])("%s has none", (_language, text) => expect(randomWords(text.toLowerCase())).toBe(0));

  test("are not what people and parts of programs are called by", () => {
    expect(randomWords("ZmnSCPxj QXmlQxReader qqnorm data")).toBe(1);
  });

  test("stand neither in addresses nor in what programs say", () => {
    expect(
      randomWords("https://qzxjvk.example/wxqzvb jzqxwv@example.org --qzxjvk a_qzxjvk_b /var/qzxjvk jzqxv.example"),
    ).toBe(0);
  });
});

describe("words drawn from a dictionary, put beside an offer", () => {
  const drawn =
    "obstinate granite cathedral migration velvety orbital nervous pillage marmalade tectonic plausible lantern gratitude abrasive harbour cosmetic wooden liquidity tangible furnace";

  test("are seen as such", () => {
    expect(unrelatedWords(`Save on software today!\n\n${drawn}`)).toBe(1);
    expect(unrelatedWords(drawn.replace("cathedral", "cathedral.").replace("harbour", "harbour!"))).toBe(1);
    expect(signalsOf({ body: drawn }).get("unrelated words")).toBe(1);
  });

  test.each([
    [
      "a sentence",
      "We were discussing the migration of the orbital furnace and its plausible, tangible and obstinate cost to the harbour.",
    ],
    [
      "names",
      `Attending: ${"ken mark sally greg wes tim rick janet dan jim jeff steve mike brian paul kevin bob tom sue chad ".repeat(2)}`,
    ],
    [
      "names written as names",
      `Attending: ${"Christopher Behney Diana Allen Martin Bucknell Gregory Black Michael Clark ".repeat(4)}`,
    ],
    ["a list", drawn.replaceAll(" ", "\n")],
    ["topics", drawn.replaceAll(" ", ", ")],
    ["numbers", drawn.replaceAll(" ", " 12 ")],
    ["German", "Vorstandssitzung Tagesordnung Haushaltsplanung Genehmigung ".repeat(6).toLowerCase()],
    [
      "Finnish",
      "kokouksessa käsiteltiin seuraavan vuoden talousarviota hallituksen ehdotuksen pohjalta keskustelun jälkeen ".repeat(
        3,
      ),
    ],
    ["Chinese", "会议纪要请查收谢谢大家的参与和支持".repeat(5)],
    ["nothing", ""],
  ])("are not %s", (_what, text) => expect(unrelatedWords(text)).toBe(0));
});

describe("what says of itself that it is advertising", () => {
  test.each([
    "ADV: A new roof",
    "[ adv ] Prints",
    "Re: ADV: Toner",
    "[garden-list] ADV: Seeds",
    "(광고) 무료",
    "未承諾広告※お得",
    "(AD) 培训",
  ])("%s is taken at its word", (subject) => expect(signalsOf({ subject }).has("says it is advertising")).toBe(true));

  test.each([
    "Advent calendar",
    "AD 2026: the plan",
    "Adv. course on Tuesday",
    "广告部会议纪要",
    "Ad hoc meeting",
    "Our ad: second draft",
  ])("%s does not say so", (subject) => expect(signalsOf({ subject }).has("says it is advertising")).toBe(false));
});

describe("who fills a post", () => {
  const chinese =
    "招聘：工作职责：软件开发；任职要求：本科以上学历，相关经验两年。简历请寄：有限公司 联系人 王 传真 诚聘 热线 客户 兼职";
  const english =
    "Job description: we look for applicants with a degree in biology, two years of experience and communication skills. Send your CV to us.";

  test("is known by what they ask for", () => {
    for (const body of [chinese, english]) expect(signalsOf({ body }).get("often:vacancy")).toBeGreaterThan(0.5);
  });

  test("does not advertise by saying what the firm does", () => {
    const signals = signalsOf({ body: chinese });
    expect(["often:zh_trade", "concept:home_work"].filter((name) => signals.has(name))).toEqual([]);
    expect(
      signalsOf({ body: chinese.replace(/工作职责|任职要求|本科以上学历|相关经验|简历/g, "") }).has("often:zh_trade"),
    ).toBe(true);
  });

  test("is another than who promises money for work at home", () => {
    const signals = signalsOf({ body: "Work from home! No experience needed, earn $5,000 a week. Send resume to us." });
    expect(signals.has("concept:home_work")).toBe(true);
    expect(signals.get("often:vacancy") ?? 0).toBeLessThan(0.5);
  });
});

describe("simple words in no order, put beside an offer", () => {
  const jumbled =
    "sleep why rule. part i bear dog, two second noise. never, climb nation show. move, black, consider they when; she wide close hard which jump, heavy answer still multiply modern read. snow my name notice, laugh river soon quiet behind wish, carry once those listen thick brother.";

  test("are seen as such", () => {
    expect(signalsOf({ body: `Watches for less\n\n${jumbled}` }).get("jumbled words")).toBe(1);
  });

  test.each([
    [
      "a letter",
      "We went to the river and saw how the horses drink there. My brother thought it strange that they never run, but I told him to listen: they were as quiet as the snow behind us, and nothing in the wood would move.",
    ],
    [
      "a poem",
      "Love, my love, where would you go? Through the wild wood, when winds blow? Still I wait, and still I hear your voice beside the lake so near; the moon has gone, and with it all who sang with us before the fall.",
    ],
    [
      "a list",
      "river lake forest wood horse dog fish tree sun moon star sky snow 1 2 3 rock soil path shore sand 4 5 6 ".repeat(
        3,
      ),
    ],
    [
      "code",
      "if (wait) { run(); turn = left; move += quick; } while (talk && listen) { speak(); stand(); sit(); } ".repeat(4),
    ],
    [
      "German",
      "wir die war der wind am land so die war gut und hat ein land im wind am see wo man die tage so hat ".repeat(3),
    ],
    ["short", "sleep why rule. part i bear dog, two second noise."],
    ["nothing", ""],
  ])("are not %s", (_what, body) => expect(signalsOf({ body }).get("jumbled words") ?? 0).toBe(0));
});
