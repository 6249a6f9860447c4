import type { Account } from '@agent/platforms';
import { createMemoryPlatform, type MemoryPlatform } from '@agent/platforms/memory';
import type { Locale } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { createTrust, type TrustPolicy } from '../thread/trust.ts';
import { createLabelTexts } from '../triggers/label-texts.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import type { TaskThread } from '../triggers/task-trigger.ts';
import { checkHandover, formatRefusal, type HandoverQuestion } from './handover.ts';

const label = 'coding agent';
const labels = {
  waiting: 'coding agent',
  processing: 'p',
  completed: 'c',
  failed: 'f',
  paused: 'z',
  stopped: 's',
};
const policy: TrustPolicy = {
  everyone: false,
  collaborators: true,
  isNamed: ({ login }) => login === 'named[bot]',
};

function setUp() {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const platform = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [
      {
        path: 'octo/hello',
        files: {},
        access: { alice: 'write', bob: 'read', 'other[bot]': 'write', 'named[bot]': 'read' },
      },
    ],
  });
  const key = platform.people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  const pass = () => {
    clock.ms += 5_000;
  };
  const give = (by: string) => {
    pass();
    platform.people.setLabels(key, [label], { by });
    pass();
  };
  const trigger = createLabelTrigger(platform, labels);
  const check = async ({
    ports: changed,
    ...changes
  }: Partial<HandoverQuestion> & { readonly ports?: Partial<TaskThread> } = {}) => {
    const ports = { ...platform.openThread(key), ...changed };
    const ownAccount = await platform.identity.whoAmI();
    const { permissions } = ports;
    const isTrusted =
      changes.isTrusted ?? createTrust({ policy, permissions, ownAccount, now: () => clock.ms });
    const thread = await ports.reader.readThread();
    const listHandovers = (since: string | null) => trigger.signs.listHandovers(ports, { since });
    return checkHandover({ listHandovers, thread, ownAccount, isTrusted, restored: null, ...changes });
  };
  return { platform, key, give, pass, check, now: () => new Date(clock.ms).toISOString() };
}

const accountOf = async (platform: MemoryPlatform, login: string): Promise<Account> => {
  const account = await platform.accounts?.findAccount(login);
  if (account == null) throw new Error(`no ${login}`);
  return account;
};

describe('a thread is handed over', () => {
  it.each([
    ['alice', 'given'],
    ['octo', 'given'],
    ['named[bot]', 'given'],
    ['bob', 'refused'],
    ['other[bot]', 'refused'],
  ])('by the label of %s: %s [NX-21]', async (login, status) => {
    const { give, check } = setUp();
    give(login);
    const checked = await check();
    expect(checked.status).toBe(status);
    if (checked.status === 'given') expect(checked.handover.by.login).toBe(login);
    if (checked.status === 'refused')
      expect(checked.refusal).toMatchObject({ reason: 'giver', actor: { login } });
  });

  it('by nobody whose role was taken away since they were last asked about [NX-21, NX-24]', async () => {
    const { platform, key, give, check, now } = setUp();
    const ownAccount = await platform.identity.whoAmI();
    const { permissions } = platform.openThread(key);
    const isTrusted = createTrust({ policy, permissions, ownAccount, now: () => Date.parse(now()) });
    const alice = await accountOf(platform, 'alice');
    give('alice');
    expect(await isTrusted(alice)).toBe(true);
    platform.people.grant('octo/hello', 'alice', 'read');
    expect(await isTrusted(alice)).toBe(true);
    expect(await check({ isTrusted })).toMatchObject({ status: 'refused', refusal: { reason: 'giver' } });
  });

  it('of which the text is by nobody whose role was taken away since they were last asked about [NX-22, NX-24]', async () => {
    const { platform, key, give, pass, check, now } = setUp();
    const ownAccount = await platform.identity.whoAmI();
    const { permissions } = platform.openThread(key);
    const isTrusted = createTrust({ policy, permissions, ownAccount, now: () => Date.parse(now()) });
    give('octo');
    pass();
    platform.people.editThread(key, { body: 'Changed', by: 'alice' });
    expect(await isTrusted(await accountOf(platform, 'alice'))).toBe(true);
    platform.people.grant('octo/hello', 'alice', 'read');
    expect(await check({ isTrusted })).toMatchObject({ status: 'refused' });
  });

  it('by nobody where no event of the label is known, and where it cannot be asked nothing is said [NX-21]', async () => {
    const { platform, give, check } = setUp();
    expect(await check()).toEqual({ status: 'refused', refusal: { reason: 'giver', actor: null, at: null } });
    give('alice');
    platform.failNext({ operation: 'lastLabeled', error: new Error('down') });
    await expect(check()).rejects.toThrow('down');
    platform.failNext({ operation: 'accessOf', error: new Error('down') });
    await expect(check()).rejects.toThrow('down');
  });

  it('by nobody knows whom on a platform that does not say who labels [NX-21]', async () => {
    const { platform, key, check } = setUp();
    const { labels } = platform.openThread(key);
    expect(await check({ ports: { labels, labelEvents: null } })).toEqual({ status: 'unknown' });
  });

  it('by a label of the agent itself only for a cause that it recorded, by somebody who still may [NX-21]', async () => {
    const { platform, key, pass, check, now } = setUp();
    const since = now();
    pass();
    await platform.openThread(key).labels?.addLabel(label);
    expect(await check()).toMatchObject({ status: 'refused', refusal: { actor: { login: 'agent' } } });
    const restored = { by: await accountOf(platform, 'alice'), since, commentId: '7' };
    expect(await check({ restored })).toMatchObject({
      status: 'given',
      handover: { by: { login: 'alice' }, at: since, commentId: '7' },
    });
    platform.people.grant('octo/hello', 'alice', 'read');
    expect(await check({ restored })).toMatchObject({ status: 'refused' });
  });

  it('by a label of the person whose token the agent has, where that person may [NX-21]', async () => {
    const checked = async (login: string) => {
      const { platform, give, check } = setUp();
      give(login);
      return check({ ownAccount: await accountOf(platform, login) });
    };
    expect(await checked('alice')).toMatchObject({ status: 'given', handover: { by: { login: 'alice' } } });
    expect(await checked('bob')).toMatchObject({ status: 'refused', refusal: { actor: { login: 'bob' } } });
  });

  it('by nobody where the event of the label does not say by whom, even where everybody may [NX-21]', async () => {
    const { platform, key, check, now } = setUp();
    const { labels } = platform.openThread(key);
    const labelEvents = { lastLabeled: async () => ({ actor: null, at: now(), editsSince: [] }) };
    const isTrusted = async () => true;
    expect(await check({ isTrusted, ports: { labels, labelEvents } })).toMatchObject({
      status: 'refused',
      refusal: { reason: 'giver', actor: null },
    });
  });

  it('as it was when it was labeled, of which everybody who changed it since is asked about once [NX-22]', async () => {
    const { platform, key, give, pass, check } = setUp();
    give('octo');
    pass();
    platform.people.editThread(key, { body: 'Better', by: 'alice' });
    platform.people.editThread(key, { title: 'Better', by: 'alice' });
    const asked: string[] = [];
    const isTrusted: HandoverQuestion['isTrusted'] = async (account) => asked.push(account?.login ?? '') > 0;
    expect(await check({ isTrusted })).toMatchObject({ status: 'given' });
    expect(asked).toEqual(['octo', 'alice']);
  });

  it('as it was when it was labeled: not with what a stranger changed since, before the agent put the label back [NX-22]', async () => {
    const { platform, key, give, pass, check, now } = setUp();
    platform.people.editThread(key, { body: 'Before', by: 'bob' });
    give('alice');
    const since = now();
    expect(await check()).toMatchObject({ status: 'given' });
    pass();
    platform.people.editThread(key, { body: 'Better', by: 'octo' });
    platform.people.editThread(key, { title: 'Ours', by: 'agent' });
    expect(await check()).toMatchObject({ status: 'given' });
    platform.people.editThread(key, { title: 'Swapped', by: 'bob' });
    platform.people.editThread(key, { title: 'Covered', by: 'octo' });
    const swapped = {
      status: 'refused',
      refusal: { reason: 'edit', part: 'title', actor: { login: 'bob' } },
    };
    expect(await check()).toMatchObject(swapped);
    pass();
    const { labels } = platform.openThread(key);
    await labels?.removeLabel(label);
    await labels?.addLabel(label);
    const restored = { by: await accountOf(platform, 'alice'), since, commentId: '7' };
    expect(await check({ restored })).toMatchObject(swapped);
    await labels?.removeLabel(label);
    give('alice');
    expect(await check()).toMatchObject({ status: 'given' });
  });

  it('not where nobody can say who changed it, as the head of a fork that cannot be seen [NX-22]', async () => {
    const { platform, key, give, check, now } = setUp();
    give('alice');
    const { labels } = platform.openThread(key);
    const actor = await accountOf(platform, 'alice');
    const editsSince = [{ part: 'head', actor: null, at: now() }] as const;
    const labelEvents = { lastLabeled: async () => ({ actor, at: now(), editsSince }) };
    expect(await check({ ports: { labels, labelEvents } })).toMatchObject({
      status: 'refused',
      refusal: { reason: 'edit', part: 'head', actor: null },
    });
  });
});

it('people are told why, and who may, in both languages [NX-21, NX-22]', () => {
  const bot = { id: '1', login: 'triage[bot]', kind: 'bot' } as const;
  const at = '2026-03-01T10:00:00Z';
  const say = (locale: Locale, refusal: Parameters<typeof formatRefusal>[0]['refusal']) =>
    formatRefusal({
      trigger: { texts: createLabelTexts(label) },
      refusal,
      policy: { collaborators: false },
      locale,
    });
  expect(say('en', { reason: 'giver', actor: bot, at })).toMatchInlineSnapshot(`
    "I haven't started: \`triage[bot]\` (a bot) added the label \`coding agent\` but isn't allowed to give me tasks.

    Only users listed under \`trust\` in my configuration can give me tasks. Bots must be named in my configuration. If you have permission, check the current content and add the label \`coding agent\` again."
  `);
  expect(say('ja', { reason: 'giver', actor: bot, at })).toMatchInlineSnapshot(`
    "作業を始めていません。ラベル \`coding agent\` を付けた \`triage[bot]\` (ボット) には、私に作業を任せる権限がありません。

    私に作業を任せられるのは、設定の \`trust\` に記載された人だけです（ボットは名前の指定が必要です）。権限のある方は、現在の内容を確認のうえ、ラベル \`coding agent\` を付け直してください。"
  `);
  expect(say('en', { reason: 'edit', part: 'head', actor: null, at })).toMatchInlineSnapshot(`
    "I haven't started: an unknown user changed the commits after the label \`coding agent\` was added.

    Only users listed under \`trust\` in my configuration can give me tasks. Bots must be named in my configuration. If you have permission, check the current content and add the label \`coding agent\` again."
  `);
  expect(say('ja', { reason: 'edit', part: 'title', actor: bot, at })).toMatchInlineSnapshot(`
    "作業を始めていません。ラベル \`coding agent\` が付いた後に、\`triage[bot]\` がタイトルを変更しました。

    私に作業を任せられるのは、設定の \`trust\` に記載された人だけです（ボットは名前の指定が必要です）。権限のある方は、現在の内容を確認のうえ、ラベル \`coding agent\` を付け直してください。"
  `);
});
