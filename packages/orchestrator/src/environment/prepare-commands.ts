import type { RunSignals } from '@agent/runner';
import { wrapToolOutput } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import { cutWithoutSecrets } from '@agent/text/secrets';
import {
  type CheckedOutSubmodules,
  type FetchedLfsFiles,
  type OpenedWorkspace,
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
  /** Hides secrets in what people are told. */
  readonly redactOutgoing: (text: string) => string;
}

export interface PrepareCommandsAt {
  readonly workspace: TaskWorkspace & Pick<OpenedWorkspace, 'contents'>;
  /** Marks the envelope around what commands wrote. */
  readonly nonce: string;
  /** Asked before a set-up begins. */
  readonly signals: RunSignals;
  /** Interrupts a set-up that is under way. */
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
export function createPrepareCommands(options: PrepareCommandsOptions): PrepareCommands {
  return async (run, at) => {
    const commands = await options.openCommands(run, at);
    try {
      const notice = await setUp(run, { ...options, ...at, commands });
      return { ...commands, notice };
    } catch (error) {
      await commands.place.close();
      throw error;
    }
  };
}

interface SetUpOptions extends PrepareCommandsAt, Omit<PrepareCommandsOptions, 'openCommands'> {
  readonly commands: RunCommands;
}

const stateName = 'set-up.json';
/** Longest end of an output that the model is told, in characters. */
const maxOutputChars = 4_000;
const environmentName = 'environment.json';
const environmentSchema = z.object({ selected: z.string(), prepared: z.boolean() });

/** Environment of a run's commands, and whether its setup succeeded. */
export type SelectedEnvironment = z.infer<typeof environmentSchema>;

/** Reads it; null for a run without a repository. */
export async function readSelectedEnvironment(
  state: Pick<Run['state'], 'read'>,
): Promise<SelectedEnvironment | null> {
  return environmentSchema.nullable().parse(await state.read(environmentName));
}

/** Key of the set-up that was tried in the worktree of this run. */
const stateSchema = z.object({ key: z.string() });

async function setUp(run: Run, options: SetUpOptions): Promise<string | null> {
  const { commands, workspace, nonce } = options;
  const { environment, problem, ignoresSetup } = commands;
  const { submodules, lfs, result } = await runSetup(run, options);
  const isPrepared = environment.setup === null || (result !== null && result.kind !== 'failed');
  const selection: SelectedEnvironment = { selected: commands.selected, prepared: isPrepared };
  await run.state.write(environmentName, selection, { sync: false });
  const isBegun = workspace.state !== 'reused';
  const isNews = [submodules, lfs].some(
    ({ made, missing }) => made.length > 0 || (isBegun && missing.length > 0),
  );
  const isDone = result !== null && result.kind !== 'unchanged';
  if (!isDone && !isNews && !(workspace.state === 'created' && (problem !== null || ignoresSetup)))
    return null;
  if (isDone) await run.state.write(stateName, { key: result.key });
  const outcome = { problem, ignoresSetup, submodules, lfs, result: isDone ? result : null };
  await run.journal.append({ type: 'fact', name: setUpFactName, data: toSetUpFact(outcome) });
  if (result?.kind === 'failed') await tellFailure(run, options, result);
  const told = formatForModel({ ...outcome, commands: environment.setup?.commands ?? [] });
  const { hideSecrets } = commands.place;
  const output =
    result?.kind === 'failed'
      ? wrapToolOutput(
          cutWithoutSecrets(result.output, { hideSecrets, maxChars: maxOutputChars, keep: 'end' }),
          {
            tool: 'set-up',
            nonce,
          },
        )
      : '';
  return [...told, output].filter((part) => part !== '').join('\n');
}

/** Result of what comes before the model; null where no commands ran. */
interface SetUpDone {
  readonly submodules: CheckedOutSubmodules;
  readonly lfs: FetchedLfsFiles;
  readonly result: SetupResult | null;
}

const nothing = { made: [], missing: [] };
const nothingDone: SetUpDone = { submodules: nothing, lfs: nothing, result: null };

/** A run that was told to stop or to pause sets up nothing more; what it does then, its first checkpoint decides. */
async function runSetup(run: Run, options: SetUpOptions): Promise<SetUpDone> {
  const { environment } = options.commands;
  const { signals, signal } = options;
  if (environment.setup !== null && (await signals.read({ signal })) !== 'none') return nothingDone;
  const contents = await fetchContents(options, signal);
  return { ...contents, result: await runCommands(run, options, signal) };
}

async function fetchContents(
  { commands, workspace: { contents } }: SetUpOptions,
  signal: AbortSignal,
): Promise<Pick<SetUpDone, 'submodules' | 'lfs'>> {
  const { submodules, lfs } = commands.environment;
  return {
    submodules: submodules === null ? nothing : await contents.checkOutSubmodules(submodules, { signal }),
    lfs: lfs === null ? nothing : await contents.fetchLfsFiles(lfs, { signal }),
  };
}

async function runCommands(
  run: Run,
  { commands, workspace }: SetUpOptions,
  signal: AbortSignal,
): Promise<SetupResult | null> {
  const { environment, place } = commands;
  if (environment.setup === null) return null;
  const kept =
    workspace.state === 'reused' ? stateSchema.nullable().parse(await run.state.read(stateName)) : null;
  const result = await setUpWorktree({
    plan: environment.setup,
    worktree: workspace.path,
    place,
    variables: environment.variables,
    cache: await openCache(run, workspace),
    earlierKey: kept?.key ?? null,
    signal,
  });
  run.logger.info({ setUp: result.kind }, 'set up worktree');
  return result;
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
    logger.warn({ err: error }, 'failed to copy setup cache');
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
  { commands, redactOutgoing, signal }: SetUpOptions,
  result: Extract<SetupResult, { kind: 'failed' }>,
): Promise<void> {
  const ends = commands.environment.setup?.onFailure === 'end';
  const body = formatFailure(
    { ...result, command: toCodeSpan(result.command) },
    { locale: facts.locale, ends, redactOutgoing },
  );
  if (ends) throw new Error(body);
  await thread.writer.post({ topic: `run:${uuid}:set-up`, body, signal });
}
