import { createMemoryPlatform } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import { createTrust, type TrustSetting } from './create-trust.ts';

function setUp(setting: TrustSetting, { permissions = true } = {}) {
  const platform = createMemoryPlatform({
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  const clock = { ms: 0 };
  const thread = platform.openThread(key);
  const trust = createTrust({
    setting,
    permissions: permissions ? thread.permissions : null,
    now: () => clock.ms,
  });
  platform.people.comment(key, { author: 'alice', body: 'a' });
  platform.people.comment(key, { author: 'bob', body: 'b' });
  const [alice = null, bob = null] = platform.people.commentsOn(key).map(({ author }) => author);
  return { platform, trust, clock, alice, bob };
}

describe('createTrust', () => {
  it('trusts whoever may write, and nobody else [NX-4, X11]', async () => {
    const { trust, alice, bob } = setUp('collaborators');
    expect(await trust(alice)).toBe(true);
    expect(await trust(bob)).toBe(false);
    expect(await trust(null)).toBe(false);
  });

  it('trusts nobody where the platform cannot say what an account may do [NX-4]', async () => {
    const { trust, alice } = setUp('collaborators', { permissions: false });
    expect(await trust(alice)).toBe(false);
  });

  it('trusts everyone, or those that are named, where it is told to [X11]', async () => {
    const everyone = setUp('everyone');
    expect(await everyone.trust(everyone.bob)).toBe(true);
    const named = setUp(['Bob']);
    expect(await named.trust(named.bob)).toBe(true);
    expect(await named.trust(named.alice)).toBe(false);
  });

  it('remembers an answer for five minutes, and an error not at all [NX-4]', async () => {
    const { trust, alice, platform, clock } = setUp('collaborators');
    platform.failNext({ operation: 'accessOf', error: new Error('down') });
    await expect(trust(alice)).rejects.toThrow('down');
    expect(await trust(alice)).toBe(true);
    platform.people.grant('octo/hello', 'alice', 'read');
    clock.ms = 299_999;
    expect(await trust(alice)).toBe(true);
    clock.ms = 300_000;
    expect(await trust(alice)).toBe(false);
  });
});
