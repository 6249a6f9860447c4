import { wrapToolOutput } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import {
  openSetupCache,
  type SetupCache,
  type SetupResult,
  setUpWorktree,
  type TaskWorkspace,
} from '@agent/workspace';
import { z } from 'zod';
import type { Run } from '../run/run.ts';
import type { OpenCommands, RunCommands } from './open-commands.ts';
import { formatFailure, formatForModel, setUpFactName, toSetUpFact } from './set-up-report.ts';

export interface PrepareCommandsOptions {
  readonly openCommands: OpenCommands;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface PrepareCommandsAt {
  readonly workspace: TaskWorkspace;
  /** Marks the envelope around what commands wrote. */
  readonly nonce: string;
  readonly isToldToStop: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** The place of a run's commands, made ready. */
export interface PreparedCommands extends RunCommands {
  /** To be told to the model before anything else; null where there is nothing. */
  readonly notice: string | null;
}

export type PrepareCommands = (run: Run, at: PrepareCommandsAt) => Promise<PreparedCommands>;

/**
 * Creates what opens the place of a run's commands and sets up its worktree, once. What it did stands in the record; where it
 * failed, people and the model are told, and the run goes on or ends, as the operator wants.
 */
export function createPrepareCommands({ openCommands, sleep }: PrepareCommandsOptions): PrepareCommands {
  return async (run, at) => {
    const commands = await openCommands(run, at);
    try {
      return { ...commands, notice: await setUp(run, { ...at, commands, sleep }) };
    } catch (error) {
      await commands.place.close();
      throw error;
    }
  };
}

interface SetUpOptions extends PrepareCommandsAt, Pick<PrepareCommandsOptions, 'sleep'> {
  readonly commands: RunCommands;
}

const stateName = 'set-up.json';
/** Key of the set-up that was tried in the worktree of this run. */
const stateSchema = z.object({ key: z.string() });

async function setUp(run: Run, options: SetUpOptions): Promise<string | null> {
  const { commands, workspace, nonce } = options;
  const { environment, problem, ignoresSetup } = commands;
  const result = environment.setup === null ? null : await runSetup(run, options);
  if (result?.kind === 'unchanged') return null;
  const isNews = workspace.state === 'created' && (problem !== null || ignoresSetup);
  if (result === null && !isNews) return null;
  if (result !== null) await run.state.write(stateName, { key: result.key });
  const data = toSetUpFact({ problem, ignoresSetup, result });
  await run.journal.append({ type: 'fact', name: setUpFactName, data });
  if (result?.kind === 'failed') await tellFailure(run, options, result);
  const told = formatForModel({ commands: environment.setup?.commands ?? [], problem, ignoresSetup, result });
  const output = result?.kind === 'failed' ? wrapToolOutput(result.output, { tool: 'set-up', nonce }) : '';
  return [...told, output].filter((part) => part !== '').join('\n');
}

/** A run that is told to stop meanwhile sets up no further; what it does then, its first checkpoint decides. */
async function runSetup(run: Run, options: SetUpOptions): Promise<SetupResult | null> {
  const { commands, workspace, isToldToStop, sleep, signal } = options;
  const { environment, place } = commands;
  if (environment.setup === null || (await isToldToStop())) return null;
  const stopped = new AbortController();
  const over = new AbortController();
  const watching = watchForStop({ isToldToStop, sleep, stopped, over: over.signal });
  try {
    const kept =
      workspace.state === 'reused' ? stateSchema.nullable().parse(await run.state.read(stateName)) : null;
    const result = await setUpWorktree({
      plan: environment.setup,
      worktree: workspace.path,
      place,
      variables: environment.variables,
      cache: await openCache(run, workspace),
      earlierKey: kept?.key ?? null,
      signal: AbortSignal.any([signal, stopped.signal]),
    });
    run.logger.info({ setUp: result.kind }, 'the worktree is set up');
    return result;
  } catch (error) {
    if (stopped.signal.aborted && !signal.aborted) return null;
    throw error;
  } finally {
    over.abort();
    await watching;
  }
}

const stopCheckMs = 5_000;

async function watchForStop({
  isToldToStop,
  sleep,
  stopped,
  over,
}: Pick<SetUpOptions, 'isToldToStop' | 'sleep'> & {
  readonly stopped: AbortController;
  readonly over: AbortSignal;
}): Promise<void> {
  for (await sleep(stopCheckMs, over); !over.aborted; await sleep(stopCheckMs, over)) {
    if (await isToldToStop().catch(() => false)) return stopped.abort(new Error('told to stop'));
  }
}

/**
 * Opens what is kept for the files of this worktree: those of the base branch where it holds nothing else, of its own branch
 * otherwise. So nothing that a branch made reaches the base, or another branch.
 */
async function openCache(run: Run, workspace: TaskWorkspace) {
  const { repository } = run.facts;
  const isBase = !(await workspace.hasCommits()) && (await workspace.readPatch()) === null;
  const cache = openSetupCache({
    directory: workspace.homesDirectory,
    repository: `${run.thread.platform.platform.host}/${repository?.id ?? ''}/${repository?.path ?? ''}`,
    branch: isBase ? `base ${workspace.baseBranch}` : `branch ${workspace.branch}`,
  });
  return outlastingProblems(cache, run.logger);
}

/** The same: where nothing can be copied, the commands run, and the next worktree runs them again. */
function outlastingProblems(cache: SetupCache, logger: Run['logger']): SetupCache {
  const tell = (error: unknown): false => {
    logger.warn({ err: error }, 'what set-ups made could not be copied');
    return false;
  };
  return {
    restore: (kept) => cache.restore(kept).catch(tell),
    keep: (kept) => cache.keep(kept).catch((error) => void tell(error)),
  };
}

/** @throws Error in the words of the thread where the run is to end with it */
async function tellFailure(
  { uuid, facts, thread }: Pick<Run, 'uuid' | 'facts' | 'thread'>,
  { commands, signal }: SetUpOptions,
  result: Extract<SetupResult, { kind: 'failed' }>,
): Promise<void> {
  const ends = commands.environment.setup?.onFailure === 'end';
  const body = formatFailure(
    { ...result, command: toCodeSpan(result.command) },
    { locale: facts.locale, ends },
  );
  if (ends) throw new Error(body);
  await thread.ports.writer.ensureComment({ topic: `run:${uuid}:set-up`, body, signal });
}
