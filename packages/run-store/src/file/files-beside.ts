import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '@agent/text';
import { isThere, privateDirectory, privateFile, readFileIfThere, replaceFile } from '../disk/files.ts';
import { createOpenFiles, type OpenFiles } from '../disk/open-files.ts';
import type { RecordFollower } from '../journal/journal-writer.ts';
import type { ProjectedFiles } from '../journal/record-reading.ts';
import type { Json } from '../journal-model.ts';
import { planningFact, toPlanningFileLine } from '../lines/planning-line.ts';
import { sliceProjectedLine } from '../lines/record-line.ts';
import { formatDocument, formatMetadata, toOutcome } from '../lines/run-documents.ts';
import { formatState } from '../lines/state-name.ts';
import { toTaskStateFile } from '../lines/task-state.ts';
import type { JournalFiles } from '../places.ts';
import { intentFacts } from '../record/outbox-ledger.ts';
import { parseFact } from '../record/read-record.ts';
import { isToolFact, type RunFacts } from '../record/run-facts.ts';

/** Characters of lines that may wait in memory. */
const maxWaiting = 16 * 1024;

/**
 * A file of lines that says again what the record says. Nothing rests on it, so its lines wait in memory until they are
 * worth a write or the run comes to rest; an opening writes it anew. What the disk refuses is logged.
 * @see decision X14
 */
export interface Projection {
  /** True once enough waits to be worth a write. */
  readonly add: (line: string) => boolean;
  /** Puts this text in the place of all. */
  readonly replace: (text: string) => Promise<void>;
  /** Writes what waits. */
  readonly flush: () => Promise<void>;
}

interface ProjectionOptions {
  readonly files: OpenFiles;
  readonly logger: Logger | null;
  /** True for a file that is not there without lines. Default false. */
  readonly isRare?: boolean;
}

function createProjection(path: string, { files, logger, isRare = false }: ProjectionOptions): Projection {
  let waiting: string[] = [];
  let length = 0;
  let isMade = false;

  function takeWaiting(): string {
    const text = waiting.join('');
    waiting = [];
    length = 0;
    return text;
  }

  const logged = (write: Promise<void>) =>
    write.catch((err: unknown) => {
      logger?.warn({ err, path }, 'failed to update derived file; rewriting it at next open');
    });

  async function append(text: string): Promise<void> {
    if (!isMade) await makeFile(path);
    isMade = true;
    await files.append(path, Buffer.from(text), { sync: false });
  }

  async function flush(): Promise<void> {
    if (waiting.length > 0) await logged(append(takeWaiting()));
  }

  return {
    add: (line) => {
      waiting.push(line);
      length += line.length;
      return length >= maxWaiting;
    },
    replace: async (text) => {
      takeWaiting();
      // Windows renames nothing over a file that is open.
      await files.close([path]);
      if (text !== '' || !isRare || (await isThere(path))) await logged(replaceIfOther(path, text));
    },
    flush,
  };
}

async function makeFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await writeFile(path, '', { flag: 'a', mode: privateFile });
}

/** Replaces a file that says something else, without waiting for the disk. */
async function replaceIfOther(path: string, text: string): Promise<void> {
  const found = await readFileIfThere(path).catch(() => null);
  if (found === text) return;
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await replaceFile(path, text, { sync: false });
}

/** One for the process, whose files they are: bounded however many runs are at work or were given up. */
export const openFiles = createOpenFiles({ maxOpen: 64 });

/** The files beside a record, which follow it. */
export interface FilesBeside extends RecordFollower {
  /** Writes the files that say again what the record says, where they say something else. */
  readonly project: (projected: ProjectedFiles) => Promise<void>;
}

/** Lets the files beside a record follow it. */
export function createFilesBeside(
  files: JournalFiles,
  { facts, logger, onOutcome }: WriteDocumentsOptions & { readonly onOutcome?: (() => void) | undefined },
): FilesBeside {
  const create = (path: string, isRare = false) =>
    createProjection(path, { files: openFiles, logger, isRare });
  const [current, tools, summaries] = [create(files.current), create(files.tools), create(files.summaries)];
  const planning = create(files.planning, true);

  async function addLine(projection: Projection, line: string): Promise<void> {
    if (projection.add(line)) await projection.flush();
  }

  async function settle(): Promise<void> {
    await Promise.all([current, tools, summaries, planning].map(({ flush }) => flush()));
    const { messages, ...beside } = files;
    await openFiles.close([messages, beside.tools, beside.summaries, beside.current, beside.planning]);
  }

  async function addSummary(line: string): Promise<void> {
    summaries.add(line);
    await summaries.flush();
  }

  async function addEnd(): Promise<void> {
    await settle();
    await writeDocuments(files, { facts, logger });
    onOutcome?.();
  }

  return {
    settle,
    addMessage: (contextLine) => addLine(current, contextLine),
    addFact: async (name, body) => {
      if (isToolFact(name)) await addLine(tools, sliceProjectedLine(body));
      if (name === planningFact) await addLine(planning, toPlanningFileLine(parseFact(body), facts.metadata));
      if (name === 'summary') await addSummary(sliceProjectedLine(body));
      if (name === intentFacts.ended) await addEnd();
      if (name === 'paused' || name === 'resumed') await writePause(files, { facts, logger });
    },
    replaceContext: current.replace,
    project: async (projected) => {
      await Promise.all([
        current.replace(projected.current),
        tools.replace(projected.tools),
        summaries.replace(projected.summaries),
        planning.replace(projected.planning),
        writeDocuments(files, { facts, logger }),
      ]);
    },
  };
}

interface WriteDocumentsOptions {
  readonly facts: RunFacts;
  readonly logger: Logger | null;
}

/** Writes the documents of a run as its facts say them, where they say something else. What the disk refuses is logged. */
async function writeDocuments(files: JournalFiles, { facts, logger }: WriteDocumentsOptions): Promise<void> {
  for (const [path, text] of listDocuments(files, facts)) await writeLogged(path, { text, logger });
}

/** Writes the pause of a run as its facts say it. What the disk refuses is logged. */
async function writePause(files: JournalFiles, { facts, logger }: WriteDocumentsOptions): Promise<void> {
  const text = facts.pause === null ? null : formatDocument(toTaskStateFile(facts.pause));
  await writeLogged(files.taskState, { text, logger });
}

async function writeLogged(
  path: string,
  { text, logger }: { readonly text: string | null; readonly logger: Logger | null },
): Promise<void> {
  await writeDocument(path, text).catch((err: unknown) => {
    logger?.warn({ err, path }, 'failed to update derived file; rewriting it at next open');
  });
}

/** Text of each document; null where there is to be none. */
export function* listDocuments(
  files: JournalFiles,
  { metadata, outcome, pause, states }: RunFacts,
): Generator<readonly [path: string, text: string | null]> {
  if (metadata !== null) yield [files.metadata, formatMetadata(metadata)];
  yield [files.outcome, outcome === null ? null : formatDocument(toOutcome(outcome, outcome.finishedAt))];
  yield [files.taskState, pause === null ? null : formatDocument(toTaskStateFile(pause))];
  for (const [name, value] of states) {
    yield [join(files.directory, name), value === null ? null : formatState(name, value as Json)];
  }
}

async function writeDocument(path: string, text: string | null): Promise<void> {
  if (text === null) return rm(path, { force: true });
  await replaceIfOther(path, text);
}
