import { formatMoney, type ShownMessage } from '@agent/orchestrator';
import type { RunView } from '@agent/orchestrator/watch';
import { isFailedCall, readRunCosts } from '@agent/orchestrator/watch';
import type { Json, ShownRun } from '@agent/run-store';
import { mapTexts } from '@agent/text';
import type { CommandIo } from '../command-io.ts';
import { findQueued, findRunUuid } from '../find-thread.ts';
import { type OpenedDirectory, openDirectory } from '../open-directory.ts';
import { printQueued } from '../read-queue.ts';
import { readRunView } from '../read-run-view.ts';
import { loadMoney } from '../shared-budgets.ts';
import { formatHead, toHeadJson } from '../show-head.ts';
import {
  formatEntry,
  formatPreparedCall,
  listPreparedCalls,
  type PreparedCall,
  toEntryJson,
  toPreparedJson,
  toRunHeadJson,
} from '../show-run.ts';

/** Options and arguments of the command line. */
export interface ShowFlags {
  readonly config: string;
  readonly json?: boolean | undefined;
  /** Shows prompts, patches and long texts whole. Default: folded. */
  readonly full?: boolean | undefined;
  /** Shows the failed calls of tools alone. */
  readonly errors?: boolean | undefined;
  /** uuid of a run, or its beginning; a task as other commands name it stands for the run that has not ended, else the latest. */
  readonly run: string;
}

/**
 * `agent-daemon show`: state, outcome and what to do next of a run, then its journal, readable, oldest first, without its secrets.
 *
 * @returns the exit code
 * @throws ContextStoreError when the run is unknown, ambiguous or damaged; CommandError when a task is unknown or ambiguous
 */
export async function showCommand(flags: ShowFlags, io: CommandIo): Promise<number> {
  const directory = await openDirectory(flags, io);
  const queued = await findQueued(directory, { given: flags.run, config: flags.config, io });
  if (queued !== null) return printQueued(queued, { directory, io, json: flags.json });
  const run = await directory.reader.readRun(await findRunUuid(directory, flags.run));
  const view = await readRunView(directory, { uuid: run.uuid, part: { from: 0, limit: 0 }, io });
  const warn = (_: unknown, message?: string): void => io.warn(directory.redact(message ?? ''));
  const prepared = await listPreparedCalls(run.state, { warn });
  const costs = await readRunCosts(directory.storage.accounts, [run.uuid]);
  const recorded = run.outcome?.statistics.costMicros ?? view?.row.costMicros ?? null;
  const costMicros = costs.get(run.uuid) ?? recorded;
  const money = await loadMoney(flags.config, io);
  const parts = { run, view, prepared, costMicros, currency: money?.llm.currency ?? null, directory, io };
  await (flags.json === true ? printJson(parts) : printText(parts, flags));
  return 0;
}

interface ShowParts {
  readonly run: ShownRun<ShownMessage>;
  readonly view: RunView | null;
  readonly directory: OpenedDirectory;
  readonly io: CommandIo;
  /** Calls of tools before the journal began. */
  readonly prepared: readonly PreparedCall[];
  /** Cost of all calls of the run by the ledger, in millionths; by its record if the ledger has none. Null for none. */
  readonly costMicros: number | null;
  readonly currency: string | null;
}

async function printJson(parts: ShowParts): Promise<void> {
  const { run, view, directory, io, prepared, costMicros, currency } = parts;
  const history: Json[] = [];
  for await (const entry of run.history()) history.push(toEntryJson(entry));
  const cost = { cost_micros: costMicros, currency };
  const head = { ...toRunHeadJson(run), ...toHeadJson(view), ...cost };
  const shown = { ...head, prepared: prepared.map(toPreparedJson), history };
  io.print(JSON.stringify(mapTexts(shown, directory.redact), null, 2));
}

async function printText(
  { run, view, directory, io, prepared, costMicros, currency }: ShowParts,
  { full: isFull = false, errors: onlyErrors = false }: Pick<ShowFlags, 'full' | 'errors'>,
): Promise<void> {
  const { redact, texts } = directory;
  const cost = costMicros ? formatMoney(costMicros, currency ?? '').trim() : null;
  io.print(redact(formatHead({ run, view, cost, texts, isFull })));
  const shown = prepared.filter(({ status }) => !onlyErrors || status === 'error');
  for (const call of shown) io.print(`\n${redact(formatPreparedCall(call, texts))}`);
  let hasPrinted = shown.length > 0;
  for await (const entry of run.history()) {
    if (onlyErrors && !(entry.type === 'tool' && isFailedCall(entry))) continue;
    const text = formatEntry(entry, { texts, isFull });
    if (text === null) continue;
    io.print(`\n${redact(text)}`);
    hasPrinted = true;
  }
  if (onlyErrors && !hasPrinted) io.print(`\n${texts.show.noErrors}`);
}
