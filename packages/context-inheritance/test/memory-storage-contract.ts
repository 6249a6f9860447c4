import { expect, it } from 'vitest';
import type { MemoryStorage } from '../src/memory/memory-storage.ts';

/** Tests that every `MemoryStorage` has to pass. `open` gives a new, empty storage. */
export function describeMemoryStorage(open: () => Promise<MemoryStorage>): void {
  const byKey = async (storage: MemoryStorage, thread: string) =>
    Object.fromEntries((await storage.list(thread)).map(({ key, text }) => [key, text]));

  it('lists the documents of a thread as they were last written', async () => {
    const storage = await open();
    expect(await storage.list('a')).toEqual([]);
    await storage.write('a', { key: '1.open', text: 'one' });
    await storage.write('a', { key: '2.ended', text: 'two\n"\u2028🙂\0' });
    await storage.write('a', { key: '1.open', text: 'uno' });
    expect(await byKey(storage, 'a')).toEqual({ '1.open': 'uno', '2.ended': 'two\n"\u2028🙂\0' });
  });

  it('deletes a document, and does nothing if there is none', async () => {
    const storage = await open();
    await storage.write('a', { key: '1.open', text: 'one' });
    await storage.write('a', { key: '2.open', text: 'two' });
    await storage.remove('a', '1.open');
    await storage.remove('a', '1.open');
    await storage.remove('b', '1.open');
    expect(await byKey(storage, 'a')).toEqual({ '2.open': 'two' });
  });

  it('separates threads, whatever their names contain', async () => {
    const storage = await open();
    const threads = ['a', 'A', 'a/b', '../a', 'a\0', '日本語', ' a', 'x'.repeat(5_000), '__proto__'];
    for (const thread of threads) await storage.write(thread, { key: '1.open', text: thread });
    for (const thread of threads) expect(await byKey(storage, thread)).toEqual({ '1.open': thread });
  });

  it('never shows a part of a text, while others write and delete', async () => {
    const storage = await open();
    const texts = ['a', 'b'].map((letter) => letter.repeat(100_000));
    await storage.write('a', { key: 'kept', text: 'kept' });
    const writing = Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await storage.write('a', { key: 'changing', text: texts[index % 2] ?? '' });
        await storage.write('a', { key: `passing-${index}`, text: 'x' });
        await storage.remove('a', `passing-${index}`);
      }),
    );
    for (let index = 0; index < 20; index += 1) {
      const found = await byKey(storage, 'a');
      expect(found.kept).toBe('kept');
      expect([undefined, ...texts]).toContain(found.changing);
    }
    await writing;
    expect(Object.keys(await byKey(storage, 'a')).sort()).toEqual(['changing', 'kept']);
  });
}
