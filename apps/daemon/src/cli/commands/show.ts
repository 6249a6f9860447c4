import { formatMoney, nameOfRun, type ShownMessage } from '@agent/orchestrator';
import { readRunCosts } from '@agent/orchestrator/watch';
import type { Json, ShownRun } from '@agent/run-store';
import { mapTexts } from '@agent/text';
import { cleanLine, cleanText, formatDuration } from '../../text/terminal-text.ts';
import type { CommandIo } from '../command-io.ts';
import { findRunUuid } from '../find-thread.ts';
import { type OpenedDirectory, openDirectory } from '../open-directory.ts';
import { loadMoney } from '../shared-budgets.ts';
import {
  formatEntry,
  formatPreparedCall,
  listPreparedCalls,
  type PreparedCall,
  toEntryJson,
  toPreparedJson,
  toRunHeadJson,
} from '../show-run.ts';
import type { CliTexts } from '../texts.en.ts';

/** Options and arguments of the command line. */
export interface ShowFlags {
  readonly config: string;
  readonly json?: boolean | undefined;
  /** uuid of a run, or its beginning; a task as other commands name it stands for the run that has not ended, else the latest. */
  readonly run: string;
}

/**
 * `agent-daemon show`: a run's journal, readable, oldest first, without its secrets.
 *
 * @returns the exit code
 * @throws ContextStoreError when the run is unknown, ambiguous or damaged; CommandError when a task is unknown or ambiguous
 */
export async function showCommand(flags: ShowFlags, io: CommandIo): Promise<number> {
  const directory = await openDirectory(flags, io);
  const run = await directory.reader.readRun(await findRunUuid(directory, flags.run));
  const warn = (_: unknown, message?: string): void => io.warn(directory.redact(message ?? ''));
  const prepared = await listPreparedCalls(run.state, { warn });
  const costs = await readRunCosts(directory.storage.accounts, [run.uuid]);
  const costMicros = costs.get(run.uuid) ?? run.outcome?.statistics.costMicros ?? null;
  const money = await loadMoney(flags.config, io);
  const parts = { directory, io, prepared, costMicros, currency: money?.llm.currency ?? null };
  await (flags.json === true ? printJson : printText)(run, parts);
  return 0;
}

interface ShowParts {
  readonly directory: OpenedDirectory;
  readonly io: CommandIo;
  /** Calls of tools before the journal began. */
  readonly prepared: readonly PreparedCall[];
  /** Cost of all calls of the run by the ledger, in millionths; by its record if the ledger has none. Null for none. */
  readonly costMicros: number | null;
  readonly currency: string | null;
}

async function printJson(
  run: ShownRun<ShownMessage>,
  { directory, io, prepared, costMicros, currency }: ShowParts,
): Promise<void> {
  const history: Json[] = [];
  for await (const entry of run.history()) history.push(toEntryJson(entry));
  const cost = { cost_micros: costMicros, currency };
  const shown = { ...toRunHeadJson(run), ...cost, prepared: prepared.map(toPreparedJson), history };
  io.print(JSON.stringify(mapTexts(shown, directory.redact), null, 2));
}

async function printText(run: ShownRun<ShownMessage>, parts: ShowParts): Promise<void> {
  const { directory, io, prepared } = parts;
  const { redact, texts } = directory;
  io.print(redact(formatHead(run, texts)));
  for (const call of prepared) io.print(`\n${redact(formatPreparedCall(call, texts))}`);
  for await (const entry of run.history()) io.print(`\n${redact(formatEntry(entry, texts))}`);
  io.print(`\n${redact(formatOutcome(run, { ...parts, texts }))}`);
}

function formatHead({ uuid, place, location, metadata, outcome }: ShownRun<ShownMessage>, texts: CliTexts) {
  const { url, title, branch } = metadata.extra;
  const name = nameOfRun({
    taskKeyText: metadata.taskKeyText,
    url: typeof url === 'string' ? url : null,
  });
  const state = outcome?.status ?? (place === 'completed' ? 'ended' : place);
  const lines = [
    [name, typeof title === 'string' ? title : ''],
    [uuid, texts.states[state] ?? state, metadata.createdAt],
    ...[url, branch, metadata.config.model].flatMap((fact) => (typeof fact === 'string' ? [[fact]] : [])),
    [location],
  ];
  return lines.map((parts) => parts.map(cleanLine).join('  ')).join('\n');
}

function formatOutcome(
  { outcome }: ShownRun<ShownMessage>,
  { texts, costMicros, currency }: Pick<ShowParts, 'costMicros' | 'currency'> & { readonly texts: CliTexts },
): string {
  if (outcome === null) return texts.notEnded;
  const { modelCalls, toolCalls, inputTokens, outputTokens, durationMs, ...kinds } = outcome.statistics;
  const { cachedInputTokens } = kinds;
  const cost = costMicros === null || costMicros === 0 ? null : formatCost(costMicros, currency);
  const counts = { modelCalls, toolCalls, tokens: inputTokens + outputTokens, cachedInputTokens, cost };
  return cleanText(
    [
      `── ${texts.outcome}: ${texts.states[outcome.status]}  ${outcome.finishedAt}`,
      `   ${texts.statistics({ ...counts, duration: formatDuration(durationMs) })}`,
      ...(outcome.reason === null ? [] : [`   ${outcome.reason}`]),
      ...describeDelivery(outcome.details),
    ].join('\n'),
  );
}

const formatCost = (micros: number, currency: string | null): string =>
  formatMoney(micros, currency ?? '').trim();

/** Lists where the changes went, one fact a line. The final comment says the same in prose and is left out. */
function describeDelivery(details: unknown): readonly string[] {
  if (typeof details !== 'object' || details === null) return [];
  return Object.entries(details)
    .filter(([name, value]) => name !== 'final_comment' && value !== null && String(value) !== '')
    .map(([name, value]) => `   ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}
