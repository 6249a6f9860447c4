import { expect, it } from 'vitest';
import { formatRevision, parseRevision } from './changes.ts';

it.each([
  { hash: '0123456789abcdef', updatedAt: '2026-01-01T10:00:00Z' },
  { hash: '0123456789abcdef', updatedAt: null },
  { hash: '', updatedAt: '2026-01-01T10:00:00Z' },
])('a revision is read back as it was written: %o', (mark) => {
  expect(parseRevision(formatRevision(mark))).toEqual(mark);
});

it('a revision that names no time is all hash', () => {
  expect(parseRevision('0123456789abcdef')).toEqual({ hash: '0123456789abcdef', updatedAt: null });
});
