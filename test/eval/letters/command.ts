import { isUnsure } from "../../../infra/model/triage/doubt.ts";
import { mailFeaturesOf } from "../../../infra/model/triage/features.ts";
import { type MailKind, mailKinds } from "../../../infra/model/triage/kinds/mail-kinds.ts";
import { calibratedOdds, sigmoid } from "../../../infra/model/triage/linear-model.ts";
import { decodeModel } from "../../../infra/model/triage/model-file.ts";
import { operatingPoint } from "../../training/figures.ts";
import { withoutLanguage } from "../../training/left-out.ts";
import { letters } from "../../training/letters.ts";
import { mayTrain } from "../../training/licence.ts";
import { train } from "../../training/trainer.ts";
import { examplesOf, ownExamples } from "../../training/training-set.ts";
import { readArguments } from "../arguments.ts";
import { type CorpusMail, loadMail } from "../corpus.ts";
import { dataFiles } from "../data-files.ts";
import { progress } from "../progress.ts";
import { shippedWeights } from "../shipped-weights.ts";
import { table } from "../table.ts";

/** Languages with so many of the project's letters are judged each by itself. */
const fewestLetters = 100;

/** How many letters of a kind were hidden, of how many. */
type Hidden = ReadonlyMap<MailKind, readonly [number, number]>;

/**
 * `npm run eval -- letters [FILE…]`: the project's own letters, a language at a time judged by a model that was trained on the mail of the
 * files and on the letters of all other languages. Hidden letters by kind: what holds for people who write in a language that nothing was
 * learned of.
 */
export async function lettersCommand(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  const mails = await loadMail(dataFiles(options.files, "mail/{dev,more}/*.jsonl.gz"));
  const hidden = hiddenByLanguage(mails, options.seed);
  if (options.json) {
    console.log(JSON.stringify(Object.fromEntries([...hidden].map(([name, own]) => [name, Object.fromEntries(own)]))));
    return;
  }
  const cell = (own: Hidden, kind: MailKind): string => own.get(kind)?.join(" of ") ?? "–";
  const rows = [...hidden].map(([language, own]) => [language, ...mailKinds.map((kind) => cell(own, kind))]);
  console.log(table([["letters hidden, their language left out", ...mailKinds], ...rows]));
}

function hiddenByLanguage(mails: readonly CorpusMail[], seed: number): ReadonlyMap<string, Hidden> {
  const { calibration } = decodeModel(shippedWeights());
  const own = letters();
  const examples = [...examplesOf(mails.filter(mayTrain)), ...ownExamples(seed)];
  const languages = [...Map.groupBy(own, ({ language }) => language)].filter(([, all]) => all.length >= fewestLetters);
  const step = progress("languages left out", languages.length);
  return new Map(
    languages.map(([language, held]) => {
      const model = train(withoutLanguage(language, held, examples));
      const isHidden = ({ view }: CorpusMail): boolean => {
        const features = mailFeaturesOf(view);
        const probability = sigmoid(calibratedOdds(model, calibration, view, features));
        return probability >= operatingPoint && !isUnsure(view, model, features);
      };
      step();
      return [language, countsOf(held, isHidden)] as const;
    }),
  );
}

function countsOf(held: readonly CorpusMail[], isHidden: (mail: CorpusMail) => boolean): Hidden {
  const counts = new Map<MailKind, readonly [number, number]>();
  for (const mail of held) {
    const kind = mailKinds.find((each) => each === mail.kind);
    if (kind === undefined) continue;
    const [hidden, all] = counts.get(kind) ?? [0, 0];
    counts.set(kind, [hidden + Number(isHidden(mail)), all + 1]);
  }
  return counts;
}
