import { expect, it } from 'vitest';
import { findOtherVersion } from './find-other-version.ts';

it('findOtherVersion accepts the version that this program reads [NX-420]', () => {
  expect(findOtherVersion({ version: 3, more: 1 }, { version: 3, place: 'a.json' })).toBeNull();
});

it.each([
  [{ version: 2 }, 'version 2'],
  [{ version: '1' }, 'version "1"'],
  [{}, 'no version'],
  [[], 'no version'],
  [null, 'no version'],
])('findOtherVersion refuses %j with one sentence [NX-420]', (record, has) => {
  expect(findOtherVersion(record, { version: 1, place: 'a.json' })).toBe(
    `a.json has ${has}, and this program reads version 1 only: use the release that wrote it, or move it away.`,
  );
});
