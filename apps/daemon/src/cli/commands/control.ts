import { findTask, listRetriable, type RunSummary, toRunSummaries } from '@agent/orchestrator';
import type { ControlVerb, RunOverview } from '@agent/run-store';
import { auditAct, operatorName } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { findQueued, notOne } from '../find-thread.ts';
import { formatMembers, type OpenedDirectory, openDirectory } from '../open-directory.ts';
import { addQueue } from '../read-queue.ts';

/** Options and arguments of the command line. */
interface ControlFlags {
  readonly config: string;
  readonly all: boolean;
}

export interface ControlRequest extends ControlFlags {
  readonly verb: ControlVerb;
  /** uuid or its beginning, `owner/repo#42`, canonical key, or address of the thread; null for none. */
  readonly task: string | null;
}

/** Number of ended runs that are searched, so that whoever names one hears that it has ended. */
const searchedRuns = 200;

/**
 * `agent-daemon pause|resume|stop|retry|settle`: asks where runs are kept, so that it works beside daemons and without one.
 *
 * @returns the exit code
 * @throws CommandError when the task is unknown, ambiguous, or not in a state for it
 */
export async function controlCommand(request: ControlRequest, io: CommandIo): Promise<number> {
  const directory = await openDirectory(request, io);
  const { texts } = directory;
  if (request.task !== null && request.all) throw new CommandError(texts.taskOrAll);
  if (request.verb === 'pause' && !directory.loaded.config.pause_resume.enabled)
    throw new CommandError(texts.pauseIsOff);
  const said = await carryOut(request, { ...directory, config: request.config, io });
  io.print(said);
  io.print(formatMembers(await directory.storage.members.list(), { texts }));
  return 0;
}

/** Directory of a command, and where the command prints. */
interface ControlledDirectory extends OpenedDirectory {
  /** Path of the configuration. */
  readonly config: string;
  readonly io: CommandIo;
}

async function carryOut(
  { verb, task, all }: ControlRequest,
  directory: ControlledDirectory,
): Promise<string> {
  const { texts, storage, io } = directory;
  const { location, isSet, set, clear } = storage.pauseSignal;
  if (task !== null) return askOne(directory, { verb, task });
  if (verb === 'retry' || verb === 'settle') throw new CommandError(texts.taskNeeded);
  if (verb === 'stop') {
    if (!all) throw new CommandError(texts.taskNeeded);
    return stopAll(directory);
  }
  if (verb === 'pause') {
    const act = () => set({ by: operatorName() });
    await auditAct(directory, { action: 'pause-all', target: null }, { io, act });
    return texts.pausedAll(location);
  }
  if (!(await isSet())) return texts.nothingToResume(location);
  await auditAct(directory, { action: 'resume-all', target: null }, { io, act: clear });
  return texts.resumedAll(location);
}

/** Requests something of a run under the name of the operator. */
async function requestOf(
  directory: ControlledDirectory,
  { uuid, name }: RunSummary,
  verb: ControlVerb,
): Promise<void> {
  const { io, storage } = directory;
  // The name of a system account does not belong on a public thread: the audit log has it.
  const act = () => storage.controls.request(uuid, verb);
  await auditAct(directory, { action: verb, target: name, run: uuid }, { io, act });
}

async function askOne(
  directory: ControlledDirectory,
  { verb, task }: { readonly verb: ControlRequest['verb']; readonly task: string },
): Promise<string> {
  const { texts, storage } = directory;
  const { controls } = storage;
  const overview = await directory.reader.readOverview({ recent: searchedRuns });
  const runs = toRunSummaries(verb === 'settle' ? onlyUnsettled(overview) : overview);
  const found = findTask(runs, task);
  if (found.kind === 'unknown') {
    const { config, io } = directory;
    const queued = await findQueued(directory, { given: task, config, io });
    if (queued !== null) throw new CommandError(texts.hasNoRun(queued.name));
    throw notOne(texts.unknownTask(task), { runs, texts });
  }
  if (found.kind === 'ambiguous') throw notOne(texts.ambiguousTask(task), { runs: found.runs, texts });
  const { run } = found;
  if (verb === 'retry') return askToRetry(directory, { overview, run });
  if (verb !== 'settle' && run.status !== null) {
    throw new CommandError(texts.hasEnded(run.name, texts.states[run.status] ?? ''));
  }
  const asked = await controls.read(run.uuid);
  if (verb === 'resume' && run.state === 'running' && !asked.includes('pause')) {
    throw new CommandError(texts.isRunning(run.name));
  }
  if (verb === 'resume') await refuseSecondResume(directory, { run, asked });
  if (verb === 'pause' && run.state === 'paused' && asked.includes('pause')) {
    throw new CommandError(texts.isPaused(run.name));
  }
  await requestOf(directory, run, verb);
  const { name, heldNames = [] } = run;
  return verb === 'resume' && heldNames.length > 0
    ? texts.heldStill(name, heldNames)
    : texts.asked[verb](name);
}

/** @throws CommandError if the run was resumed already, with the reason why it waits */
async function refuseSecondResume(
  { config, ...directory }: ControlledDirectory,
  { run, asked }: { readonly run: RunSummary; readonly asked: readonly ControlVerb[] },
): Promise<void> {
  const { texts, io } = directory;
  const rows = await addQueue([run], directory, { config, io });
  const { state, reason = null } = rows.find(({ uuid }) => uuid === run.uuid) ?? run;
  if (state === 'queued') throw new CommandError(texts.isResumed(run.name, reason));
  if (asked.includes('resume')) throw new CommandError(texts.isResumed(run.name, null));
}

/** Keeps the runs that have something open, whether they have ended or are at work. */
function onlyUnsettled(overview: RunOverview): RunOverview {
  const running = overview.running.filter(({ openIntents }) => openIntents.length > 0);
  return { ...overview, running, pausing: [], paused: [], recent: [] };
}

/** Only the last run of a thread, and only where it failed. */
async function askToRetry(
  directory: ControlledDirectory,
  { overview, run }: { readonly overview: RunOverview; readonly run: RunSummary },
): Promise<string> {
  const { texts } = directory;
  if (!listRetriable(overview).some(({ uuid }) => uuid === run.uuid)) {
    throw new CommandError(texts.cannotBeRetried(run.name, texts.states[run.status ?? run.state] ?? ''));
  }
  await requestOf(directory, run, 'retry');
  return texts.asked.retry(run.name);
}

async function stopAll(directory: ControlledDirectory): Promise<string> {
  const { reader, texts } = directory;
  const runs = toRunSummaries(await reader.readOverview({ recent: 0 }));
  if (runs.length === 0) throw new CommandError(texts.nothingRuns);
  for (const run of runs) await requestOf(directory, run, 'stop');
  return runs.map(({ name }) => texts.asked.stop(name)).join('\n');
}
