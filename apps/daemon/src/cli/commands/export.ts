import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TaskBoard } from '@agent/orchestrator';
import { findStoredPerson, toPersonJson } from '@agent/orchestrator/people';
import { createRunsWatch } from '@agent/orchestrator/watch';
import { formatRunFile } from '@agent/page';
import { mapTexts } from '@agent/text';
import { auditAct } from '../audit-act.ts';
import { CommandError, type CommandIo } from '../command-io.ts';
import { type PersonFlags, peopleTexts, toPersonQuery } from '../find-person.ts';
import { findRunUuid } from '../find-thread.ts';
import { type OpenedDirectory, openDirectory } from '../open-directory.ts';
import type { CliTexts } from '../texts.en.ts';

/** Options and arguments of the command line. */
export interface ExportFlags {
  readonly config: string;
  /** A task as other commands name it, which stands for its run that has not ended, else the latest; or the id of a run. */
  readonly task?: string | undefined;
  /** Person whose data are exported instead of a run. */
  readonly person?: string | undefined;
  /** Platform of that person. Default: the configured platform. */
  readonly platform?: string | undefined;
  /** File to write; one that is there is not overwritten. Default `run-ID.html` in the working directory; for a person, standard output. */
  readonly output?: string | undefined;
}

/** Entries of a timeline that one file holds at the most. */
const maxEntries = 50_000;

/**
 * `agent-daemon export`: writes one run as a file of HTML that needs nothing else, without secrets, for a report or a bug; or all that is stored
 * of a person as JSON.
 *
 * @throws CommandError for an unknown task, for both or neither, and for a file that is there
 */
export async function exportCommand(flags: ExportFlags, io: CommandIo): Promise<number> {
  const { config, task, person, platform, output } = flags;
  const directory = await openDirectory({ config, needs: ['platforms'] }, io);
  if (task !== undefined && person === undefined) return exportRun({ directory, task, output }, io);
  if (task !== undefined || person === undefined)
    throw new CommandError(peopleTexts[directory.locale].taskOrPerson);
  return exportPerson({ directory, person, platform, output }, io);
}

interface ExportedRun {
  readonly directory: OpenedDirectory<'platforms'>;
  readonly task: string;
  readonly output: string | undefined;
}

async function exportRun({ directory, task, output }: ExportedRun, io: CommandIo): Promise<number> {
  const { storage, texts, locale, redact } = directory;
  const logger = { warn: (_: object, message: string) => io.warn(redact(message)) };
  const watch = createRunsWatch({
    ...{ storage, redact, board: new TaskBoard({ now: io.now }), queue: null, logger },
    about: { locale, model: () => null },
    budgets: { money: null, requests: () => [] },
    clock: { now: io.now, sleep: async () => {} },
  });
  const uuid = await findRunUuid(directory, task);
  const run = await watch.reader.readRun(uuid, { from: 0, limit: maxEntries });
  if (run === null) throw new CommandError(texts.unknownTask(task));
  const path = resolve(output ?? `run-${uuid.slice(0, 8)}.html`);
  const act = () => writeNew(path, formatRunFile(run, { locale }), texts);
  await auditAct(directory, { action: 'export', target: run.row.name, run: uuid }, { io, act });
  io.print(texts.exported(path));
  return 0;
}

interface ExportedPerson extends Pick<ExportedRun, 'directory' | 'output'>, PersonFlags {}

async function exportPerson({ directory, output, ...named }: ExportedPerson, io: CommandIo): Promise<number> {
  const { storage, texts, locale, redact } = directory;
  const query = toPersonQuery(named, directory);
  const about = { action: 'export', target: peopleTexts[locale].target };
  const act = async () => {
    const stored = await findStoredPerson(storage, query);
    const at = new Date(io.now()).toISOString();
    const json = toPersonJson(stored, { login: query.login, at, storage: storage.location });
    const text = JSON.stringify(mapTexts(json, redact), null, 2);
    if (output === undefined) io.print(text);
    else await writeNew(resolve(output), `${text}\n`, texts);
  };
  await auditAct(directory, about, { io, act });
  if (output !== undefined) io.print(peopleTexts[locale].exported(resolve(output)));
  return 0;
}

/** @throws CommandError for a file that is there */
async function writeNew(path: string, text: string, texts: CliTexts): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST' ? new CommandError(texts.fileIsThere(path)) : error;
  }
}
