import { join } from 'node:path';
import { createKeyedTurns } from '@agent/text/waiting';
import { ContextStoreError, translated } from '../context-store-error.ts';
import { isThere, replaceFile, withFile } from '../disk/files.ts';
import { dropTornLine, readTextLines } from '../disk/lines.ts';
import type { RecordOwner } from '../ports.ts';
import { createBookLedger, parseSpendingLine, SpendingBook, type SpendingLine } from './spending-book.ts';
import type { SpendingAccounts, SpendingLedger } from './spending-ledger.ts';

/** Lines after which the file is made short again. */
const maxLines = 10_000;

/** Options of a ledger in a file. */
interface FileSpendingOptions {
  readonly baseDirectory: string;
  readonly owner: RecordOwner;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Keeps what runs spend in `spending.jsonl`, one line for each reservation and each settlement, synced before anything rests on
 * it. The first use by an owner counts what earlier owners left open as spent, and makes the file as short as it can be.
 */
export function createFileSpending({ baseDirectory, owner, now }: FileSpendingOptions): SpendingLedger {
  const path = toPath(baseDirectory);
  const inTurnOf = createKeyedTurns();
  let loading: Promise<SpendingBook> | null = null;
  let lines = 0;

  /** Reads it anew after a failed write, whose line may stand there or not, and where it has become long. */
  function load(): Promise<SpendingBook> {
    loading ??= open(path, { owner, now }).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  async function append(book: SpendingBook, line: SpendingLine): Promise<void> {
    try {
      await withFile(path, 'a', async (file) => {
        await file.writeFile(`${JSON.stringify(line)}\n`);
        await file.sync();
      });
    } catch (error) {
      loading = null;
      throw error;
    }
    book.apply(line);
    lines += 1;
    if (lines % maxLines === 0) loading = null;
  }

  return createBookLedger({
    ...{ owner, now },
    use: (work) => {
      const guarded = () =>
        owner.guard(async () => {
          const book = await load();
          return work(book, (line) => append(book, line));
        });
      return translated(inTurnOf(path, guarded), `write "${path}"`);
    },
  });
}

/** Opens the accounts of that file for those who look at them, beside its owner, and who copy them. */
export function createFileAccounts({
  baseDirectory,
  now,
}: Omit<FileSpendingOptions, 'owner'>): SpendingAccounts {
  const path = toPath(baseDirectory);
  const raise = async (accounts: Parameters<SpendingAccounts['raise']>[0]): Promise<void> => {
    const book = await readBook(path);
    book.settleAbandoned(() => true);
    for (const account of accounts) book.raise(account);
    await replaceFile(path, formatLines(book, now()));
  };
  const forget = async (names: readonly string[]): Promise<void> => {
    if (!(await isThere(path))) return;
    const book = await readBook(path);
    for (const name of names) book.forget(name);
    await replaceFile(path, formatLines(book, now()));
  };
  return {
    forget: (names, { owner }) =>
      translated(
        owner.guard(() => forget(names)),
        `write "${path}"`,
      ),
    list: async (names) => {
      const all = (await translated(readBook(path), `read "${path}"`)).list();
      return names === undefined ? all : all.filter(({ name }) => names.includes(name));
    },
    raise: (accounts, { owner }) =>
      translated(
        owner.guard(() => raise(accounts)),
        `write "${path}"`,
      ),
  };
}

const toPath = (baseDirectory: string) => join(baseDirectory, 'spending.jsonl');

/** Reads what the lines of a file say, which somebody may be writing. */
async function readBook(path: string): Promise<SpendingBook> {
  const book = new SpendingBook();
  if (!(await isThere(path))) return book;
  // What a power cut left: nothing was granted by it.
  for await (const line of readTextLines(path)) if (!line.includes('\0')) book.apply(parse(line, path));
  return book;
}

function formatLines(book: SpendingBook, now: number): string {
  return book
    .toLines(now)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

async function open(
  path: string,
  { owner, now }: Pick<FileSpendingOptions, 'owner' | 'now'>,
): Promise<SpendingBook> {
  if (await isThere(path)) await dropTornLine(path);
  else return new SpendingBook();
  const book = await readBook(path);
  book.settleAbandoned((number) => number !== owner.number);
  await replaceFile(path, formatLines(book, now()));
  return book;
}

function parse(line: string, path: string): SpendingLine {
  try {
    return parseSpendingLine(line);
  } catch (cause) {
    const message = `"${path}" contains a damaged line. Restore the file from a copy; without it, earlier spending is no longer counted.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
}
