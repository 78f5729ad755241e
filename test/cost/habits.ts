interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** What one person does. */
export interface Habits {
  readonly mailsADay: number;
  readonly relevantShare: number;
  readonly timedSyncsADay: number;
  readonly triageTokens: Tokens;
  readonly devices: number;
  readonly connectedHoursADay: number;
  readonly filesAMonth: number;
  readonly fileTokens: Tokens;
  readonly runsAMonth: number;
  readonly stepsARun: number;
  readonly runTokens: Tokens;
}

/** What one person does, on paper. Every figure is an assumption that a deployment replaces by its own. */
export const habits: Habits = {
  mailsADay: 100,
  relevantShare: 0.65,
  /** Syncs by timer, a quarter of an hour apart: pushes may be late or lost. */
  timedSyncsADay: 96,
  /** Model tokens of a triage, as measured with the built-in model's tokenizer on real mail. */
  triageTokens: { input: 614, output: 55 },
  devices: 2,
  connectedHoursADay: 8,
  /** Files summarised a month: the first scan spread over a year, and what changes. */
  filesAMonth: 60,
  fileTokens: { input: 900, output: 60 },
  runsAMonth: 40,
  /** Steps of a run: each is a queue message, a model call and an exchange with the device. */
  stepsARun: 3,
  runTokens: { input: 9_000, output: 500 },
};
