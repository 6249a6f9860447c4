import { findLongFiles } from '../shape/file-length.ts';
import { findServiceBags } from '../shape/service-bags.ts';
import type { SourceTree } from '../shape/source-tree.ts';
import { isWorse, type Measure } from './measures.ts';

/** The figures that were committed, by name. */
export type KnownFigures = Readonly<Record<string, number>>;

/** A table for a terminal and for docs/house.md: what must be nothing, then what may not become worse. */
export function formatHouse(tree: SourceTree, measures: readonly Measure[]): string {
  const held = [
    ['files that are too long', findLongFiles(tree).length],
    ['service bags', findServiceBags(tree).length],
  ];
  return [
    '| held by a test | now | must be |',
    '|---|---|---|',
    ...held.map(([name, value]) => `| ${name} | ${value} | 0 |`),
    '',
    '| may not become worse | now | aim |',
    '|---|---|---|',
    ...measures.map(
      ({ name, value, better, aim }) => `| ${name} | ${value} | ${better === 'less' ? '≤' : '≥'} ${aim} |`,
    ),
  ].join('\n');
}

/** Says of each figure that became worse what it was, what it is, and what to do. */
export function findWorseFigures(measures: readonly Measure[], known: KnownFigures): readonly string[] {
  return measures
    .filter((measure) => isWorse(measure, known[measure.name] ?? measure.value))
    .map(
      ({ name, value }) => `${name}: ${value}, was ${known[name]}; \`npm run house -- --list\` says where`,
    );
}

/** The figures to commit: what became better is taken over, what became worse only where it is accepted by name. */
export function improveFigures(
  measures: readonly Measure[],
  known: KnownFigures,
  accepted: ReadonlySet<string>,
): KnownFigures {
  return Object.fromEntries(
    measures.map((measure) => {
      const before = known[measure.name] ?? measure.value;
      const stays = isWorse(measure, before) && !accepted.has(measure.name);
      return [measure.name, stays ? before : measure.value];
    }),
  );
}
