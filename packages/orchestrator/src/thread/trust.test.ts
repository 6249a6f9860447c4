import type { Account } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createTrust, identifyAgent, isOwnThread, type TrustPolicy } from './trust.ts';

const nobody: TrustPolicy = { everyone: false, collaborators: false, isNamed: () => false };
const collaborators: TrustPolicy = { ...nobody, collaborators: true };
const everyone: TrustPolicy = { ...nobody, everyone: true };
const named = (...logins: string[]): TrustPolicy => ({
  ...nobody,
  isNamed: ({ login }) => logins.includes(login),
});

async function setUp(policy: TrustPolicy, { permissions = true, tokenOf = 'agent' } = {}) {
  const platform = createMemoryPlatform({
    repositories: [
      {
        path: 'octo/hello',
        files: {},
        access: { alice: 'write', bob: 'read', 'helper[bot]': 'write', 'triage[bot]': 'read' },
      },
    ],
  });
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  const clock = { ms: 0 };
  const thread = platform.openThread(key);
  const ownAccount = (await platform.accounts?.findAccount(tokenOf)) ?? (await platform.identity.whoAmI());
  const trust = createTrust({
    policy,
    permissions: permissions ? thread.permissions : null,
    ownAccount,
    now: () => clock.ms,
  });
  const accountOf = async (login: string) => (await platform.accounts?.findAccount(login)) ?? null;
  const trusts = async (login: string) => trust(await accountOf(login));
  return { platform, trust, trusts, accountOf, clock };
}

describe('createTrust', () => {
  it('trusts whoever may write, and nobody else [NX-4, X11]', async () => {
    const { trust, trusts } = await setUp(collaborators);
    expect(await trusts('alice')).toBe(true);
    expect(await trusts('bob')).toBe(false);
    expect(await trust(null)).toBe(false);
  });

  it('trusts only those that are named where the platform cannot say what an account may do [NX-4]', async () => {
    const anybody = await setUp(collaborators, { permissions: false });
    expect(await anybody.trusts('alice')).toBe(false);
    const bob = await setUp(named('bob'), { permissions: false });
    expect([await bob.trusts('bob'), await bob.trusts('alice')]).toEqual([true, false]);
  });

  it('trusts everyone, or those that are named and may write, where it is told to [X11, NX-24]', async () => {
    expect(await (await setUp(everyone)).trusts('bob')).toBe(true);
    const few = await setUp(named('bob', 'alice'));
    expect([await few.trusts('alice'), await few.trusts('bob')]).toEqual([true, false]);
    const bob = await setUp(named('bob'));
    expect(await bob.trusts('alice')).toBe(false);
  });

  it('trusts no bot that is not named, and never the account of the agent [NX-23]', async () => {
    const { trusts } = await setUp(collaborators);
    expect([await trusts('helper[bot]'), await trusts('agent')]).toEqual([false, false]);
    const bot = await setUp({ ...named('triage[bot]', 'agent'), collaborators: true });
    expect([await bot.trusts('triage[bot]'), await bot.trusts('alice')]).toEqual([true, true]);
    expect([await bot.trusts('helper[bot]'), await bot.trusts('agent')]).toEqual([false, false]);
    expect(await (await setUp(everyone)).trusts('agent')).toBe(false);
  });

  it('trusts the person whose token the agent has like everybody else [NX-4]', async () => {
    expect(await (await setUp(everyone, { tokenOf: 'bob' })).trusts('bob')).toBe(true);
    expect(await (await setUp(collaborators, { tokenOf: 'bob' })).trusts('bob')).toBe(false);
    expect(await (await setUp(collaborators, { tokenOf: 'alice' })).trusts('alice')).toBe(true);
  });

  it('remembers an answer for a minute, and an error not at all; who commands is asked about afresh [NX-4, NX-24]', async () => {
    const { trust, accountOf, platform, clock } = await setUp(collaborators);
    const alice = await accountOf('alice');
    platform.failNext({ operation: 'accessOf', error: new Error('down') });
    await expect(trust(alice)).rejects.toThrow('down');
    expect(await trust(alice)).toBe(true);
    platform.people.grant('octo/hello', 'alice', 'read');
    clock.ms = 59_999;
    expect(await trust(alice)).toBe(true);
    expect(await trust(alice, { fresh: true })).toBe(false);
    platform.people.grant('octo/hello', 'alice', 'write');
    expect(await trust(alice)).toBe(false);
    clock.ms += 60_000;
    expect(await trust(alice)).toBe(true);
  });
});

describe('the cost of createTrust', () => {
  /** Counts the requests for permissions. `answered`: resolves each of them. */
  async function setUpCounted() {
    const clock = { ms: 0 };
    const asked: { readonly id: string; readonly answer: PromiseWithResolvers<'read' | 'write'> }[] = [];
    const accessOf = ({ id }: Account) => {
      const answer = Promise.withResolvers<'read' | 'write'>();
      asked.push({ id, answer });
      return answer.promise;
    };
    const ownAccount = { id: '1', login: 'agent', kind: 'bot' } as const;
    const now = () => clock.ms;
    const trust = createTrust({ policy: collaborators, permissions: { accessOf }, ownAccount, now });
    return { trust, asked, clock };
  }
  const mallory = { id: '66', login: 'mallory', kind: 'person' } as const;
  const alice = { id: '7', login: 'alice', kind: 'person' } as const;

  it.each([false, true])(
    'is one request for 300 comments of one user, at once or one after the other (fresh: %s)',
    async (fresh) => {
      const { trust, asked } = await setUpCounted();
      const together = Array.from({ length: 300 }, () => trust(mallory, { fresh }));
      asked[0]?.answer.resolve('read');
      expect(new Set(await Promise.all(together))).toEqual(new Set([false]));
      for (let count = 0; count < 300; count += 1) expect(await trust(mallory, { fresh })).toBe(false);
      expect(asked).toHaveLength(1);
    },
  );

  it('is a new request for each command of a trusted user, and for a refused one after ten seconds', async () => {
    const { trust, asked, clock } = await setUpCounted();
    const next = async (account: Account, access: 'read' | 'write') => {
      const judged = trust(account, { fresh: true });
      asked.at(-1)?.answer.resolve(access);
      return judged;
    };
    expect([await next(alice, 'write'), await next(alice, 'write')]).toEqual([true, true]);
    expect(asked).toHaveLength(2);
    expect(await next(mallory, 'read')).toBe(false);
    clock.ms += 10_000;
    expect(await next(mallory, 'write')).toBe(true);
    expect(asked.map(({ id }) => id)).toEqual(['7', '7', '66', '66']);
  });

  it('does not tie the callers together: one can leave, and an error is not remembered', async () => {
    const { trust, asked } = await setUpCounted();
    const leaving = new AbortController();
    const left = trust(alice, { signal: leaving.signal });
    const stayed = trust(alice);
    leaving.abort(new Error('shutting down'));
    await expect(left).rejects.toThrow('shutting down');
    asked[0]?.answer.reject(new Error('503'));
    await expect(stayed).rejects.toThrow('503');
    const again = trust(alice);
    asked[1]?.answer.resolve('write');
    expect(await again).toBe(true);
  });
});

describe('what the agent wrote itself', () => {
  const logger = pino({ level: 'silent' });
  const person = { id: '7', login: 'alice', kind: 'person' } as const;
  const bot = { id: '8', login: 'agent[bot]', kind: 'bot' } as const;
  const identify = (ownAccount: Account, botName: string | null) => {
    const { botId = null, botUsername = null } = identifyAgent({ ownAccount, botName, logger });
    return { botId, botUsername };
  };

  it('is all of an account that is its own alone, and of the one that the configuration names [CD-4]', () => {
    expect(identify(bot, null)).toEqual({ botId: '8', botUsername: 'agent[bot]' });
    expect(identify(bot, 'robot')).toEqual({ botId: null, botUsername: 'robot' });
    expect(identify(person, 'robot')).toEqual({ botId: null, botUsername: 'robot' });
  });

  it("is only what carries its marker where the token is a person's [CD-4]", () => {
    expect(identify(person, null)).toEqual({ botId: null, botUsername: null });
    const isOwn = identifyAgent({ ownAccount: person, botName: null, logger }).isOwnComment;
    const comment = { id: '1', author: person, createdAt: '', updatedAt: null };
    expect(isOwn?.({ ...comment, body: 'By hand.' })).toBe(false);
    expect(isOwn?.({ ...comment, body: '<!-- agent-comment: run:0:final -->\nDone.' })).toBe(true);
  });

  it("is with a person's token that person's pull request, but no issue [NX-22]", () => {
    const changeRequest = { headSha: 'a' } as NonNullable<Parameters<typeof isOwnThread>[0]['changeRequest']>;
    const isOwn = (author: Account, ownAccount: Account) =>
      [null, changeRequest].map((request) => isOwnThread({ author, changeRequest: request }, ownAccount));
    expect(isOwn(person, person)).toEqual([false, true]);
    expect(isOwn(bot, bot)).toEqual([true, true]);
    expect(isOwn(person, bot)).toEqual([false, false]);
  });
});
