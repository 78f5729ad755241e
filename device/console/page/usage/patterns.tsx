import { useTranslation } from "react-i18next";
import type { Feature } from "./queries.ts";

/** In the order they are stacked; each has a pattern of its own, so that no colour is needed to tell them apart. */
export const features = ["triage", "folder_index", "agents", "categorize"] as const satisfies readonly Feature[];

/** The pattern of a feature, as SVG's `fill` takes it. */
export const fillOf = (feature: Feature): string => `url(#usage-${feature})`;

/** Plain, striped, dotted and crossed. */
export function Patterns() {
  const size = { width: 8, height: 8, patternUnits: "userSpaceOnUse" } as const;
  return (
    <defs>
      <pattern id="usage-triage" {...size}>
        <rect width={8} height={8} className="ink-full" />
      </pattern>
      <pattern id="usage-folder_index" {...size}>
        <rect width={8} height={8} className="ink-none" />
        <path d="M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6" className="ink-line" />
      </pattern>
      <pattern id="usage-agents" {...size}>
        <rect width={8} height={8} className="ink-none" />
        <circle cx={4} cy={4} r={2} className="ink-full" />
      </pattern>
      <pattern id="usage-categorize" {...size}>
        <rect width={8} height={8} className="ink-none" />
        <path d="M0 4 H8 M4 0 V8" className="ink-line" />
      </pattern>
    </defs>
  );
}

/** Which pattern is which. */
export function Legend() {
  const { t } = useTranslation();
  return (
    <ul className="usage-legend">
      {features.map((feature) => (
        <li key={feature}>
          <svg width={18} height={18} aria-hidden="true">
            <rect x={1} y={1} width={16} height={16} fill={fillOf(feature)} className="ink-edge" />
          </svg>
          {t(`usage.feature.${feature}`)}
        </li>
      ))}
    </ul>
  );
}
