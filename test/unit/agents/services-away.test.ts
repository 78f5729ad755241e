import { expect, test } from "vitest";
import { ScoutsError } from "../../../events/errors.ts";
import { AgentCloud, runNo } from "./cloud.ts";
import { ask, garden, results, type ToolCalls } from "./device.ts";

const run = runNo(1);
const minuteMs = 60_000;
const readPlan = { name: "read_project_folder_file", arguments: JSON.stringify({ project_id: garden }) };

/** What of the cloud's own throws until a moment; the same object after it. */
function awayUntil<T extends object>(service: T, name: keyof T, isAway: () => boolean): void {
  const works = service[name] as (...asked: unknown[]) => Promise<unknown>;
  const call = (...asked: unknown[]) =>
    isAway() ? Promise.reject(new ScoutsError("storage_unavailable")) : works.apply(service, asked);
  Object.assign(service, { [name]: call });
}

async function asked(script: ConstructorParameters<typeof AgentCloud>[0]): Promise<AgentCloud> {
  const cloud = new AgentCloud(script);
  await cloud.hello();
  expect(await cloud.say(ask(run, "When is the watering?"))).toBe("accepted");
  return cloud;
}

test("who asks is told within a minute that nothing can be kept", async () => {
  const cloud = await asked(() => ({ text: "On Thursday." }));
  const [beganMs, told] = [cloud.nowMs, [] as number[]];
  awayUntil(cloud.objects, "put", () => true);
  const { post } = cloud.backing.sockets;
  cloud.backing.sockets.post = (to, frame) => {
    if (frame.type === "run_complete") told.push(cloud.nowMs - beganMs);
    return post(to, frame);
  };
  await cloud.settle();
  expect(cloud.frames("run_complete")).toMatchObject([{ status: "error", code: "storage_unavailable", text: "" }]);
  expect(told[0]).toBeLessThan(minuteMs);
});

test("whoever asks again how that ended is told the same, though nothing of it was kept", async () => {
  const cloud = await asked(() => ({ calls: [readPlan] }));
  await cloud.work();
  const calls = cloud.frames("tool_calls").at(-1) as ToolCalls;
  awayUntil(cloud.objects, "put", () => true);
  const answer = results(calls);
  await cloud.say(answer);
  await cloud.settle();
  expect(await cloud.say(answer)).toBe("accepted");
  await cloud.settle();
  const [first, second] = cloud.frames("run_complete");
  expect(first).toMatchObject({ status: "error", code: "storage_unavailable" });
  expect(second).toEqual(first);
});

test.each(["get", "update"] as const)(
  "P2: a table that is away for seconds costs seconds, and no answer: %s",
  async (name) => {
    const cloud = await asked(() => ({ text: "On Thursday." }));
    const beganMs = cloud.nowMs;
    awayUntil(cloud.sessions, name, () => cloud.nowMs < beganMs + 10_000);
    await cloud.settle();
    expect(cloud.frames("run_complete")).toMatchObject([{ status: "completed", text: "On Thursday." }]);
    expect(cloud.nowMs - beganMs).toBeLessThan(4 * minuteMs);
    expect(cloud.requests).toHaveLength(1);
  },
);
