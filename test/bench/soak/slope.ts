export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The lowest point of each of `windows` equal parts: between collections a heap only grows, what stays is its floor. */
export function floors(points: readonly Point[], windows: number): Point[] {
  const size = Math.max(1, Math.ceil(points.length / windows));
  const lowest: Point[] = [];
  for (let start = 0; start < points.length; start += size) {
    const window = points.slice(start, start + size);
    lowest.push(window.reduce((low, point) => (point.y < low.y ? point : low)));
  }
  return lowest;
}

/** Least squares: the slope of y over x with its standard error; NaN of fewer than three points. */
export function slopeOf(points: readonly Point[]): { slope: number; error: number } {
  const count = points.length;
  if (count < 3) return { slope: Number.NaN, error: Number.NaN };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (count - 2) / spread) };
}
