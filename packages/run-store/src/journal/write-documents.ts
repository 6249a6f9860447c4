import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '@agent/text';
import { privateDirectory } from '../disk/files.ts';
import { formatDocument, formatMetadata, toOutcome } from '../file/run-documents.ts';
import { formatState } from '../file/state-name.ts';
import { toTaskStateFile } from '../file/task-state.ts';
import type { Json } from '../journal-model.ts';
import type { JournalFiles } from '../places.ts';
import type { RunFacts } from '../record/run-facts.ts';
import { replaceIfOther } from './projection.ts';

interface WriteDocumentsOptions {
  readonly facts: RunFacts;
  readonly logger: Logger | null;
}

/** Writes the documents of a run as its facts say them, where they say something else. What the disk refuses is logged. */
export async function writeDocuments(
  files: JournalFiles,
  { facts, logger }: WriteDocumentsOptions,
): Promise<void> {
  for (const [path, text] of listDocuments(files, facts)) {
    await writeDocument(path, text).catch((err: unknown) => {
      logger?.warn({ err, path }, 'a file beside the record lags behind; an opening writes it anew');
    });
  }
}

/** Text of each document; null where there is to be none. */
function* listDocuments(
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
  await mkdir(dirname(path), { recursive: true, mode: privateDirectory });
  await replaceIfOther(path, text);
}
