import { expect, test } from "vitest";
import { judgedText, nothingJudgedText, type Summary } from "../../cli/up/shown/summary.ts";

const summary: Summary = {
  messages: 10,
  relevant: 6,
  unjudged: 1,
  spam: 2,
  judgedNow: 9,
  delivered: 7,
  acked: 7,
  deadLettered: 1,
  waiting: 0,
  model: null,
  failed: 0,
  tokens: { in: 1, out: 1 },
  requests: { sqs: 0, dynamodb: 0, s3: 0, websocket: 0, gmail: 0, model: 0 },
  ms: 2_340,
  notLookedAt: {},
};
const became = "6 worth your attention, 2 spam, 1 shown without a verdict, 1 set aside.";

test.each([
  [{}, `10 messages in 2.3 s: ${became}`],
  [{ judgedNow: 3 }, `3 new messages in 2.3 s. Of 10 in all: ${became}`],
  [{ judgedNow: 0 }, `No new message. Of 10 in all: ${became}`],
  [
    { messages: 4, relevant: 0, unjudged: 0, spam: 0, judgedNow: 0, deadLettered: 0, waiting: 4 },
    "4 messages in 2.3 s: 0 worth your attention, 0 spam, 4 waiting for the model.",
  ],
])("what was judged before this start is not said to have been judged in it: %j", (change, text) => {
  expect(judgedText({ ...summary, ...change })).toBe(text);
});

const none = { ...summary, relevant: 0, spam: 0, deadLettered: 0 };

test.each([
  [{ unjudged: 0, waiting: 10 }, "Nothing was judged. Once that is mended, run the same command again."],
  [{ unjudged: 4, failed: 6 }, "Nothing was judged. Once that is mended, run the same command again."],
  [
    { unjudged: 9, deadLettered: 1 },
    "Nothing was judged, and this command does not try 10 messages again. While a home runs (`scouts up`), `scouts ops items list` says why, and once that is mended `scouts ops items redrive --all` has them judged anew.",
  ],
])("nothing silent: where nothing was judged it is said what has it judged: %j", (change, text) => {
  expect(nothingJudgedText({ ...none, ...change })).toBe(text);
});
