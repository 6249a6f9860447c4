import type { JsonObject } from '@agent/run-store';
import type { RunJournal } from '@agent/runner';
import { type Locale, toCodeBlock } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import { cutWithoutSecrets } from '@agent/text/secrets';
import type { CheckedOutSubmodules, FetchedLfsFiles, MissingSubmodule, SetupResult } from '@agent/workspace';
import { z } from 'zod';
import { en, forModel } from './texts.en.ts';
import { ja } from './texts.ja.ts';

const texts: Readonly<Record<Locale, typeof en>> = { en, ja };

/** Name of the fact that tells of a set-up in the record. */
export const setUpFactName = 'set-up';

/** Outcome of a set-up, to be told. */
export interface SetUpOutcome {
  readonly commands: readonly string[];
  readonly problem: string | null;
  readonly ignoresSetup: boolean;
  readonly submodules: CheckedOutSubmodules;
  readonly lfs: FetchedLfsFiles;
  /** Null where there was none. */
  readonly result: Exclude<SetupResult, { kind: 'unchanged' }> | null;
}

/** Formats what the model is told; of a failure, what goes before its output. */
export function formatForModel(outcome: SetUpOutcome): readonly string[] {
  const { commands, problem, ignoresSetup, lfs, result } = outcome;
  const { made, missing } = outcome.submodules;
  const list = commands.map((command) => JSON.stringify(command)).join(', ');
  return [
    ...(problem === null ? [] : [forModel.problem(problem)]),
    ...(made.length === 0 ? [] : [forModel.submodules(listPaths(made.map(toQuoted)))]),
    ...(missing.length === 0
      ? []
      : [forModel.missing(listPaths(missing.map(({ path, why }) => `${toQuoted(path)} (${en.why[why]})`)))]),
    ...(lfs.made.length === 0 ? [] : [forModel.lfs(lfs.made.length)]),
    ...(lfs.missing.length === 0
      ? []
      : [forModel.lfsMissing(listPaths(lfs.missing.map(({ path }) => toQuoted(path))))]),
    ...(ignoresSetup ? [forModel.ignored] : []),
    ...(result?.kind === 'done' ? [forModel.done(list)] : []),
    ...(result?.kind === 'restored' ? [forModel.restored(list)] : []),
    ...(result?.kind === 'failed'
      ? [forModel.failed({ command: JSON.stringify(result.command), failure: result.failure })]
      : []),
  ];
}

/** Most paths that are told. */
const maxPaths = 20;

const toQuoted = (path: string) => JSON.stringify(path.slice(0, 200));

function listPaths(paths: readonly string[]): string {
  const more = paths.length > maxPaths ? [`and ${paths.length - maxPaths} more`] : [];
  return [...paths.slice(0, maxPaths), ...more].join(', ');
}

/** Longest end of an output that a thread is told, in characters. */
const maxTailChars = 1_500;

/** Formats what people are told at once of a set-up that failed: at its end, or as the reason of a run that ends with it. */
export function formatFailure(
  { output, ...failed }: { readonly command: string; readonly failure: string; readonly output: string },
  {
    locale,
    ends,
    redactOutgoing: hideSecrets,
  }: {
    readonly locale: Locale;
    readonly ends: boolean;
    readonly redactOutgoing: (text: string) => string;
  },
): string {
  const text = texts[locale];
  const tail = cutWithoutSecrets(output, { hideSecrets, maxChars: maxTailChars, keep: 'end' });
  const heading = ends ? text.ended(failed) : text.failed(failed);
  return [heading, '', text.outputHeading, '', toCodeBlock(tail, '')].join('\n');
}

const step = z.object({ command: z.string(), seconds: z.number() });
const reasons = Object.keys(en.why) as MissingSubmodule[];
const factSchema = z.object({
  kind: z.enum(['none', 'restored', 'done', 'failed']),
  problem: z.string().nullable(),
  ignored: z.boolean(),
  steps: z.array(step).default([]),
  command: z.string().default(''),
  failure: z.string().default(''),
  missing: z.array(z.object({ path: z.string(), why: z.enum(reasons) })),
  pointers: z.array(z.string()),
});

/** Converts an outcome to what the record keeps of it; the end of an output stays out. */
export function toSetUpFact({
  problem,
  ignoresSetup: ignored,
  submodules,
  lfs,
  result,
}: Omit<SetUpOutcome, 'commands'>): JsonObject {
  const missing = submodules.missing.slice(0, maxPaths).map(({ path, why }) => ({ path, why }));
  const pointers = lfs.missing.slice(0, maxPaths).map(({ path }) => path);
  const common = { kind: result?.kind ?? 'none', problem, ignored, missing, pointers };
  if (result === null || result.kind === 'restored') return common;
  const steps = result.steps.map(({ command, seconds }) => ({ command, seconds }));
  if (result.kind === 'done') return { ...common, steps };
  return { ...common, steps, command: result.command, failure: result.failure };
}

/** Formats what the final comment says of the set-ups of a run; empty where there was none. */
export async function formatSetUps(
  journal: Pick<RunJournal, 'read'>,
  { locale }: { readonly locale: Locale },
): Promise<string> {
  const text = texts[locale];
  const lines: string[] = [];
  for await (const entry of journal.read({ facts: [setUpFactName] })) {
    if (entry.type !== 'fact' || entry.name !== setUpFactName) continue;
    const { kind, problem, ignored, missing, pointers, steps, command, failure } = factSchema.parse(
      entry.data,
    );
    const done = kind === 'failed' ? steps.slice(0, -1) : steps;
    if (problem !== null) lines.push(text.problem(toCodeSpan(problem.replaceAll('\n', ' '))));
    if (ignored) lines.push(text.ignored);
    lines.push(
      ...missing.map(({ path, why }) => text.missing({ path: toCodeSpan(path), why: text.why[why] })),
    );
    if (pointers.length > 0)
      lines.push(text.pointers(pointers.map((path) => toCodeSpan(path.slice(0, 200))).join(', ')));
    if (kind === 'restored') lines.push(text.restored);
    lines.push(...done.map((one) => text.step({ ...one, command: toCodeSpan(one.command) })));
    if (kind === 'failed') lines.push(text.failedStep({ command: toCodeSpan(command), failure }));
  }
  return lines.length === 0 ? '' : [text.heading, '', ...lines].join('\n');
}
