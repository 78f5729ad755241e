import { useTranslation } from "react-i18next";
import { monthText, shortText } from "./numbers.ts";
import { features, fillOf, Patterns } from "./patterns.tsx";
import type { ToldUsage } from "./queries.ts";

/** In the chart's own units; it is drawn as wide as there is room. */
const [width, height, top, bottom] = [720, 248, 24, 36];

type Month = ToldUsage["months"][number];

/** Tokens of each month, stacked by feature. The table beside it has the same numbers. */
export function MonthChart({ months }: { readonly months: readonly Month[] }) {
  const { t, i18n } = useTranslation();
  const most = Math.max(1, ...months.map(({ total }) => total));
  const step = width / Math.max(1, months.length);
  const room = height - top - bottom;
  return (
    <svg className="usage-chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("usage.chart")}>
      <Patterns />
      {months.map((month, at) => (
        <g key={month.month} transform={`translate(${at * step} 0)`}>
          {stacked(month, room / most).map(({ feature, from, size }) => (
            <rect
              key={feature}
              x={step * 0.15}
              y={top + room - from - size}
              width={step * 0.7}
              height={size}
              fill={fillOf(feature)}
              className="ink-edge"
            />
          ))}
          <text x={step / 2} y={top + room - (month.total * room) / most - 6} className="usage-value">
            {shortText(month.total, i18n.language)}
          </text>
          <text x={step / 2} y={height - 8} className="usage-month">
            {monthText(month.month, i18n.language, "short")}
          </text>
        </g>
      ))}
      <line x1={0} x2={width} y1={top + room} y2={top + room} className="ink-line" />
    </svg>
  );
}

/** Where the part of each feature begins and how high it is. */
function stacked({ features: parts }: Month, perToken: number) {
  let from = 0;
  return features.flatMap((feature) => {
    const size = (parts.find((each) => each.feature === feature)?.used ?? 0) * perToken;
    const part = { feature, from, size };
    from += size;
    return size > 0 ? [part] : [];
  });
}
