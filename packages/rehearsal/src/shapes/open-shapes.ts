import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecordingFetch } from './recording-fetch.ts';
import { type ShapeLine, shapeLineSchema } from './shape-line.ts';
import { type RehearsalFacts, writeRehearsal } from './write-rehearsal.ts';

/** Record of one rehearsal while it is at work. */
export interface OpenedShapes {
  /** Environment of the daemon, which has to be started with `recorderArguments()`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Fetch for the requests of the person. */
  readonly fetch: typeof globalThis.fetch;
  /** Fetch that sends the requests of another process on its behalf. */
  readonly forward: typeof globalThis.fetch;
  /** Writes `rehearsal.json` in the directory and removes the lines it was made of. @returns its path */
  readonly finish: (facts: RehearsalFacts) => Promise<string>;
  /** Removes the lines without a file. */
  readonly remove: () => Promise<void>;
  /** Removes the lines without waiting, before the process exits. */
  readonly discardNow: () => void;
}

/** Place of a record, and the effects it uses. */
export interface OpenShapesOptions {
  /** Existing directory of `rehearsal.json`. Until then, the record is in a temporary directory. */
  readonly directory: string;
  /** Directory in which that temporary directory is created. Default: that of the system. */
  readonly recordIn?: string | undefined;
  /** Sends the requests of the person. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Arguments of Node with which a daemon records the shapes of its requests. */
export function recorderArguments(): readonly string[] {
  const name = import.meta.url.endsWith('.ts') ? './record-fetch.ts' : './record-fetch.js';
  return ['--import', new URL(name, import.meta.url).href];
}

/** Opens a record for a daemon and for the person of a rehearsal. */
export function openShapes({
  directory,
  recordIn = tmpdir(),
  fetch = globalThis.fetch,
  now = Date.now,
}: OpenShapesOptions): OpenedShapes {
  const linesDirectory = mkdtempSync(join(recordIn, 'rehearsal-shapes-'));
  const linesFile = join(linesDirectory, 'shapes.jsonl');
  const write = (line: ShapeLine): void => appendFileSync(linesFile, `${JSON.stringify(line)}\n`);
  const pending: Promise<unknown>[] = [];
  const onPending = (work: Promise<unknown>): void => void pending.push(work);
  const remove = () => rm(linesDirectory, { recursive: true, force: true });
  return {
    remove,
    environment: { REHEARSAL_SHAPES: linesFile },
    fetch: createRecordingFetch({ fetch, source: 'person', write, now, onPending }),
    forward: createRecordingFetch({ fetch, source: 'bot', write, now, onPending }),
    finish: async (facts) => {
      await Promise.all(pending);
      const file = join(directory, 'rehearsal.json');
      try {
        await writeFile(file, writeRehearsal({ ...facts, lines: await readLines(linesFile) }));
      } finally {
        await remove();
      }
      return file;
    },
    discardNow: () => rmSync(linesDirectory, { recursive: true, force: true }),
  };
}

/** Reads the lines of a record. A line that a crash cut off is left out; no request means an empty record. */
async function readLines(file: string): Promise<readonly ShapeLine[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const read = shapeLineSchema.safeParse(parseLine(line));
    return read.success ? [read.data] : [];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
