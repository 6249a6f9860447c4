import { afterAll, expect } from 'vitest';

/** Files share the processes that run them, so each must leave its process as it found it. */
const found = look();
afterAll(() => expect(look(), 'the file changed its process and did not change it back').toEqual(found));

function look(): object {
  const signals = process.eventNames().filter((name) => String(name).startsWith('SIG'));
  return { environment: { ...process.env }, directory: process.cwd(), signals };
}
