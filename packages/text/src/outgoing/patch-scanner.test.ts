import { BroadcastChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { toPatch } from './parse-patch.ts';
import { createPatchScanner, type PatchScannerOptions } from './patch-scanner.ts';
import { nothingAllowed, scanPatch } from './scan-patch.ts';

// Put together here, so that scanners of this repository find nothing.
const key = ['npm', '_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b'].join('');
const own = 'a-password-of-9-plums';

const settings = { secrets: [own], allow: nothingAllowed };
const patchOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files)
    .map(([path, text]) => {
      const lines = text.split('\n').map((line) => `+${line}\n`);
      return `diff --git a/${path} b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.join('')}`;
    })
    .join('');
const scan = (
  text: string,
  { maxBytes = 1e9, ...options }: Partial<PatchScannerOptions> & { maxBytes?: number } = {},
) => createPatchScanner({ ...settings, ...options })(toPatch([Buffer.from(text)], maxBytes));
const seen = (found: Awaited<ReturnType<typeof scan>>) =>
  found.map(({ path, line, isOwn }) => ({ path, line, isOwn }));

describe('a patch', () => {
  it('is looked through in a thread of its own as it is without one [NX-18, NX-40]', async () => {
    const text = patchOf({ 'a.txt': `one\n${own}`, 'b.txt': `${'b\n'.repeat(50_000)}${key}` });
    const found = await scan(text);
    expect(seen(found)).toEqual([
      { path: 'a.txt', line: 2, isOwn: true },
      { path: 'b.txt', line: 50_001, isOwn: false },
    ]);
    expect(await scan(text, { inlineBytes: 1e9 })).toEqual(found);
  });

  it('is counted in lines whatever their letters [NX-40]', async () => {
    const text = patchOf({ 'a.txt': `合計を直す\n🧮🧮🧮\n${key}` });
    expect(seen(await scan(text))).toEqual([{ path: 'a.txt', line: 3, isOwn: false }]);
  });

  it('with a file that takes too long is not passed: the file is named [NX-18, NX-40]', async () => {
    const deadlines = new Set<AbortController>();
    const pass = () => {
      for (const deadline of deadlines) deadline.abort();
      deadlines.clear();
    };
    const timeoutSignal = () => {
      const deadline = new AbortController();
      deadlines.add(deadline);
      return deadline.signal;
    };
    const channel = new BroadcastChannel('endless-scan');
    channel.onmessage = () => {
      // At the first deadline it is seen that the file was begun, at the second that it has not ended.
      pass();
      setImmediate(pass);
    };
    const module = new URL('../../test/endless-scan.ts', import.meta.url);
    const text = patchOf({ 'a.txt': '', 'b.txt': 'b' });
    const found = await scan(text, { inlineBytes: 0, module, timeoutSignal });
    channel.close();
    expect(found).toMatchObject([{ path: 'b.txt', line: 'whole', isOwn: true }]);
  });

  it('that is cut names the file where that was, and what was found before [NX-40]', async () => {
    const text = patchOf({ 'a.txt': own, 'b.txt': 'b'.repeat(1_000), 'c.txt': own });
    expect(seen(await scan(text, { maxBytes: 500 }))).toEqual([
      { path: 'a.txt', line: 1, isOwn: true },
      { path: 'b.txt', line: 'whole', isOwn: true },
    ]);
  });

  it('says how far it was looked through: files begun, and where the last of them begins [NX-40]', async () => {
    const text = patchOf({ 'a.txt': 'a', 'b.txt': 'b' });
    const progress = new Int32Array(2);
    await scanPatch({ ...settings, bytes: Buffer.from(text), isCut: false, progress });
    expect([...progress]).toEqual([2, text.lastIndexOf('diff --git')]);
  });

  it('may hold what looks like a secret where a path allows it, and below directories alone [NX-40]', async () => {
    const text = patchOf({ 'a/b.txt': key, 'a.txt': key, 'a.txt.old': key });
    const scanWith = async (paths: readonly string[]) =>
      seen(await scan(text, { allow: { paths, fingerprints: [] } })).map(({ path }) => path);
    expect(await scanWith(['a/'])).toEqual(['a.txt', 'a.txt.old']);
    expect(await scanWith(['a.txt'])).toEqual(['a/b.txt', 'a.txt.old']);
  });

  it('is not passed where no thread can be started [NX-40]', async () => {
    const module = new URL('file:///nowhere/scan.js');
    await expect(scan(patchOf({ 'a.txt': 'a' }), { inlineBytes: 0, module })).rejects.toThrow(
      'did not start',
    );
  });
});
