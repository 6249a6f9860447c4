import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TaskBoard } from '@agent/orchestrator';
import { createRunsWatch } from '@agent/orchestrator/watch';
import { formatRunFile } from '@agent/page';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { findRunUuid } from '../find-thread.ts';
import { openDirectory } from '../open-directory.ts';

/** Options and arguments of the command line. */
export interface ExportFlags {
  readonly config: string;
  /** A task as other commands name it, which stands for its run that has not ended, else the latest; or the id of a run. */
  readonly task: string;
  /** File to write; one that is there is not overwritten. Default `run-ID.html` in the working directory. */
  readonly output?: string | undefined;
}

/** Entries of a timeline that one file holds at the most. */
const maxEntries = 50_000;

/**
 * `agent-daemon export`: writes one run as a file of HTML that needs nothing else, without secrets, for a report or a bug.
 *
 * @throws CommandError for an unknown task, and for a file that is there
 */
export async function exportCommand({ config, task, output }: ExportFlags, io: CommandIo): Promise<number> {
  const directory = await openDirectory({ config }, io);
  const { storage, texts, locale, redact } = directory;
  const logger = { warn: (_: object, message: string) => io.warn(redact(message)) };
  const watch = createRunsWatch({
    ...{ storage, redact, board: new TaskBoard({ now: io.now }), queue: null, logger },
    about: { locale, model: () => null },
    budgets: { money: null, requests: () => [], today: () => '' },
    clock: { now: io.now, sleep: async () => {} },
  });
  const uuid = await findRunUuid(directory, task);
  const run = await watch.reader.readRun(uuid, { from: 0, limit: maxEntries });
  if (run === null) throw new CommandError(texts.unknownTask(task));
  const path = resolve(output ?? `run-${uuid.slice(0, 8)}.html`);
  try {
    const act = () => writeFile(path, formatRunFile(run, { locale }), { flag: 'wx', mode: 0o600 });
    await auditAct(directory, { action: 'export', target: run.row.name, run: uuid }, { io, act });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST' ? new CommandError(texts.fileIsThere(path)) : error;
  }
  io.print(texts.exported(path));
  return 0;
}
