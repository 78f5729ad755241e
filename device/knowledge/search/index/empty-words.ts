import { folded } from "../../../store/sqlite/folded-text.ts";

/** Words of questions that name nothing, in the languages questions are asked in most; as {@link folded} gives them. */
const empty = new Set(
  [
    "a about after all also am an and any are as at be because been before being but by can could did do does doing for from get give had has have having he her here him his how i if in into is it its just let like many may me might more most much must my no nor not now of off on once one only or other our out over own please same shall she should show so some such tell than that the their them then there these they this those through to too under until up us very was we were what when where which while who whom whose why will with would you your find list long",
    "aber alle als also am an auch auf aus bei bin bis bitte da damit dann das dass dem den der des die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch für gibt hat hatte habe haben hier ich ihm ihn ihr ihre im in ist ja jede jeder jedes kann kein keine können man mehr mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne schon sehr sein seine sich sie sind so soll über um und uns unser unter viel viele vom von vor wann war waren warum was weil welche welchem welchen welcher welches wenn wer werden wie wieder wir wird wo wofür wurde wurden zu zum zur zwischen",
    "à au aux avec ce ces cette comme comment dans de des dit donc du elle elles en est et était étaient être eu fait il ils je la le les leur leurs lui ma mais me mes mon ne nos notre nous on ont ou où par pas peut plus pour pourquoi quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sous sur ta te tes ton tous tout toute toutes tu un une vos votre vous y combien",
    "al algo como cómo con cual cuál cuales cuáles cuando cuándo cuanto cuánto cuantos cuántos cuanta cuantas de del desde donde dónde dos el ella ellas ellos en entre era eran es esa ese eso esta está están estas este esto estos fue fueron ha hay han hasta la las le les lo los más me mi mis muy no nos o para pero por porque qué que quien quién quienes se según ser si sin sobre son su sus también te tiene tienen tu un una unas uno unos y ya",
    "che chi ci come con cosa da dal dalla degli dei del della delle di dove e è gli ha hanno il in io la le lo ma mi nel nella non per perché più quale quali quando quanto questo questa se si sono su sul un una",
    "as ao aos com das do dos e é em foi na nas nos não o os ou pela pelo qual quais quanto quem são seu sua uma um",
    "aan bij dat de die dit een en er het hoe ik in is met naar niet of om op te tot uit van voor waar wat welke wie wordt zijn",
  ]
    .join(" ")
    .split(" ")
    .map(folded),
);

/** Particles, endings and question words of Chinese, Japanese and Korean, two characters at a time. */
const emptyPairs = new Set(
  "什么 么时 是什 的是 多少 哪里 哪个 怎么 如何 为什 是多 少？ 有多 几个 何时 谁是 です ます した して する いつ どこ どの なに 何で です ですか すか ます ませ とは こと もの これ それ から まで には では ので のは ため どう うに 教え えて ました ましょ 무엇 언제 어디 누구 얼마 입니 니까 인가 가요 나요 습니 합니 있는 하는 어떻 떻게".split(
    " ",
  ),
);
const hiraganaOnly = /^[\p{Script=Hiragana}ー]+$/u;

/** Whether a token says nothing of what is looked for. */
export function isEmptyWord(token: string): boolean {
  return emptyPairs.has(token) || hiraganaOnly.test(token) || empty.has(folded(token));
}
