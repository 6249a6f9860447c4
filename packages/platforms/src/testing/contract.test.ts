import { describe, expect, it } from 'vitest';
import type { AdapterPlatform } from '../custom/adapter-platform.ts';
import { assertTime, present, rejectsWithCode, rejectsWithReason } from './contract.ts';
import { createMemoryFixture } from './contract-fixture.ts';
import { toPortFixtures } from './platform-contract.ts';

const broken = Object.assign(new Error('the disk is full'), { code: 'unavailable' });

describe('a failure of a contract suite says what is wrong and what was expected [NX-9]', () => {
  it.each([
    ['goes on', () => Promise.resolve(), "with the signal's reason, but it did not reject"],
    ['gives another reason', () => Promise.reject(broken), 'but it rejected with "Error: the disk is full"'],
  ])('where an aborted call %s', async (_, call, said) => {
    await expect(rejectsWithReason(call)).rejects.toThrow(said);
  });

  it.each([
    ['nothing is refused', () => Promise.resolve(), "whose `code` is 'invalid', but it did not reject"],
    ['the code is another', () => Promise.reject(broken), '"Error: the disk is full" (code: unavailable)'],
  ])('where %s', async (_, call, said) => {
    await expect(rejectsWithCode(call(), 'invalid')).rejects.toThrow(said);
  });

  it('where something is missing or is no time', () => {
    expect(() => present(null, 'the cursor')).toThrow('the cursor is missing: it is null');
    expect(() => assertTime('noon')).toThrow('a time has to be ISO 8601 with its zone, and is "noon"');
    expect(present(0, 'a number')).toBe(0);
    expect(assertTime('2026-01-01T00:00:00+09:00')).toBeUndefined();
  });

  it('where a suite is run for a role that the adapter leaves out', async () => {
    const fixture = await createMemoryFixture();
    const { tasks, openThread } = fixture.platform;
    const platform: AdapterPlatform = {
      tasks,
      openThread: (key) => {
        const { reader, comments, writer } = openThread(key);
        return { reader, comments, writer, labels: null };
      },
    };
    const ports = toPortFixtures({ ...fixture, platform });
    for (const open of [ports.permissionReader.open, ports.labelEditor.open, ports.identity.open]) {
      expect(() => open()).toThrow(/platform has no `(permissions|labels|identity)`: leave this suite out/);
    }
    expect((await ports.threadReader.open().readThread()).title).toBe('Contract');
    await fixture.close();
  });

  it('and an adapter that is whole is content with it', async () => {
    await expect(rejectsWithReason(async (signal) => signal.throwIfAborted())).resolves.toBeUndefined();
    await expect(rejectsWithCode(Promise.reject(broken), 'unavailable')).resolves.toBeUndefined();
  });
});
