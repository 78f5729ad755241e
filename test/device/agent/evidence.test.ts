import { expect, test } from "vitest";
import { evidenceOf } from "../../../device/agent/evidence.ts";
import { makeProposal } from "../fake-cloud.ts";
import { temporaryStore } from "../setting.ts";

const held = (answer: string, shown: readonly string[]) => {
  const { quotesHeld, quotesMissing } = evidenceOf(temporaryStore(), answer, { shown, read: [], parts: [] });
  return { quotesHeld, quotesMissing };
};

test("15: words in quotation marks are held against what was shown, as they stand there", () => {
  const shown = [
    '{"suggestions":1}\n{"begins":"Send \\u003cme\\u003e the offer by\\u000aFriday."}',
    "The north bed\n  gets tomatoes.",
  ];
  expect(held('"The north bed gets tomatoes", and „Send <me> the offer by Friday.“', shown)).toEqual({
    quotesHeld: 2,
    quotesMissing: [],
  });
  expect(held("«the north bed gets tomatoes» “The north bed gets potatoes”", shown)).toEqual({
    quotesHeld: 0,
    quotesMissing: ["the north bed gets tomatoes", "The north bed gets potatoes"],
  });
  expect(held('"The north … gets tomatoes" and "the Garden"', shown)).toEqual({ quotesHeld: 1, quotesMissing: [] });
});

test("13: a message is a source when its words, its subject or its id stand in the answer", () => {
  const store = temporaryStore();
  const sender = { name: "Ada", address: "ada@example.org" };
  const metadata = { sender, relation: "to", automatic: false } as const;
  const mails = [
    makeProposal(1, { rawSubject: "The roof repairs", rawSnippet: "Send me the offer.", metadata }),
    makeProposal(2, { rawSubject: "Tiles", rawSnippet: "Ours are blue now.", metadata }),
    makeProposal(3, { rawSubject: "Nothing", rawSnippet: "Of the kind at all.", metadata }),
  ];
  store.proposals.add(mails);
  const read = mails.map(({ id }) => id);
  const named = (answer: string) =>
    evidenceOf(store, answer, { shown: mails.map((mail) => mail.rawSnippet ?? ""), read, parts: [] }).messages.map(
      ({ id }) => id,
    );
  expect(named('Ada asks: "Send me the offer."')).toEqual([read[0]]);
  expect(named("See The roof repairs; nothing on tiles.")).toEqual([read[0]]);
  expect(named(`See ${read[1]}.`)).toEqual([read[1]]);
  expect(named("I found nothing.")).toEqual([]);
  expect(evidenceOf(store, "Send me the offer", { shown: [], read: [], parts: [] }).messages).toEqual([]);
});

test("14: a quotation that is held says where it stands: the line of a file, or the message", () => {
  const store = temporaryStore();
  const mail = makeProposal(1, { rawSubject: "The roof repairs", rawSnippet: "Send me the offer." });
  store.proposals.add([mail]);
  const projectId = store.projects.add("Garden").id;
  const part = {
    projectId,
    path: "beds.md",
    line: 40,
    text: "\n  # Beds\n\n\nThe north bed\n  gets tomatoes, and\nleeks.",
  };
  const other = { ...part, path: "other.md", line: 1, text: "Nothing of the kind." };
  const { quotes } = evidenceOf(
    store,
    '"The north bed gets tomatoes", "gets tomatoes … leeks", "Send me the offer." and "as you said yourself"',
    { shown: [part.text, mail.rawSnippet ?? "", "as you said yourself"], read: [mail.id], parts: [other, part] },
  );
  const file = { kind: "file", projectId, path: "beds.md" };
  expect(quotes).toEqual([
    { text: "The north bed gets tomatoes", place: { ...file, line: 44 } },
    { text: "gets tomatoes … leeks", place: { ...file, line: 45 } },
    { text: "Send me the offer.", place: { kind: "message", id: mail.id, subject: "The roof repairs" } },
    { text: "as you said yourself", place: null },
  ]);
});
