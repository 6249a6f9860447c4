// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

describe('agent-discord rehearse', () => {
  it('passes, and removes what it created', { timeout: 300_000 }, async () => {
    fixture = await startRehearsalFixture();
    const { code, output } = await fixture.rehearse();
    expect(fixture.listNames('failed'), output).toEqual([]);
    expect(code).toBe(0);
  });
});
