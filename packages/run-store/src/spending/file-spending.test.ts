import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileSpending } from './file-spending.ts';

const [first, second] = ['10000000-0000-4000-8000-000000000001', '20000000-0000-4000-8000-000000000002'];
const accounts = [{ name: 'run:1', limitMicros: 100 }];

describe('createFileSpending', () => {
  const directory = useDirectory();
  let time = Date.parse('2026-01-02T03:04:05Z');
  const file = () => join(directory.path, 'spending.jsonl');
  const open = (number = 1) =>
    createFileSpending({
      baseDirectory: directory.path,
      owner: { number, guard: (write) => write() },
      now: () => time,
    });

  it('leaves out the end of a line that a crash cut short, and what follows a hole [NX-195]', async () => {
    const { reserve } = open();
    await reserve({ id: first, micros: 10, accounts });
    await appendFile(file(), '{"type":"settled","id":"1000');
    expect(await open(2).read(['run:1'])).toMatchObject([{ spentMicros: 10, presumedMicros: 10 }]);
    await appendFile(file(), '\0\0\0\n');
    expect(await open(3).read(['run:1'])).toMatchObject([{ spentMicros: 10 }]);
    expect(await readFile(file(), 'utf8')).toMatch(/^\{"type":"account".*\}\n$/);
  });

  it('refuses a file that nobody wrote, and says what that means', async () => {
    await writeFile(file(), '{"type":"account"}\n{"type":"account"}\n');
    await expect(open().read(['run:1'])).rejects.toMatchObject({ code: 'damaged' });
  });

  it('forgets accounts that nobody used for long', async () => {
    const ledger = open();
    await ledger.reserve({ id: first, micros: 10, accounts });
    await ledger.settle(first, { micros: 10, isPresumed: false });
    time += 399 * 86_400_000;
    expect(await open(2).read(['run:1'])).toMatchObject([{ spentMicros: 10 }]);
    await open(2).reserve({ id: second, micros: 1, accounts: [{ name: 'run:2', limitMicros: null }] });
    time += 2 * 86_400_000;
    await open(3).read([]);
    expect(await open(4).read(['run:1', 'run:2'])).toMatchObject([{ spentMicros: 0 }, { spentMicros: 1 }]);
  });
});
