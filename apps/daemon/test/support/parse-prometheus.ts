/** A number of the text that Prometheus reads. */
export interface PrometheusSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const types = /^# TYPE (?<name>[a-zA-Z_][a-zA-Z0-9_]*) (?<type>counter|gauge|histogram)$/;
const help = /^# HELP [a-zA-Z_][a-zA-Z0-9_]* .+$/;
const sample =
  /^(?<name>[a-zA-Z_][a-zA-Z0-9_]*)(?:\{(?<labels>(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (?<value>-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf|NaN)|\+Inf)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/g;

/**
 * Parses the text format of Prometheus.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 * @throws Error for a line against the format, a sample without a type, a family that comes twice, and a sample that does
 */
export function parsePrometheus(text: string): {
  /** Types by the names of families. */
  readonly families: ReadonlyMap<string, string>;
  readonly samples: readonly PrometheusSample[];
} {
  const families = new Map<string, string>();
  const samples: PrometheusSample[] = [];
  const seen = new Set<string>();
  let current = '';
  for (const line of text.trimEnd().split('\n')) {
    const typed = types.exec(line)?.groups;
    if (typed !== undefined) {
      current = typed.name ?? '';
      if (families.has(current)) throw new Error(`the family ${current} comes twice`);
      families.set(current, typed.type ?? '');
      continue;
    }
    if (help.test(line)) continue;
    const found = sample.exec(line)?.groups;
    if (found === undefined) throw new Error(`this line is not in the format: ${line}`);
    const { name = '', labels = '', value = '' } = found;
    const suffixes = families.get(current) === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    if (!suffixes.some((suffix) => name === `${current}${suffix}`))
      throw new Error(`${name} is not of the family ${current}`);
    const key = line.slice(0, line.lastIndexOf(' '));
    if (seen.has(key)) throw new Error(`the sample ${key} comes twice`);
    seen.add(key);
    const pairs = [...labels.matchAll(label)].map(([, name = '', text = '']) => [name, text]);
    samples.push({
      name,
      labels: Object.fromEntries(pairs),
      value: Number(value.replace('Inf', 'Infinity')),
    });
  }
  return { families, samples };
}
