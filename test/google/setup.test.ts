import { describe, expect, test } from "vitest";
import { isDeviceError } from "../../device/errors.ts";
import { googleFailure } from "../../device/google/failures.ts";
import { type GmailSetup, planSetup } from "../../device/google/setup-plan.ts";
import { FakeAdmin } from "./fake-admin.ts";

const setup: GmailSetup = {
  project: "my-project",
  topic: "scouts-gmail",
  subscription: "scouts-home",
  push: { endpoint: "https://api.example.org/hook", serviceAccount: "push@my-project.iam", audience: "hook" },
};
const subscription = "projects/my-project/subscriptions/scouts-home";

async function applyAll(admin: FakeAdmin, wanted = setup): Promise<void> {
  for (const step of await planSetup(admin, wanted)) if (step.action !== "exists") await step.apply();
}
const actions = async (admin: FakeAdmin, wanted = setup) =>
  (await planSetup(admin, wanted)).map(({ action }) => action);

describe("setting Gmail's notifications up", () => {
  test("makes topic, dead letters, subscription and permissions, each before what needs it", async () => {
    const admin = new FakeAdmin();
    await applyAll(admin);
    expect(admin.topics).toEqual(
      new Set(["projects/my-project/topics/scouts-gmail", "projects/my-project/topics/scouts-home-dead-letters"]),
    );
    expect(admin.subscriptions.get(subscription)).toEqual({
      topic: "projects/my-project/topics/scouts-gmail",
      push: setup.push,
      ackDeadlineSeconds: 30,
      retentionSeconds: 604_800,
      expiresAfterDays: null,
      retry: { minSeconds: 10, maxSeconds: 600 },
      deadLetters: { topic: "projects/my-project/topics/scouts-home-dead-letters", afterAttempts: 100 },
    });
    const agent = "serviceAccount:service-123456@gcp-sa-pubsub.iam.gserviceaccount.com";
    expect(admin.grants).toEqual(
      new Set([
        "projects/my-project/topics/scouts-gmail roles/pubsub.publisher serviceAccount:gmail-api-push@system.gserviceaccount.com",
        `projects/my-project/topics/scouts-home-dead-letters roles/pubsub.publisher ${agent}`,
        `${subscription} roles/pubsub.subscriber ${agent}`,
      ]),
    );
  });

  test("dead letters are kept by a subscription of their own, which never expires either", async () => {
    const admin = new FakeAdmin();
    await applyAll(admin);
    const keeping = admin.subscriptions.get(`${subscription}-dead-letters`);
    expect(keeping).toMatchObject({ expiresAfterDays: null, retentionSeconds: 604_800 });
    expect(keeping?.push).toBeUndefined();
  });

  test("is idempotent: everything there, nothing is done", async () => {
    const admin = new FakeAdmin();
    await applyAll(admin);
    expect(new Set(await actions(admin))).toEqual(new Set(["exists"]));
    const before = admin.done.length;
    await applyAll(admin);
    expect(admin.done).toHaveLength(before);
  });

  test.each(["createTopic", "createSubscription", "grant"])("goes on where a %s failed", async (failAt) => {
    const admin = new FakeAdmin();
    admin.failAt = failAt;
    await expect(applyAll(admin)).rejects.toThrow("failed");
    await applyAll(admin);
    expect(new Set(await actions(admin))).toEqual(new Set(["exists"]));
    expect(new Set(admin.done).size).toBe(admin.done.length);
  });

  test("says what differs, and changes only that", async () => {
    const admin = new FakeAdmin();
    await applyAll(admin);
    const state = admin.subscriptions.get(subscription);
    if (state) admin.subscriptions.set(subscription, { ...state, expiresAfterDays: 31 });
    const moved = {
      ...setup,
      push: { endpoint: "https://new.example.org/hook", serviceAccount: "a@b", audience: "hook" },
    };
    const plan = await planSetup(admin, moved);
    expect(plan.filter(({ action }) => action !== "exists").map(({ name, changes }) => ({ name, changes }))).toEqual([
      {
        name: subscription,
        changes: [
          "push endpoint: https://api.example.org/hook → https://new.example.org/hook",
          "push service account: push@my-project.iam → a@b",
          "expires after (days): 31 → never",
        ],
      },
    ]);
    await applyAll(admin, moved);
    expect(admin.subscriptions.get(subscription)).toMatchObject({ push: moved.push, expiresAfterDays: null });
  });

  test("turns a subscription that pushes into one that is pulled from", async () => {
    const admin = new FakeAdmin();
    await applyAll(admin);
    const { push: _, ...pulling } = setup;
    await applyAll(admin, pulling);
    expect(admin.subscriptions.get(subscription)?.push).toBeUndefined();
    expect(new Set(await actions(admin, pulling))).toEqual(new Set(["exists"]));
  });

  test("leaves a subscription on another topic alone, and says what to do", async () => {
    const admin = new FakeAdmin();
    await applyAll(admin);
    const before = admin.done.length;
    const error = await planSetup(admin, { ...setup, topic: "another" }).catch((reason: unknown) => reason);
    expect(isDeviceError(error, "google_conflict")).toBe(true);
    expect(String(error)).toContain("delete it, or choose another name");
    expect(admin.done).toHaveLength(before);
  });
});

describe("what Google's libraries throw says what to do", () => {
  test.each([
    [{ message: "Could not load the default credentials. Browse to …" }, "google_credentials", "gcloud auth"],
    [{ code: 16, message: "16 UNAUTHENTICATED: …" }, "google_credentials", "again"],
    [
      { code: 7, message: "7 PERMISSION_DENIED: Cloud Pub/Sub API has not been used in project 1" },
      "google_forbidden",
      "gcloud services enable",
    ],
    [{ code: 7, message: "7 PERMISSION_DENIED: User not authorized" }, "google_forbidden", "roles/pubsub.admin"],
    [{ code: "403", message: "The caller does not have permission" }, "google_forbidden", "--project-number"],
    [{ code: 5, message: "5 NOT_FOUND: Requested project not found" }, "google_invalid", "my-project"],
    [
      {
        code: 9,
        message: "9 FAILED_PRECONDITION: One or more users named in the policy do not belong to a permitted customer",
      },
      "google_invalid",
      "iam.allowedPolicyMemberDomains",
    ],
    [{ code: 3, message: "3 INVALID_ARGUMENT: Invalid push endpoint" }, "google_invalid", "https"],
    [{ code: 14, message: "14 UNAVAILABLE" }, "google_unavailable", "try again"],
    ["odd", "google_unavailable", "try again"],
  ])("%o is %s", (thrown, code, advice) => {
    const error = googleFailure(thrown, "my-project");
    expect(error.code).toBe(code);
    expect(error.message).toContain(advice);
  });
});
