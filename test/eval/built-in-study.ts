import { isUnsure } from "../../infra/model/triage/doubt.ts";
import { mailFeaturesOf } from "../../infra/model/triage/features.ts";
import { kindOf } from "../../infra/model/triage/kinds/kind-of.ts";
import { type MailKind, mailKinds } from "../../infra/model/triage/kinds/mail-kinds.ts";
import { type Calibration, calibratedOdds, sigmoid } from "../../infra/model/triage/linear-model.ts";
import { decodeModel } from "../../infra/model/triage/model-file.ts";
import type { MailView } from "../../infra/model/triage/view.ts";
import { operatingPoint } from "../training/figures.ts";
import { trainKinds } from "../training/kind-trainer.ts";
import { leftOutGroups, withoutGroup } from "../training/left-out.ts";
import { mayTrain } from "../training/licence.ts";
import { train } from "../training/trainer.ts";
import { examplesOf, kindOfMail, ownExamples } from "../training/training-set.ts";
import type { CorpusMail } from "./corpus.ts";
import { areaUnderCurve, calibrationError, type Measurement, measure } from "./measure.ts";
import { progress } from "./progress.ts";
import { shippedWeights } from "./shipped-weights.ts";
import { percent, table } from "./table.ts";

/** Named measurements with what else was found. */
export interface Study {
  readonly title: string;
  readonly measurements: ReadonlyMap<string, Measurement>;
  readonly notes: readonly string[];
}

interface Judged {
  readonly mail: CorpusMail;
  readonly probability: number;
  readonly saidSpam: boolean;
  readonly kind: MailKind;
  /** Where its header is known, the kind as the product tells it, which sees the header. */
  readonly kindByHeader?: MailKind;
}

/**
 * The built-in model's recipe on mail of sources it has not seen: each source is left out (lists and newsletters all of
 * their sort at once) and judged by a model trained on the rest and on made-up mail, as its senders stand there.
 */
export function builtInStudy(mails: readonly CorpusMail[], { seed }: { seed: number }): Study[] {
  const { calibration } = decodeModel(shippedWeights());
  const examples = [...examplesOf(mails.filter(mayTrain)), ...ownExamples(seed)];
  const groups = leftOutGroups(mails);
  const step = progress("sources left out", groups.length);
  const judged = groups.flatMap(({ held }) => {
    const known = withoutGroup(held, examples);
    const judge = judgeBy(train(known), trainKinds(known), calibration);
    step();
    return held.map(judge);
  });
  const rows = new Map<string, Measurement>();
  const figures = (some: readonly Judged[]): Measurement =>
    measure(
      some.map(({ mail, saidSpam }) => ({ ...mail, saidSpam })),
      seed,
    );
  for (const [source, own] of grouped(judged, ({ mail }) => mail.source)) rows.set(`without ${source}`, figures(own));
  rows.set("sources left out, together", figures(judged));
  for (const [kind, own] of grouped(judged, ({ mail }) => kindOfMail(mail) ?? "kind unknown"))
    rows.set(`  ${kind}`, figures(own));
  for (const [language, own] of grouped(judged, ({ mail }) => mail.language)) {
    if (language !== "" && own.length >= fewestOfLanguage) rows.set(`  in ${language}`, figures(own));
  }
  return [
    {
      title: "built-in, sources left out",
      measurements: rows,
      notes: [
        calibrated(judged),
        costCurve(judged),
        confusion("kind (told ones across)", judged),
        confusion(
          "kind, by header too, where it is known",
          judged.flatMap((each) => (each.kindByHeader === undefined ? [] : [{ ...each, kind: each.kindByHeader }])),
        ),
      ],
    },
  ];
}

const fewestOfLanguage = 40;

function judgeBy(model: ReturnType<typeof train>, kinds: ReturnType<typeof trainKinds>, calibration: Calibration) {
  return (mail: CorpusMail): Judged => {
    const features = mailFeaturesOf(mail.view);
    const probability = sigmoid(calibratedOdds(model, calibration, mail.view, features));
    const saidSpam = probability >= operatingPoint && !isUnsure(mail.view, model, features);
    // Of what a mail is, its own label leaves the kinds: whether it is wanted is measured above.
    const kindIn = (view: MailView): MailKind =>
      kindOf(view, features, { kinds, words: model.words, ratings: model.ratings }, mail.spam);
    return {
      mail,
      probability,
      saidSpam,
      kind: kindIn(mail.view),
      ...(mail.header === undefined ? {} : { kindByHeader: kindIn({ ...mail.view, header: mail.header }) }),
    };
  };
}

function grouped(judged: readonly Judged[], by: (each: Judged) => string): [string, Judged[]][] {
  return [...Map.groupBy(judged, by)].sort(([one], [other]) => (one < other ? -1 : 1));
}

function calibrated(judged: readonly Judged[]): string {
  const stated = judged.map(({ mail, probability }) => ({ score: probability, probability, spam: mail.spam }));
  const area = areaUnderCurve(stated);
  return `area under the curve ${area === null ? "–" : area.toFixed(4)}, calibration error ${percent(calibrationError(stated))} %`;
}

/** What hiding from another confidence would cost: wanted mail hidden and unwanted mail shown. */
function costCurve(judged: readonly Judged[]): string {
  const wanted = judged.filter(({ mail }) => !mail.spam);
  const unwanted = judged.filter(({ mail }) => mail.spam);
  const share = (some: readonly Judged[], from: number): string =>
    some.length === 0 ? "–" : percent(some.filter(({ probability }) => probability >= from).length / some.length);
  const rows = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98].map((from) => [
    String(from),
    share(wanted, from),
    share(unwanted, from),
  ]);
  return `\n${table([["hidden from a confidence of", "wanted hidden %", "unwanted hidden %"], ...rows])}`;
}

function confusion(title: string, judged: readonly Judged[]): string {
  const known = judged.filter(({ mail }) => kindOfMail(mail) !== undefined);
  const rightOf = (some: readonly Judged[]): string =>
    some.length === 0 ? "–" : percent(some.filter(({ mail, kind }) => kind === kindOfMail(mail)).length / some.length);
  const rows = mailKinds.flatMap((kind) => {
    const own = known.filter(({ mail }) => kindOfMail(mail) === kind);
    if (own.length === 0) return [];
    const counts = mailKinds.map((said) => String(own.filter((each) => each.kind === said).length));
    return [[kind, ...counts, rightOf(own)]];
  });
  const wanted = known.filter(({ mail }) => !mail.spam);
  return `\n${table([[title, ...mailKinds, "right %"], ...rows])}\nright: ${rightOf(known)} % of all, ${rightOf(wanted)} % of wanted mail`;
}
