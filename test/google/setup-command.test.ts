import { Command } from "commander";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { addGmail } from "../../cli/scouts/gmail.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "../device/screen.ts";
import { FakeAdmin } from "./fake-admin.ts";

const base = ["gmail", "setup", "--project", "my-project", "--topic", "scouts-gmail", "--subscription", "scouts-home"];
const pushing = [...base, "--endpoint", "https://api.example.org/hook", "--service-account", "push@my-project.iam"];

/** The command on a Pub/Sub that is a fake. */
async function run(words: string[], admin = new FakeAdmin()) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: "/", ...systemTimeAndIds };
  const program = new Command("scouts").exitOverride().configureOutput({ writeErr: (text) => void stderr.write(text) });
  addGmail(program, context, async () => admin);
  const failure = await program.parseAsync(words, { from: "user" }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { admin, failure, stdout: stdout.written, stderr: stderr.written };
}

test("a dry run says what would be done and does nothing", async () => {
  const { admin, stdout } = await run([...pushing, "--dry-run"]);
  expect(stdout.match(/would be created/g)).toHaveLength(7);
  expect(admin.done).toEqual([]);
  expect(admin.closed).toBe(true);
});

test("what is done is told, with the settings to deploy with; a second run finds everything", async () => {
  const { admin, stdout } = await run(pushing);
  expect(stdout.match(/^created/gm)).toHaveLength(7);
  expect(stdout).toContain("PUSH_SUBSCRIPTION=projects/my-project/subscriptions/scouts-home");
  const again = await run(pushing, admin);
  expect(again.stdout.match(/^exists/gm)).toHaveLength(7);
});

test("--json is one object: steps and settings", async () => {
  const { admin } = await run(pushing);
  const { stdout } = await run([...base, "--pull", "--json", "--dry-run"], admin);
  const told = JSON.parse(stdout);
  expect(told.dryRun).toBe(true);
  expect(told.steps.filter(({ action }: { action: string }) => action === "change")).toEqual([
    {
      what: "subscription",
      name: "projects/my-project/subscriptions/scouts-home",
      action: "change",
      changes: [
        "push endpoint: https://api.example.org/hook → none",
        "push service account: push@my-project.iam → none",
        "push audience: scouts-gmail-webhook → none",
      ],
    },
  ]);
  expect(told.settings).toEqual({
    GMAIL_TOPIC: "projects/my-project/topics/scouts-gmail",
    SCOUTS_PUBSUB_SUBSCRIPTION: "projects/my-project/subscriptions/scouts-home",
  });
});

test.each([
  ["neither endpoint nor --pull", base, "--endpoint and --service-account are needed, or --pull"],
  ["both", [...pushing, "--pull"], "cannot be used with"],
  ["an endpoint Google would not push to", [...base, "--endpoint", "http://example.org"], "https"],
  ["a name Pub/Sub reserves", [...base, "--subscription", "google-things"], "not an id of Pub/Sub"],
])("%s is a usage error, and nothing is opened", async (_name, words, sentence) => {
  const { admin, failure, stderr } = await run(words);
  expect(failure).toMatchObject({ exitCode: 1 });
  expect(stderr).toContain(sentence);
  expect(admin.closed).toBe(false);
});

test("Google's client is closed when a step fails", async () => {
  const admin = new FakeAdmin();
  admin.failAt = "grant";
  const { failure } = await run(pushing, admin);
  expect(String(failure)).toContain("grant failed");
  expect(admin.closed).toBe(true);
});
