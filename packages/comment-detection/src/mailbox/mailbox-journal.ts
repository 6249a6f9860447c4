import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJson } from '@agent/text/json';
import { checkValue, expected } from '@agent/text/options';

/** Lines of a journal from a position on, and the position to ask from next time. */
export interface JournalPart {
  readonly lines: readonly unknown[];
  readonly position: number;
}

/** Port of what a mailbox remembers: lines of JSON that are only ever added, also by other processes. */
export interface MailboxJournal {
  /** Reads what stands after a position; 0 for all of it. Rejects where it cannot be read: that is not an empty journal. */
  readonly readAfter: (position: number) => Promise<JournalPart>;
  /** Resolves once the line is kept for good. */
  readonly append: (line: object) => Promise<void>;
}

/** Creates a journal that ends with the process: after that, what was acknowledged is not known any more. */
export function createMemoryJournal(): MailboxJournal {
  const lines: string[] = [];
  return {
    readAfter: async (position) => ({
      lines: lines.slice(position).map((line) => JSON.parse(line)),
      position: lines.length,
    }),
    append: async (line) => void lines.push(JSON.stringify(line)),
  };
}

/**
 * Creates a journal in a file that several processes of one machine may share: each line is added in one write, and is on
 * the disk before `append` resolves. A line that a crash left in halves is passed over.
 *
 * @example
 * const journal = createFileJournal('/var/lib/my-agent/octo-hello-7.jsonl');
 */
export function createFileJournal(path: string): MailboxJournal {
  checkValue('The path of createFileJournal', path, expected.text);
  return {
    readAfter: (position) =>
      withFile(path, 'r', (file) => readLines(file, position), { lines: [], position }),
    append: async (line) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await withFile(path, 'a', async (file) => {
        // The line break in front ends the half of a line that a crash may have left.
        await file.appendFile(`\n${JSON.stringify(line)}\n`);
        await file.sync();
      });
    },
  };
}

async function withFile<Result>(
  path: string,
  flags: 'a' | 'r',
  use: (file: FileHandle) => Promise<Result>,
  missing?: Result,
): Promise<Result> {
  let file: FileHandle;
  try {
    file = await open(path, flags, 0o600);
  } catch (error) {
    if (missing !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

const lineBreak = 0x0a;

/** Reads whole lines only: the rest may be on its way. */
async function readLines(file: FileHandle, position: number): Promise<JournalPart> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.max(0, size - position));
  const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
  const end = bytes.subarray(0, bytesRead).lastIndexOf(lineBreak) + 1;
  const text = bytes.toString('utf8', 0, end);
  return { lines: text.split('\n').flatMap(parseLine), position: position + end };
}

function parseLine(line: string): readonly unknown[] {
  if (line === '') return [];
  const json = parseJson(line);
  return json === undefined ? [] : [json];
}
