import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyDraft } from "../../device/categorize/draft.ts";
import { quotedLine } from "../../device/console/page/proposal/quoted-line.ts";
import { draftOutcome } from "../../device/proposals/draft/draft-outcome.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { shippedClassifier } from "../../infra/model/triage/shipped.ts";
import { verdictOf } from "../../infra/model/triage/verdict.ts";
import { hasBrowser } from "../browser.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { promptOf, unwantedMail, wantedMail } from "../model/messages.ts";
import { startBrowser } from "./browser-page.ts";
import { languages, wordsIn } from "./languages.ts";
import { startConsole, startTab } from "./setting.ts";

const sender = { name: "Élodie Marchand", address: "elodie@example.fr" };
const metadata = { sender, relation: "to", automatic: false } as const;
const ownReason = "Looks wanted: “Can you come on Friday?” from Élodie Marchand <elodie@example.fr>";

/** All that a page shows and reads out, with what its styles put around words. */
async function saidOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const texts = nodes.filter(({ role }) => role?.value === "StaticText");
  return texts.map(({ name }) => String(name?.value)).join("");
}

/** A console with one proposal, whose draft is an answer to who sent it. */
async function startAnswer(change: Partial<Proposal> = {}) {
  const home = await startConsole({
    proposals: [],
    held: [makeProposal(1, { metadata, reason: ownReason, ...change })],
  });
  const { id } = makeProposal(1);
  home.store.proposals.claim("test", 1, 60_000);
  const draft = { ...emptyDraft, title: "Friday" };
  home.store.proposals.categorize(id, "test", { category: "reply", priority: "soon", draft });
  return { home, id };
}

describe("what is said of a proposal in the person's language", () => {
  it("of what the built-in model says, the line of the mail is known; of any other sentence nothing is left out", () => {
    const classifier = shippedClassifier();
    for (const mail of [...Object.values(wantedMail), ...Object.values(unwantedMail)]) {
      const { reason } = verdictOf(classifier, promptOf(mail));
      const quote = quotedLine(reason)?.replace(/…$/, "");
      expect(`${mail.subject}\n${mail.body}`.replaceAll(/\s+/g, " "), reason).toContain(quote ?? "nothing is quoted");
    }
    const cut =
      "Looks unwanted: “You “won” a watch” from Shop <shop@example.org>; it shows another address than where it leads";
    expect(quotedLine(cut)).toBe("You “won” a watch");
    expect(quotedLine("Ada asks “can you come?” and says why.")).toBeUndefined();
    expect(quotedLine("Looks wanted: an empty mail from Ada")).toBeUndefined();
  });

  it.each(languages)("a task that is to answer somebody is called in %s as the page has shown it", async (language) => {
    const { home, id } = await startAnswer();
    const row = home.store.proposals.find(id);
    if (row === undefined) throw new Error("there is no such proposal");
    const words = wordsIn(language);
    expect(draftOutcome(row, language)?.draft.title).toBe(
      words("card.answerTo", { who: sender.name, title: "Friday" }),
    );
    expect(draftOutcome({ ...row, metadata: null }, language)?.draft.title).toBe(
      words("card.answer", { title: "Friday" }),
    );
    expect(
      draftOutcome({ ...row, payload: { ...emptyDraft, title: "Mine", by: "person" } }, language)?.draft.title,
    ).toBe("Mine");
  });
});

describe.skipIf(!hasBrowser)("a proposal on a page that speaks German", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it("says why it is there in German, with the line of the mail, and on its own page all that the model has said", async () => {
    const { home, id } = await startAnswer();
    const { page } = await startTab(browser, home, { locale: "de" });
    const why = page.locator(".card-why");
    await why.waitFor();
    expect(await why.textContent()).toBe("Jemand schreibt Ihnen persönlich: Can you come on Friday?");
    expect(await saidOf(page)).toContain("„Can you come on Friday?“");
    await page.goto(`${home.served.origin}/items/${id}`);
    await page.getByText(`Jemand schreibt Ihnen persönlich: ${ownReason}`).waitFor();
  });

  it("says beside it what a language model has said", async () => {
    const { home } = await startAnswer({ reason: "Ada asks “can you come?”", reasonCode: "work_request" });
    const { page } = await startTab(browser, home, { locale: "de" });
    const why = page.locator(".card-why");
    await why.waitFor();
    expect(await why.textContent()).toBe(`${wordsIn("de")("why.work_request")}: Ada asks “can you come?”`);
  });

  it("is called in German, in its form too, and so is the task that is made of it", async () => {
    const { home } = await startAnswer();
    const { page } = await startTab(browser, home, { locale: "de" });
    const title = "Élodie Marchand antworten: Friday";
    await page.getByText(title).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await expect.poll(() => page.getByRole("dialog").getByLabel("Titel").inputValue()).toBe(title);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Annehmen: / }).click();
    await expect.poll(() => home.store.work.task.list().map((task) => task.title)).toEqual([title]);
  });
});
