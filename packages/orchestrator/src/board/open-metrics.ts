import { countValues, type Histogram } from './histogram.ts';

/** Meaning and samples of a family. */
export type Numbers = Pick<MetricFamily, 'unit' | 'help' | 'samples'>;

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

/** Composes the samples of a family that has one number. */
export function one(value: number): readonly MetricSample[] {
  return [{ value }];
}

/** Composes a sample for each value of one label. */
export function byLabel(label: string, values: Readonly<Record<string, number>>): readonly MetricSample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

/** One number or histogram of a family, told apart by its labels. */
export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly value: number | Histogram;
}

/**
 * Numbers of one meaning, under the names of OpenTelemetry. In the text that scrapers read, dots of names become underscores, a
 * unit follows, and samples of a counter get the suffix `_total`.
 */
export interface MetricFamily {
  /** Without `_total`; ends in its unit where it has one that `unit` does not say. */
  readonly name: string;
  /** Unit of OpenTelemetry; scrapers read seconds at the end of the name, and nothing of one in braces. Default none. */
  readonly unit?: 's' | '{token}' | undefined;
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

function formatFamily({ name: given, unit, type, help, samples }: MetricFamily): readonly string[] {
  const name = `${toScraped(given)}${unit === 's' ? '_seconds' : ''}`;
  return [
    `# TYPE ${name} ${type}`,
    `# HELP ${name} ${escapeText(help)}`,
    ...samples.flatMap((sample) => formatSample(type === 'counter' ? `${name}_total` : name, sample)),
  ];
}

/** Each bucket holds those before it too. @see https://prometheus.io/docs/specs/om/open_metrics_spec/#histogram */
function formatSample(name: string, { labels = {}, value }: MetricSample): readonly string[] {
  if (typeof value === 'number') return [`${name}${formatLabels(labels)} ${value}`];
  const { bounds, counts, sum } = value;
  const total = countValues(value);
  const bucket = (le: string, upTo: number) => `${name}_bucket${formatLabels({ ...labels, le })} ${upTo}`;
  return [
    ...bounds.map((bound, index) =>
      bucket(formatBound(bound), countValues({ counts: counts.slice(0, index + 1) })),
    ),
    bucket('+Inf', total),
    `${name}_count${formatLabels(labels)} ${total}`,
    `${name}_sum${formatLabels(labels)} ${sum}`,
  ];
}

/** A whole number ends in `.0`: scrapers know a bucket again by how its bound is written. */
function formatBound(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${toScraped(name)}="${escapeText(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function toScraped(name: string): string {
  return name.replaceAll('.', '_');
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
