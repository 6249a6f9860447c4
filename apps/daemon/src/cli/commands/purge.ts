import { listUnfinished } from '@agent/orchestrator';
import { hashTaskKey } from '@agent/run-store';
import { toRunDirectories } from '../../config/settings.ts';
import type { Prompt } from '../../init/ask-answers.ts';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { findThread, type NamedThread } from '../find-thread.ts';
import { type OpenedDirectory, openDirectory } from '../open-directory.ts';

/** Options and arguments of the command line. */
export interface PurgeFlags {
  readonly config: string;
  readonly task: string;
  readonly yes?: boolean | undefined;
}

/**
 * `agent-daemon purge`: removes everything that is kept of one thread's runs. Asks first. A directory is taken for itself, so that no
 * daemon works there meanwhile; in a database, which daemons go on to share, a run that begins meanwhile stays.
 *
 * @returns the exit code
 * @throws CommandError when the thread is unknown, or a run of it has not ended; ContextStoreError when a daemon works there
 */
export async function purgeCommand(
  flags: PurgeFlags,
  { io, prompt }: { readonly io: CommandIo; readonly prompt: Prompt | null },
): Promise<number> {
  const directory = await openDirectory({ config: flags.config, needs: ['platforms', 'workspaces'] }, io);
  const texts = directory.texts.past;
  const thread = await findThread(directory, flags.task);
  const runs = (await directory.listHistory(thread)).length;
  await requireEnded(directory, thread);
  if (flags.yes !== true) {
    if (prompt === null) throw new CommandError(texts.yesNeeded);
    const answer = await prompt(`${texts.confirm(thread.name, runs)} `);
    if (!/^(?:y|yes|はい)$/i.test(answer.trim())) {
      io.print(texts.notPurged);
      return 1;
    }
  }
  const act = () => removeRuns(directory, thread);
  const removed = await auditAct(directory, { action: 'purge', target: thread.name }, { io, act });
  io.print(removed === 0 ? texts.nothingKept(thread.name) : texts.purged(thread.name, removed));
  return 0;
}

async function removeRuns(directory: OpenedDirectory<'workspaces'>, thread: NamedThread): Promise<number> {
  const { members, upkeep } = directory.storage;
  const owner = await members.acquire();
  try {
    // Now that nobody else can begin one.
    await requireEnded(directory, thread);
    const task = { taskKeyHash: hashTaskKey(thread.taskKeyText), host: thread.host };
    // First, so that a purge that was cut off finds the runs again; then what the index did not know.
    await removeWork(directory, await directory.listHistory(thread));
    const { removed } = await upkeep.purge(task);
    await removeWork(
      directory,
      removed.map((uuid) => ({ uuid })),
    );
    return removed.length;
  } finally {
    await owner.release();
  }
}

/** Worktrees and branches, also with commits that were never pushed. */
async function removeWork(
  { loaded }: OpenedDirectory<'workspaces'>,
  runs: readonly { readonly uuid: string }[],
): Promise<void> {
  const { removeEndedWork } = await import('@agent/workspace');
  const mayGo = ({ uuid }: { readonly uuid: string }) => runs.some((run) => run.uuid === uuid);
  const { workspaces: directory } = toRunDirectories(loaded);
  await removeEndedWork({ directory, environment: loaded.environment, mayGo });
}

async function requireEnded(directory: OpenedDirectory, thread: NamedThread): Promise<void> {
  const [unfinished] = await listUnfinished(directory.reader, thread);
  if (unfinished !== undefined) throw new CommandError(directory.texts.past.mustEnd(thread.name));
}
