import type { MailView } from "../../infra/model/triage/view.ts";
import { unwantedMail, wantedMail } from "../model/messages.ts";
import { loadMail } from "./corpus.ts";
import { dataFiles, hasData } from "./data-files.ts";
import { sample } from "./sample.ts";
import type { Judgement } from "./verdicts.ts";

const pattern = "mail/dev/*.jsonl.gz";
const mostOfEach = 40;

/** Mails to put a text into, all judged rightly without it. */
export interface Carriers {
  readonly from: string;
  readonly spam: readonly MailView[];
  readonly wanted: readonly MailView[];
}

/** Real mail of the data folder when it is there and wanted, else invented mail. */
export async function carriers(
  judge: (views: readonly MailView[], label: string) => Promise<Judgement[]>,
  options: { seed: number; invented: boolean },
): Promise<Carriers> {
  const { seed } = options;
  const real = !options.invented && hasData(pattern);
  const candidates = real
    ? (await loadMail(dataFiles([], pattern))).filter(({ view }) => view.body.length >= 100)
    : [...labelled(unwantedMail, true), ...labelled(wantedMail, false)];
  const chosen = [true, false].flatMap((spam) =>
    sample(
      candidates.filter((each) => each.spam === spam),
      mostOfEach,
      seed,
    ),
  );
  const judgements = await judge(
    chosen.map(({ view }) => view),
    "carriers",
  );
  const right = chosen.filter(({ spam }, index) => judgements[index]?.saidSpam === spam);
  return {
    from: real ? "of the data folder" : "invented",
    spam: right.filter(({ spam }) => spam).map(({ view }) => view),
    wanted: right.filter(({ spam }) => !spam).map(({ view }) => view),
  };
}

function labelled(mails: Readonly<Record<string, MailView>>, spam: boolean): { spam: boolean; view: MailView }[] {
  return Object.values(mails).map((view) => ({ spam, view }));
}
