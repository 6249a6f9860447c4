import { readFile } from 'node:fs/promises';
import { processLocale } from '@agent/text/locale';
import { cleanLine } from '../clean-line.ts';
import { type Difference, type Finding, matters } from './compare-shapes.ts';
import { type Comparison, findDifferences } from './find-differences.ts';
import { type Rehearsal, rehearsalSchema } from './rehearsal.ts';
import type { ComparisonTexts } from './texts.en.ts';

const maxPaths = 12;

/** Streams of the command line. */
interface ComparisonIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard output. */
  readonly print: (text: string) => void;
}

/** A file that cannot be compared. The message is for the user at the terminal. */
export class RehearsalFileError extends Error {
  readonly code = 'rehearsal-file';
  override readonly name = 'RehearsalFileError';
}

/**
 * `agent-daemon rehearse --compare FILE`: prints where the answers in `rehearsal.json` differ from the simulators and from the
 * conformance matrix of models.
 *
 * @returns the exit code: 1 if there are differences that matter, or if a check failed
 * @throws RehearsalFileError if the file cannot be read, or is not a record of a rehearsal
 */
export async function compareRehearsal(file: string, io: ComparisonIo): Promise<number> {
  const texts =
    processLocale(io.environment) === 'ja'
      ? (await import('./texts.ja.ts')).ja
      : (await import('./texts.en.ts')).en;
  const comparison = findDifferences(await readRehearsal(file, texts));
  for (const line of formatComparison(comparison, texts)) io.print(line);
  return comparison.differences.some(matters) || comparison.failedChecks.length > 0 ? 1 : 0;
}

/** Formats a comparison: the differences of each kind of request below its address. */
function formatComparison(comparison: Comparison, texts: ComparisonTexts): readonly string[] {
  const ofRoute = Map.groupBy(comparison.differences, ({ exchange }) => exchange);
  const lines = [...ofRoute].flatMap(([{ service, server, route, status }, differences]) => [
    `${differences.some(matters) ? '✗' : '·'} ${server ?? service}: ${route} → ${status ?? texts.noStatus}`,
    ...differences.map((difference) => `    ${formatFinding(difference, texts)}`),
  ]);
  const count = comparison.differences.filter(matters).length;
  const { failedChecks } = comparison;
  return [
    texts.compared(comparison),
    ...lines,
    ...(failedChecks.length === 0 ? [] : [texts.failedChecks(failedChecks.join(', '))]),
    count === 0 ? texts.none : texts.summary(count),
  ];
}

async function readRehearsal(file: string, texts: ComparisonTexts): Promise<Rehearsal> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RehearsalFileError(texts.unreadable(cleanLine(file), code ?? 'JSON'));
  }
  const read = rehearsalSchema.safeParse(content);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') || 'format';
  throw new RehearsalFileError(texts.invalid(cleanLine(file), cleanLine(place).slice(0, 80)));
}

function formatFinding({ exchange, finding }: Difference, { findings: texts }: ComparisonTexts): string {
  switch (finding.kind) {
    case 'unknown-route':
    case 'no-tool-calls':
      return texts[finding.kind];
    case 'no-answer':
      return texts['no-answer'](finding.failure);
    case 'status':
      return texts.status(finding.expected.join(', '));
    case 'missing-field':
      return texts[finding.isAlways ? 'missing-field' : 'sometimes-missing-field'](finding.path);
    case 'other-type':
      return texts['other-type'](finding.path, toTypes(finding));
    case 'added-fields':
      return texts['added-fields'](finding.paths.length, formatPaths(finding.paths));
    case 'missing-header':
      return texts['missing-header'](finding.header, `${finding.count}/${exchange.count}`);
    case 'other-header':
      return texts['other-header'](finding.header, toTypes(finding));
    case 'no-link':
      return texts['no-link'](finding.count);
  }
}

function formatPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, maxPaths).join(', ');
  return paths.length > maxPaths ? `${shown}, …` : shown;
}

function toTypes({ found, expected }: Extract<Finding, { readonly kind: 'other-type' | 'other-header' }>): {
  readonly found: string;
  readonly expected: string;
} {
  const join = (kinds: readonly string[]): string =>
    kinds.map((kind) => (kind.startsWith('=') ? `"${kind.slice(1)}"` : kind)).join(', ');
  return { found: join(found), expected: join(expected) };
}
