import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { intercept, startBrowser, violationsOn } from "./browser-page.ts";
import { startConsoleOnHome } from "./real-home.ts";
import { startTab } from "./setting.ts";

describe.skipIf(!hasBrowser)("adding a source", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function opened(path = "/scouts/add") {
    const home = await startConsoleOnHome();
    const { page } = await startTab(browser, home, { path });
    const url = page.getByLabel("Web address");
    const next = page.getByRole("button", { name: "Next" });
    return { home, page, url, next, at: (search: string) => `${home.served.origin}/scouts/add${search}` };
  }

  it("refuses what is no web address where it is typed, before it is gone on from", async () => {
    const { page, url, next } = await opened();
    await page.getByRole("button", { name: /^Feed/ }).click();
    for (const typed of ["not a url", "ftp://example.org/feed", "https://ada:secret@example.org/feed"]) {
      await url.fill(typed);
      await next.click();
      await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
      await page.getByText("Give a web address").waitFor();
      expect(await page.getByLabel("Purpose").count()).toBe(0);
    }
    expect(await violationsOn(page)).toEqual([]);
    await page.goBack();
    await page.getByRole("button", { name: /^locked/ }).click();
    await page.getByLabel("Server").fill("safe.example");
    await page.getByLabel("Password").fill("open sesame");
    await page.getByRole("button", { name: "More settings" }).click();
    for (const [field, said] of [
      ["Port", "A port is a whole number from 1 to 65535."],
      ["most", "Give a whole number from 10 to 500."],
    ] as const) {
      const box = page.getByLabel(field);
      for (const typed of ["abc", "-3", "1.5", "0", "70000", "1e999"]) {
        await box.fill(typed);
        await next.click();
        await page.getByText(said).waitFor();
        await expect.poll(() => box.getAttribute("aria-invalid")).toBe("true");
        expect(await box.inputValue()).toBe(typed);
        expect(await page.getByLabel("Purpose").count()).toBe(0);
      }
      await box.fill("100");
    }
    await next.click();
    await page.getByLabel("Purpose").waitFor();
  });

  it("shows where it is typed what the home alone refuses", async () => {
    const { home, page, url, next, at } = await opened();
    await page.getByRole("button", { name: /^Feed/ }).click();
    // Longer than a home takes.
    await url.fill(`${home.feeds.feedUrl()}?${"x".repeat(2_048)}`);
    await next.click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("Give a web address").waitFor();
    await page.waitForURL(at("?source=feed"));
    await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
    await url.fill(`${home.feeds.feedUrl()}/nowhere`);
    await next.click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByText("There is nothing at this address (404)").waitFor();
    await page.waitForURL(at("?source=feed"));
    await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
    await url.fill(home.feeds.feedUrl());
    await next.click();
    await page.getByRole("button", { name: "Add and look" }).click();
    await page.getByRole("heading", { name: "The feed is added" }).waitFor();
  });

  it("says at the port, where a source has one, what is wrong with it, and at the server what is wrong with that", async () => {
    const { page, next } = await opened();
    await page.getByRole("button", { name: /^locked/ }).click();
    await page.getByLabel("Server").fill("safe.example");
    await page.getByLabel("Password").fill("open sesame");
    const refused = (about: string) => {
      const json = { error: { code: "source_unavailable", message: "", about, values: {} } };
      return intercept(page, "**/api/scouts", (route) => route.fulfill({ status: 502, json }), { times: 1 });
    };
    for (const [about, label] of [
      ...(["port", "silent", "other", "plain", "encrypted"] as const).map((each) => [each, "Port"] as const),
      ["name", "Server"],
      ["route", "Server"],
    ] as const) {
      await refused(about);
      await next.click();
      await page.getByRole("button", { name: "Add and look" }).click();
      await expect.poll(() => page.getByLabel(label).getAttribute("aria-invalid"), { message: about }).toBe("true");
      expect(await page.locator("[aria-invalid=true]").count(), about).toBe(1);
    }
    expect(await violationsOn(page)).toEqual([]);
  });

  it("goes back and forth by the browser's own buttons, with what was typed, and another source begins with nothing of it", async () => {
    const { home, page, url, next, at } = await opened();
    await page.getByRole("button", { name: /^Feed/ }).click();
    await url.fill(home.feeds.feedUrl());
    await next.click();
    await page.getByLabel("Purpose").fill("Only gardens.");
    await page.goBack();
    await expect.poll(() => url.inputValue()).toBe(home.feeds.feedUrl());
    expect(page.url()).toBe(at("?source=feed"));
    await page.goForward();
    await expect.poll(() => page.getByLabel("Purpose").inputValue()).toBe("Only gardens.");
    await page.goBack();
    await page.goBack();
    await page.getByRole("button", { name: /^locked/ }).click();
    expect(await page.getByLabel("Server").inputValue()).toBe("");
    await page.goBack();
    await page.getByRole("button", { name: /^Feed/ }).click();
    expect(await url.inputValue()).toBe(home.feeds.feedUrl());
  });

  it("begins with the settings where a page is loaded anew, whatever its address says", async () => {
    const { page, url, at } = await opened("/scouts/add?source=feed&step=purpose");
    await url.waitFor();
    await page.waitForURL(at("?source=feed"));
    await page.goto(at("?source=nothing"));
    await page.getByRole("button", { name: /^Feed/ }).waitFor();
  });

  it("is done step by step on the page of who has nothing yet", async () => {
    const { home, page, url, next } = await opened("/welcome");
    await page.getByRole("button", { name: /^Feed/ }).click();
    await url.fill(home.feeds.feedUrl());
    await next.click();
    await page.getByLabel("Purpose").waitFor();
    await page.goBack();
    await url.waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    await page.getByRole("button", { name: /^Feed/ }).waitFor();
  });
});
