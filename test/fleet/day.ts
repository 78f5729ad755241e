export const secondsADay = 86_400;
const secondsAnHour = 3_600;

/** People by the hours their clocks are ahead of UTC: an assumption, a product sold in America, Europe and Asia alike. */
const zones: readonly (readonly [hours: number, share: number])[] = [
  [-8, 0.06],
  [-6, 0.09],
  [-5, 0.17],
  [-3, 0.05],
  [0, 0.07],
  [1, 0.2],
  [2, 0.08],
  [3, 0.03],
  [5.5, 0.11],
  [8, 0.08],
  [9, 0.05],
  [10, 0.01],
];

/** Mail by the hour of its reader's clock, and how many of their devices are there: assumptions, the shape of a working day. */
const mailByHour = [2, 1, 1, 1, 1, 2, 4, 6, 8, 10, 10, 9, 8, 8, 9, 9, 8, 7, 5, 4, 4, 3, 3, 2];
const devicesByHour = [1, 1, 1, 1, 1, 1, 2, 5, 8, 9, 9, 9, 8, 9, 9, 9, 8, 7, 6, 6, 6, 5, 3, 2];

/** Letters that go to everybody at once are sent at round hours of the reader's clock, and out within a minute or two. */
const newsletterHours = [6, 7, 8, 9, 12, 17];
const newsletterSeconds = 90;

/** The weight of each second of a day in UTC, one on average. */
function curve(byHour: readonly number[]): Float64Array {
  const seconds = new Float64Array(secondsADay);
  for (const [ahead, share] of zones) {
    for (let second = 0; second < secondsADay; second += 1) {
      const hour = (((second / secondsAnHour + ahead) % 24) + 24) % 24;
      const [from, to] = [byHour[Math.floor(hour)] ?? 0, byHour[(Math.floor(hour) + 1) % 24] ?? 0];
      seconds[second] = (seconds[second] ?? 0) + share * (from + (to - from) * (hour % 1));
    }
  }
  return normalised(seconds);
}

function normalised(seconds: Float64Array): Float64Array {
  const mean = seconds.reduce((sum, weight) => sum + weight, 0) / seconds.length;
  return seconds.map((weight) => weight / mean);
}

function newsletters(): Float64Array {
  const seconds = new Float64Array(secondsADay);
  for (const [ahead, share] of zones) {
    for (const hour of newsletterHours) {
      const begin = ((((hour - ahead) * secondsAnHour) % secondsADay) + secondsADay) % secondsADay;
      for (let after = 0; after < 6 * newsletterSeconds; after += 1) {
        const second = (begin + after) % secondsADay;
        seconds[second] = (seconds[second] ?? 0) + share * Math.exp(-after / newsletterSeconds);
      }
    }
  }
  return normalised(seconds);
}

export interface Day {
  /** Mail of each second of the day in UTC, one on average. */
  readonly mail: Float64Array;
  /** Devices that are there in each second, as a share of all. */
  readonly devices: Float64Array;
}

/**
 * @param newsletterShare of the mail that is sent at round hours
 * @param connectedShare of its day that a device is there
 */
export function dayOf(newsletterShare: number, connectedShare: number): Day {
  const letters = newsletters();
  const mail = curve(mailByHour).map((weight, second) => {
    return (1 - newsletterShare) * weight + newsletterShare * (letters[second] ?? 0);
  });
  return { mail, devices: curve(devicesByHour).map((weight) => weight * connectedShare) };
}

/** `06:30` of a second of a run; further days are counted. */
export function clockOf(second: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const inDay = second % secondsADay;
  const day = Math.floor(second / secondsADay);
  const time = `${two(inDay / secondsAnHour)}:${two((inDay / 60) % 60)}`;
  return day > 0 ? `${time} (day ${day + 1})` : time;
}
