import { describe, expect, it } from 'vitest';
import { retryStorage, toStorageError } from './context-store-error.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

async function tryAll(codes: readonly string[]) {
  const delays: number[] = [];
  const left = [...codes];
  const work = async () => {
    const code = left.shift();
    if (code !== undefined) throw failure(code);
    return 'done';
  };
  const result = await retryStorage(work, { sleep: async (delayMs) => void delays.push(delayMs) }).catch(
    (error: unknown) => (error as { code: string }).code,
  );
  return { result, delays };
}

describe('retryStorage', () => {
  it.each(['EMFILE', 'EBUSY', 'EAGAIN', 'EIO'])(
    'tries again after %s, up to three times [CI-52]',
    async (code) => {
      expect(await tryAll([code])).toEqual({ result: 'done', delays: [100] });
      expect(await tryAll([code, code, code])).toEqual({ result: 'done', delays: [100, 200, 400] });
      expect(await tryAll([code, code, code, code])).toEqual({ result: code, delays: [100, 200, 400] });
    },
  );

  it.each(['ENOSPC', 'EACCES', 'ENOENT'])(
    'does not try again after %s, which waiting does not mend [CI-52]',
    async (code) => {
      expect(await tryAll([code])).toEqual({ result: code, delays: [] });
    },
  );
});

describe('toStorageError', () => {
  it.each([
    ['ENOSPC', 'storage-full'],
    ['EDQUOT', 'storage-full'],
    ['EFBIG', 'storage-failed'],
  ])('translates %s to %s', (code, translated) => {
    expect(toStorageError(failure(code), 'write').code).toBe(translated);
  });
});
