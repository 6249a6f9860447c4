import type { Histogram } from './board-state.ts';

/** Meaning and samples of a family. */
export type Numbers = Pick<MetricFamily, 'help' | 'samples'>;

/** Composes a family of numbers that go up and down. */
export function gauge(name: string, numbers: Numbers): MetricFamily {
  return { name, type: 'gauge', ...numbers };
}

/** Composes a family of numbers that only grow. */
export function counter(name: string, numbers: Numbers): MetricFamily {
  return { name, type: 'counter', ...numbers };
}

/** Composes a family of histograms. */
export function histogram(name: string, numbers: Numbers): MetricFamily {
  return { name, type: 'histogram', ...numbers };
}

/** Each bucket holds those before it too. @see https://prometheus.io/docs/specs/om/open_metrics_spec/#histogram */
export function toHistogramSamples({ bounds, counts, sum }: Histogram): readonly MetricSample[] {
  const total = counts.reduce((all, count) => all + count, 0);
  const upTo = (index: number) => counts.slice(0, index + 1).reduce((all, count) => all + count, 0);
  return [
    ...bounds.map((bound, index) => ({
      part: 'bucket' as const,
      labels: { le: bound.toFixed(1) },
      value: upTo(index),
    })),
    { part: 'bucket', labels: { le: '+Inf' }, value: total },
    { part: 'count', value: total },
    { part: 'sum', value: sum },
  ];
}

/** Composes the samples of a family that has one number. */
export function one(value: number): readonly MetricSample[] {
  return [{ value }];
}

/** Composes a sample for each value of one label. */
export function byLabel(label: string, values: Readonly<Record<string, number>>): readonly MetricSample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

/** One number of a family, told apart by its labels. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Part of a histogram that this number is. */
  readonly part?: 'bucket' | 'count' | 'sum' | undefined;
  readonly value: number;
}

/** Numbers of one meaning. A counter only grows; its samples get the suffix `_total` when they are written. */
export interface MetricFamily {
  /** Without `_total`; ends in its unit where it has one. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

/** @see https://prometheus.io/docs/specs/om/open_metrics_spec/#overall-structure */
export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * The text that scrapers read. Families without samples are left out.
 *
 * @see https://prometheus.io/docs/specs/om/open_metrics_spec/#abnf
 */
export function formatOpenMetrics(families: readonly MetricFamily[]): string {
  return [...families.filter(({ samples }) => samples.length > 0).flatMap(formatFamily), '# EOF', ''].join(
    '\n',
  );
}

function formatFamily(family: MetricFamily): readonly string[] {
  const name = family.type === 'counter' ? `${family.name}_total` : family.name;
  return [
    `# TYPE ${family.name} ${family.type}`,
    `# HELP ${family.name} ${escapeText(family.help)}`,
    ...family.samples.map(
      ({ labels = {}, part, value }) =>
        `${part === undefined ? name : `${name}_${part}`}${formatLabels(labels)} ${value}`,
    ),
  ];
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
