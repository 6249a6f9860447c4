import { checkNames } from '../check-names.ts';
import {
  type checkStatuses,
  type Exchange,
  platformNames,
  type Rehearsal,
  versionNames,
  versionPattern,
} from './rehearsal.ts';
import { mergeShapes, type Shape } from './shape.ts';
import type { ShapeLine } from './shape-line.ts';

/** Facts of a rehearsal beside its requests. */
export interface RehearsalFacts {
  /** Of a check, only name, status and time are written. */
  readonly checks: readonly {
    readonly name: string;
    readonly status: (typeof checkStatuses)[number];
    readonly durationMs: number;
  }[];
  /** `platform` is its name, the others are versions: `program`, `node`, `git`, `server`. Anything else is left out. */
  readonly versions: Readonly<Record<string, string>>;
}

const maxTimeline = 5_000;

/** Formats `rehearsal.json`: which requests were sent, how the answers find, and no content of either. */
export function writeRehearsal(rehearsal: RehearsalFacts & { readonly lines: readonly ShapeLine[] }): string {
  return `${JSON.stringify(toRehearsal(rehearsal), null, 1)}\n`;
}

function toRehearsal({ lines, checks, versions }: Parameters<typeof writeRehearsal>[0]): Rehearsal {
  const groups = Map.groupBy(lines, keyOf);
  const keys = [...groups.keys()].sort();
  const sorted = lines.toSorted((one, other) => one.at - other.at);
  const start = sorted[0]?.at ?? 0;
  return {
    format: 'agent-rehearsal',
    version: 1,
    platform: platformNames.find((name) => name === versions.platform) ?? null,
    versions: Object.fromEntries(
      versionNames.flatMap((name) => {
        const version = versions[name]?.replace(/^v(?=\d)/, '') ?? '';
        return versionPattern.test(version) ? [[name, version]] : [];
      }),
    ),
    checks: checks.flatMap(({ name: given, status, durationMs }) => {
      const name = checkNames.find((one) => one === given);
      return name === undefined ? [] : [{ name, status, milliseconds: Math.round(durationMs) }];
    }),
    exchanges: keys.map((key) => toExchange(groups.get(key) ?? [])),
    timeline: sorted
      .slice(0, maxTimeline)
      .map((line) => [line.at - start, keys.indexOf(keyOf(line)), line.milliseconds]),
  };
}

function keyOf({ service, route, status, failure, server }: ShapeLine): string {
  return [service, route, status, failure, server].join('\n');
}

function toExchange(lines: readonly ShapeLine[]): Exchange {
  const [first] = lines;
  if (first === undefined) throw new TypeError('an exchange has at least one line');
  const { service, route, status, failure, server } = first;
  const full = lines.filter(({ isFullPage }) => isFullPage === true);
  return {
    ...{ service, route, status, failure, server, count: lines.length },
    sources: toWords(lines.map(({ source }) => source)),
    query: toWords(lines.flatMap(({ query }) => query)),
    milliseconds: toRange(lines.map(({ milliseconds }) => milliseconds)),
    headers: toHeaders(lines),
    fullPages: full.length,
    linkedPages: full.filter(({ headers }) => 'link' in headers).length,
    request: merge(lines.map(({ request }) => request)),
    answer: merge(lines.map(({ answer }) => answer)),
  };
}

function toHeaders(lines: readonly ShapeLine[]): Exchange['headers'] {
  const names = toWords(lines.flatMap(({ headers }) => Object.keys(headers)));
  return Object.fromEntries(
    names.map((name) => {
      const values = lines.flatMap(({ headers }) => headers[name] ?? []);
      const numbers = values.filter((value) => typeof value === 'number');
      return [
        name,
        {
          count: values.length,
          words: toWords(values.filter((value) => typeof value === 'string')),
          numbers: toExtremes(numbers),
        },
      ];
    }),
  );
}

function merge(shapes: readonly (Shape | null)[]): Exchange['answer'] {
  const present = shapes.filter((shape) => shape !== null);
  return present.length === 0 ? null : (mergeShapes(present) as Exchange['answer']);
}

function toRange(values: readonly number[]): Exchange['milliseconds'] {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (index: number): number => sorted[index] ?? 0;
  return { least: at(0), median: at(Math.floor(sorted.length / 2)), most: at(sorted.length - 1) };
}

function toExtremes(numbers: readonly number[]): Exchange['headers'][string]['numbers'] {
  if (numbers.length === 0) return null;
  const { least, most } = toRange(numbers);
  return { least, most };
}

function toWords<Word extends string>(words: readonly Word[]): Word[] {
  return [...new Set(words)].sort();
}
