import { expect, test } from "vitest";
import { ModelNews, watchModel } from "../../cli/up/shown/told-model.ts";
import { WatchedModel } from "../../device/doctor/watched-model.ts";
import { DeviceError } from "../../device/errors.ts";
import { ScoutsError } from "../../events/errors.ts";
import type { ModelProbeResult } from "../../shared/llm/model-probe.ts";

const refused: ModelProbeResult = { ok: false, code: "model_forbidden", status: 401 };
const works: ModelProbeResult = { ok: true };

/** A model that is asked again each time, with what it answers and what the person is told. */
function newsOf(...answers: ModelProbeResult[]) {
  const told: string[] = [];
  let nowMs = 0;
  const probe = { probe: async () => answers.shift() ?? works };
  const now = () => (nowMs += 3_600_000);
  const model = new WatchedModel({ name: "m1", baseUrl: "http://127.0.0.1:1/v1", probe, now });
  return { told, news: new ModelNews(model, (line) => told.push(line)) };
}

test("a model that breaks is told once with cause and cure, another cause anew, and that it works again once", async () => {
  const { told, news } = newsOf(works, refused, refused, { ok: false, code: "model_unreachable" }, works, works);
  const inVain: boolean[] = [];
  for (let look = 0; look < 6; look += 1) inVain.push(await news.look());
  expect(told).toEqual([
    expect.stringMatching(/^scouts: The model at .* answers 401: .* Set OPENAI_API_KEY .* \(model_forbidden\)$/),
    expect.stringMatching(/^scouts: No connection to the model .* \(model_unreachable\)$/),
    "scouts: The model 'm1' at http://127.0.0.1:1/v1 answers again; what waited is judged within minutes.",
  ]);
  expect(inVain).toEqual([false, true, true, true, false, false]);
});

test("nobody asks a model that nothing is known against", async () => {
  const stop = new AbortController();
  const { told, news } = newsOf(refused);
  const isGivenUp = async () => {
    stop.abort();
    return false;
  };
  await watchModel(news, { isGivenUp, onMended: async () => {} }, stop.signal);
  expect(told).toEqual([]);
});

test("one that the home has given up is looked at until it is back, and then what waits goes on", async () => {
  const stop = new AbortController();
  const { told, news } = newsOf(refused, refused, works);
  let mended = 0;
  const onMended = async () => {
    mended += 1;
    stop.abort();
  };
  await watchModel(news, { isGivenUp: async () => true, onMended, everyMs: 1 }, stop.signal);
  expect([told.length, mended]).toEqual([2, 1]);
});

test.each([new ScoutsError("storage_unavailable"), new DeviceError("request_refused")])(
  "a home that cannot say for a moment whether it has given its model up is asked again: $code",
  async (away) => {
    const stop = new AbortController();
    const { told, news } = newsOf(refused, works);
    let asked = 0;
    const isGivenUp = async () => {
      asked += 1;
      if (asked === 1) throw away;
      return true;
    };
    let mended = 0;
    const onMended = async () => {
      mended += 1;
      stop.abort();
      throw away;
    };
    await watchModel(news, { isGivenUp, onMended, everyMs: 1 }, stop.signal);
    expect([asked, told.length, mended]).toEqual([2, 2, 1]);
  },
);
