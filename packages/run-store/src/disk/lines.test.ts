import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createTail, readLastLines } from './lines.ts';

const directory = useDirectory();

describe('readLastLines', () => {
  it('gives the last whole lines, however long they are', async () => {
    const path = join(directory.path, 'lines');
    const anyLine = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'あ', '😀', '"') }),
      fc.integer({ min: 60_000, max: 140_000 }).map((length) => 'x'.repeat(length)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLine, { maxLength: 12 }),
        fc.string({ unit: 'grapheme-ascii' }),
        fc.integer({ min: 0, max: 14 }),
        async (lines, torn, limit) => {
          await writeFile(path, lines.map((line) => `${line}\n`).join('') + torn);
          const expected = limit === 0 ? [] : lines.slice(-limit);
          expect(await readLastLines(path, limit)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes no longer than its length for a line of 16 MB, as an earlier program may have left it', async () => {
    const path = join(directory.path, 'lines');
    const line = 'x'.repeat(16 * 1024 * 1024);
    await writeFile(path, `first\n${line}\n`);
    const [last] = await readLastLines(path, 1);
    expect(last === line).toBe(true);
  }, 5_000);

  it('reads no more of a file than it may', async () => {
    const path = join(directory.path, 'lines');
    await writeFile(path, `${'x'.repeat(200_000)}\nlast\n`);
    expect(await readLastLines(path, { limit: 5, maxBytes: 1 })).toEqual(['last']);
  });

  it('finds none in a file that is not there', async () => {
    expect(await readLastLines(join(directory.path, 'none'), 5)).toEqual([]);
  });
});

describe('the last lines of many', () => {
  it('are kept while they are read, within their number and their bytes, and no more than these', () => {
    const line = fc.string({ maxLength: 9 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.nat(12), fc.nat(60), (lines, limit, maxBytes) => {
        const tail = createTail({ limit, maxBytes });
        const sizeOf = (some: readonly string[]) => Buffer.byteLength(some.map((one) => `${one}\n`).join(''));
        const isWithin = (some: readonly string[]) => some.length <= limit && sizeOf(some) <= maxBytes;
        for (const one of lines) {
          tail.push(one);
          expect(isWithin(tail.lines)).toBe(true);
        }
        const longest = lines.findIndex((_, from) => isWithin(lines.slice(from)));
        expect(tail.lines).toEqual(longest === -1 ? [] : lines.slice(longest));
      }),
    );
  });
});
