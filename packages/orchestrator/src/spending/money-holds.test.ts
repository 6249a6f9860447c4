import { formatTaskKey, toRepositoryName } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import { maxCostSchema } from '../config/spending-settings.ts';
import { silentLogger } from '../host/ports.ts';
import { Holds } from '../state/holds.ts';
import { describeMoneyHold, findMidnight, MoneyHolds } from './money-holds.ts';
import type { Payer } from './payer.ts';

const payer: Payer = {
  uuid: '10000000-0000-4000-8000-000000000001',
  thread: { host: 'github.com', taskKeyText: 'github_issue:acme:shop:7' },
  person: { id: '1', login: 'alice' } as Payer['person'],
  repository: { id: '9', path: 'Acme/shop' },
};

const toPlace = (repository: string) => ({ host: 'github.com', repository });

function openMoney(limits: object) {
  const clock = { ms: Date.parse('2026-11-30T22:30:00Z') };
  const current = { limits: maxCostSchema.parse(limits) };
  const now = () => clock.ms;
  const holds = new Holds({ now, logger: silentLogger, onChange: () => undefined });
  const readLimits = () => current.limits;
  const money = new MoneyHolds({ holds, readLimits, timeZone: 'Europe/Berlin', now });
  const raise = (raised: object) => {
    current.limits = maxCostSchema.parse(raised);
  };
  return { money, holds, clock, raise };
}

describe('a budget of a day that is used up', () => {
  it('holds all tasks until midnight of the time zone', () => {
    const { money, holds, clock } = openMoney({ day: 0.02 });
    money.note({ scope: 'day', name: 'day:2026-11-30', limitMicros: 20_000, at: clock.ms }, payer);
    const until = Date.parse('2026-11-30T23:00:00Z');
    expect(holds.list()).toMatchObject([{ cause: 'money_day', scope: '2026-11-30', until }]);
    expect(money.findFor(toPlace('other/thing'))).toMatchObject({ scope: 'day', until });
    clock.ms = until;
    expect([money.findFor(toPlace('other/thing')), holds.list()]).toEqual([null, []]);
  });

  it('holds until its limit is another one', () => {
    const { money, holds, clock, raise } = openMoney({ day: 0.02 });
    money.note({ scope: 'day', name: 'day:2026-11-30', limitMicros: 20_000, at: clock.ms }, payer);
    expect(money.listFreed()).toEqual([]);
    raise({ day: 5 });
    expect(money.listFreed()).toEqual([payer.uuid]);
    money.release(payer.uuid);
    expect(money.listFreed()).toEqual([]);
    expect([money.findFor(toPlace('acme/shop')), holds.list()]).toEqual([null, []]);
  });
});

describe('an answer about a budget of a day that arrives after midnight', () => {
  it('holds no task', () => {
    const { money, holds, clock } = openMoney({ day: 0.02 });
    const at = Date.parse('2026-11-30T22:59:59.900Z');
    clock.ms = at + 200;
    const account = { scope: 'day', name: 'day:2026-11-30', limitMicros: 20_000, at } as const;
    expect(money.note(account, payer)).toMatchObject({ until: Date.parse('2026-11-30T23:00:00Z') });
    expect([money.findFor(toPlace('acme/shop')), holds.list()]).toEqual([null, []]);
  });
});

describe('a budget of a repository or person that is used up', () => {
  it.each([
    ['gitlab.com', { type: 'gitlab_issue', projectId: '31', issueIid: 7 }],
    ['tracker.test', { type: 'custom', platform: 'tracker', project: 'Till', id: 'A-7' }],
  ] as const)('holds the tasks of a repository of %s', (host, key) => {
    const { money, clock } = openMoney({ repository: 1 });
    const thread = { host, taskKeyText: formatTaskKey(key) };
    const account = { scope: 'repository', name: 'a', limitMicros: 1_000_000, at: clock.ms } as const;
    money.note(account, { ...payer, thread });
    const repository = toRepositoryName(key);
    expect(money.findFor({ host, repository })).toMatchObject({ shown: `${host}/Acme/shop` });
    expect(money.findFor({ host: 'other.test', repository })).toBeNull();
  });

  it('of two persons with the same login on two hosts is two holds', () => {
    const { money, holds, clock } = openMoney({ person: 1 });
    for (const host of ['github.com', 'gitlab.com'])
      money.note(
        { scope: 'person', name: `person:${host} 1`, limitMicros: 1_000_000, at: clock.ms },
        { ...payer, thread: { ...payer.thread, host } },
      );
    expect(holds.list().map(({ scope }) => scope)).toEqual(['github.com/alice', 'gitlab.com/alice']);
  });

  it('holds the tasks of that repository alone, and has no end by itself', () => {
    const { money, holds, clock, raise } = openMoney({ repository: 1 });
    money.note(
      { scope: 'repository', name: 'repository:github.com 9', limitMicros: 1_000_000, at: clock.ms },
      payer,
    );
    clock.ms += 40 * 86_400_000;
    expect(money.findFor(toPlace('acme/shop'))).not.toBeNull();
    expect(money.findFor(toPlace('acme/till'))).toBeNull();
    expect(holds.list()).toMatchObject([
      { cause: 'money_repository', scope: 'github.com/Acme/shop', until: null },
    ]);
    raise({ repository: null });
    expect([money.findFor(toPlace('acme/shop')), holds.list()]).toEqual([null, []]);
  });

  it('of a person holds no task in the queue: who starts a task is known once it has begun', () => {
    const { money, holds, clock } = openMoney({ person: 1 });
    money.note({ scope: 'person', name: 'person:github.com 1', limitMicros: 1_000_000, at: clock.ms }, payer);
    expect(money.findFor(toPlace('acme/shop'))).toBeNull();
    expect(holds.list()).toMatchObject([{ cause: 'money_person', scope: 'github.com/alice', until: null }]);
  });
});

describe('the comment about a budget that is used up', () => {
  const at = { timeZone: 'Europe/Berlin', amount: '0.02 USD' };
  const toHold = (scope: 'day' | 'person' | 'repository') => {
    const until = scope === 'day' ? Date.parse('2026-11-30T23:00:00Z') : null;
    const shown = 'github.com/acme/shop';
    return { scope, account: 'a', limitMicros: 20_000, shown, name: 'acme/shop', until };
  };

  it('names the end of a daily budget, and does not advise /budget', () => {
    const said = describeMoneyHold(toHold('day'), { ...at, locale: 'en' });
    expect(said).toContain(
      "continue automatically at 2026-12-01 00:00 GMT+1. `/budget` can't change a daily limit.",
    );
    expect(describeMoneyHold(toHold('day'), { ...at, locale: 'ja' })).toContain('2026-12-01 00:00');
  });

  it.each(['en', 'ja'] as const)(
    'promises no automatic continuation from a process that exits (%s)',
    (locale) => {
      const said = describeMoneyHold(toHold('day'), { ...at, locale, once: true });
      expect(said).toContain('2026-12-01 00:00');
      expect(said).not.toMatch(/automatically|自動的に続けます/u);
    },
  );

  it.each(['person', 'repository'] as const)('says that the budget of a %s does not reset', (scope) => {
    const said = describeMoneyHold(toHold(scope), { ...at, locale: 'en' });
    expect(said).toContain('does not reset');
    expect(said).toContain(`limits.max_cost.${scope}`);
    expect(describeMoneyHold(toHold(scope), { ...at, locale: 'ja' })).toContain(`limits.max_cost.${scope}`);
  });
});

it.each([
  ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
  ['2026-11-30T15:00:00Z', 'Asia/Tokyo', '2026-12-01T15:00:00Z'],
  ['2026-11-30T23:59:59.999Z', 'UTC', '2026-12-01T00:00:00Z'],
])('finds the midnight after %s in %s', (now, timeZone, midnight) => {
  expect(findMidnight(Date.parse(now), timeZone)).toBe(Date.parse(midnight));
});
