import { expect, test } from "vitest";
import type { OpenSocket } from "../../device/connection/socket.ts";
import { acceptMs, lostAnswerMs, windowBytes } from "../../device/connection/timing.ts";
import { type Request, SendWindow } from "../../device/connection/window.ts";
import { newFrameId } from "../../device/store/decide.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { ManualClock } from "./manual-clock.ts";

/** A window on a socket that keeps what it is given. Back-offs take their longest. */
function setting() {
  const clock = new ManualClock();
  const sent: string[] = [];
  const silences: boolean[] = [];
  const socket = { send: (text: string) => sent.push(text), congested: false, end: async () => {} };
  const window = new SendWindow({
    clock,
    random: () => 0.999,
    newFrameId: () => newFrameId(systemTimeAndIds.newId),
    onSilence: (isUrgent) => silences.push(isUrgent),
    onRoom: () => {},
  });
  const connect = () => {
    window.attach(socket satisfies OpenSocket);
    window.open();
  };
  const request = (text: string, change: Partial<Request> = {}) => {
    const became: string[] = [];
    const made: Request = {
      id: newFrameId(systemTimeAndIds.newId),
      text,
      answerMs: acceptMs,
      tries: 3,
      isUrgent: false,
      outlivesConnection: false,
      answered: () => () => became.push("answered"),
      failed: (code) => () => became.push(code),
      ...change,
    };
    window.send(made);
    const accept = () => window.reply({ type: "accepted", inReplyTo: made.id })?.();
    const refuse = (code: ErrorCode) => window.reply({ type: "error", code, message: "", inReplyTo: made.id })?.();
    return { became, accept, refuse };
  };
  return { clock, socket, sent, silences, window, connect, request };
}

test("nothing but what is urgent goes before the greeting is answered", () => {
  const { window, socket, sent, request } = setting();
  window.attach(socket);
  request("frame");
  request("hello", { isUrgent: true });
  expect(sent).toEqual(["hello"]);
  window.open();
  expect(sent).toEqual(["hello", "frame"]);
});

test("bytes are bounded as well as frames; what is small may overtake what there is no room for", () => {
  const { sent, connect, request } = setting();
  connect();
  const large = request("a".repeat(windowBytes - 10));
  request("b".repeat(100));
  request("small");
  request("urgent".repeat(10), { isUrgent: true });
  expect(sent.map(([first]) => first)).toEqual(["a", "s", "u"]);
  large.accept();
  request("next");
  expect(sent.map(([first]) => first)).toEqual(["a", "s", "u", "b", "n"]);
});

test("a congested socket is left alone for a moment", () => {
  const { clock, socket, sent, connect, request } = setting();
  connect();
  socket.congested = true;
  request("frame");
  expect(sent).toEqual([]);
  socket.congested = false;
  clock.advance(100);
  expect(sent).toEqual(["frame"]);
});

test("a frame is tried as often as it may be, and its failure is the last one's", () => {
  const { clock, sent, connect, request } = setting();
  connect();
  const { became, refuse } = request("frame");
  refuse("storage_throttled");
  clock.advance(2_000);
  refuse("conflict");
  clock.advance(4_000);
  expect(sent).toHaveLength(3);
  refuse("queue_unavailable");
  expect(became).toEqual(["queue_unavailable"]);
});

test("an answer that comes while a frame waits out its failure is an answer", () => {
  const { clock, sent, connect, request } = setting();
  connect();
  const { became, refuse, accept } = request("frame");
  refuse("storage_throttled");
  refuse("storage_throttled");
  accept();
  clock.advance(600_000);
  expect({ became, sent }).toEqual({ became: ["answered"], sent: ["frame"] });
});

test("over the next connection goes what outlives one; the others fail with it", () => {
  const { sent, window, connect, request } = setting();
  connect();
  const lasting = request("lasting", { outlivesConnection: true });
  const passing = request("passing");
  window.detach();
  expect([lasting.became, passing.became]).toEqual([[], ["connection_lost"]]);
  expect(request("unsent").became).toEqual(["connection_lost"]);
  connect();
  lasting.accept();
  expect(sent).toEqual(["lasting", "passing", "lasting"]);
  expect(lasting.became).toEqual(["answered"]);
});

test("when a function has died, what may be sent again is sent soon, and nobody is taken to be gone", () => {
  const { clock, sent, silences, window, connect, request } = setting();
  connect();
  request("frame");
  request("once", { tries: 1 });
  window.resendSoon();
  clock.advance(lostAnswerMs + 2_000);
  expect({ sent, silences }).toEqual({ sent: ["frame", "once", "frame"], silences: [] });
});

test.each([true, false])("an answer that does not come in time is a silence (urgent: %s)", (isUrgent) => {
  const { clock, silences, connect, request } = setting();
  connect();
  const { became } = request("frame", { isUrgent, tries: 1 });
  clock.advance(acceptMs);
  expect({ became, silences }).toEqual({ became: ["answer_overdue"], silences: [isUrgent] });
});
