import type { Platform } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { describe, expect, it } from 'vitest';
import { createTrustBook, resolveTrust } from './resolve-trust.ts';

const carol = { id: '77', login: 'Carol', kind: 'person' } as const;

function makePlatform(...logins: readonly string[]): Platform {
  const access = Object.fromEntries(logins.map((login) => [login, 'write' as const]));
  return createMemoryPlatform({ repositories: [{ path: 'octo/hello', files: {}, access }] });
}

describe('resolveTrust', () => {
  it('takes names for the accounts that have them at the start, so that a name that changes hands takes nothing along [NX-24]', async () => {
    const platform = makePlatform('carol');
    const [policy] = await resolveTrust(['CAROL'], { platforms: [platform] });
    const known = await platform.accounts?.findAccount('carol');
    expect(policy?.isNamed({ ...carol, id: known?.id ?? '' })).toBe(true);
    expect(policy?.isNamed(carol)).toBe(false);
    expect(policy).toMatchObject({ everyone: false, collaborators: false });
  });

  it('says which names no platform knows [NX-24]', async () => {
    const platforms = [makePlatform('carol'), makePlatform('dave')];
    await expect(resolveTrust(['carol', 'dave', 'eve', 'mallory'], { platforms })).rejects.toThrow(
      'trust names "eve", "mallory", but there is no such account on memory.invalid and memory.invalid.',
    );
    expect(await resolveTrust(['carol', 'dave'], { platforms })).toHaveLength(2);
  });

  it('goes by the names and numbers of an adapter that cannot look accounts up [NX-24]', async () => {
    const { accounts: _, ...platform } = makePlatform();
    const [policy] = await resolveTrust(['carol', 'u-9'], { platforms: [platform] });
    expect(policy?.isNamed(carol)).toBe(true);
    expect(policy?.isNamed({ ...carol, id: 'U-9', login: 'dave' })).toBe(true);
    expect(policy?.isNamed({ ...carol, login: 'dave' })).toBe(false);
  });

  it('knows collaborators, everyone, and collaborators beside names [X11]', async () => {
    const platforms = [makePlatform('carol')];
    const toFlags = async (setting: Parameters<typeof resolveTrust>[0]) => {
      const [policy] = await resolveTrust(setting, { platforms });
      return [policy?.everyone, policy?.collaborators];
    };
    expect(await toFlags('collaborators')).toEqual([false, true]);
    expect(await toFlags('everyone')).toEqual([true, false]);
    expect(await toFlags(['collaborators', 'carol'])).toEqual([false, true]);
  });
});

describe('createTrustBook', () => {
  it('changes the policies that are in use once a setting is found out, and none where it cannot be [NX-355, NX-358]', async () => {
    const platform = makePlatform('carol');
    const book = createTrustBook();
    const [policy] = await book.open('collaborators', { platforms: [platform] });
    await expect(book.prepare(['mallory'])).rejects.toThrow('trust names "mallory"');
    const apply = await book.prepare(['carol']);
    expect(policy).toMatchObject({ everyone: false, collaborators: true });
    apply();
    const known = await platform.accounts?.findAccount('carol');
    expect(policy?.collaborators).toBe(false);
    expect(policy?.isNamed({ ...carol, id: known?.id ?? '' })).toBe(true);
    (await book.prepare('everyone'))();
    expect(policy?.everyone).toBe(true);
  });
});
