import { type CommentChange, createCommentInbox } from '@agent/comment-detection';
import { cleanUntrustedText } from '@agent/text';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { commandNames, createCommandHandler } from './commands.ts';
import { createCommandRecord } from './handled-commands.ts';

function setUp({ hasHistory = true, waitsForApproval = false, hasFailed = false } = {}) {
  const dropped: string[] = [];
  const reactions: string[] = [];
  const recorded: string[] = [];
  const applied: string[] = [];
  const trouble = { request: 0 };
  const kept = new Map<string, unknown>();
  const record = createCommandRecord({
    read: async (name) => kept.get(name) ?? null,
    write: async (name, value) => void kept.set(name, JSON.parse(JSON.stringify(value))),
  });
  const listVerdicts = async () =>
    (await record.list()).map(({ comment, command, outcome }) => `${comment} ${command} ${outcome}`);
  const onCommands = createCommandHandler({
    uuid: 'run',
    controls: {
      request: async (_uuid, verb) => {
        trouble.request -= 1;
        if (trouble.request >= 0) throw new Error('EIO');
        dropped.push(verb);
      },
    },
    ...(hasHistory ? { showHistory: async (id: string) => void dropped.push(`history for ${id}`) } : {}),
    rejections: {
      areIn: (body) => body.includes('/reject A'),
      record: async (body) => {
        recorded.push(body);
        return body.includes('/reject A1');
      },
    },
    approvals: {
      record: async ({ by, commentId, at, words }) => {
        recorded.push(`${by.login} approves by ${words ?? commentId} at ${at}`);
        return waitsForApproval;
      },
    },
    allowBudget: async (argument) => {
      dropped.push(`budget ${argument}`);
      return /^\d+$/.test(argument);
    },
    allowHeld: async ({ argument, by }) => argument === 'H1' && by === 'alice',
    wishWatch: async () => true,
    approvalPhrases: ['LGTM'],
    hasFailed,
    record,
    onApplied: async ({ command, by, comment }) => void applied.push(`${by} ${command} ${comment}`),
    acknowledge: async (meaning, ids) => void reactions.push(`${meaning} ${ids.join()}`),
    logger: pino({ level: 'silent' }),
  });
  const source = { listComments: () => Promise.reject(new Error('nothing is listed here')) };
  const inbox = createCommentInbox(source, {
    botUsername: 'agent',
    authorityOf: () => 'trusted',
    cleanText: async (text) => cleanUntrustedText(text).text,
    commands: [...commandNames, 'reject'],
    readPhrase: (body) => (body === 'LGTM' ? 'approve' : null),
    onCommands,
  });
  const obey = (changes: readonly CommentChange[]) => inbox.runCommands(changes);
  return { obey, applied, dropped, recorded, reactions, listVerdicts, record, trouble };
}

function change(body: string, fields: Partial<CommentChange> & { login?: string } = {}): CommentChange {
  const { login = 'alice', ...rest } = fields;
  const time = '2026-03-01T10:00:00Z';
  const author = { id: login, login };
  const comment = { id: '7', author, body, createdAt: time, updatedAt: time };
  const authority = login === 'alice' ? 'trusted' : 'untrusted';
  return { kind: 'added', comment, previousBody: null, revision: `${body}@${time}`, authority, ...rest };
}

describe('createCommandHandler', () => {
  it('reports commands that were applied with their author, once, and none that were refused', async () => {
    const { obey, applied } = setUp();
    await obey([change('/budget lots')]);
    await obey([change('/stop', { login: 'mallory' })]);
    await obey([change('/stop')]);
    await obey([change('/stop')]);
    expect(applied).toEqual(['alice stop 7']);
  });

  it.each([...commandNames, 'reject'])(
    'reports /%s with its author for the audit log, once [NX-341]',
    async (name) => {
      const { obey, applied } = setUp({ waitsForApproval: true, hasFailed: name === 'retry' });
      const argument: Readonly<Record<string, string>> = { budget: ' 5', reject: ' A1 No.', allow: ' H1' };
      for (let time = 0; time < 2; time += 1) await obey([change(`/${name}${argument[name] ?? ''}`)]);
      expect(applied).toEqual([`alice ${name} 7`]);
    },
  );

  it('reports an approval by its phrase like the command [NX-341]', async () => {
    const { obey, applied } = setUp({ waitsForApproval: true });
    await obey([change('LGTM')]);
    expect(applied).toEqual(['alice approve 7']);
  });

  it('hears each amount that a comment is edited to, the last of several, and says of none that it is none [NX-249]', async () => {
    const { obey, dropped, reactions, listVerdicts } = setUp();
    const edit = (previousBody: string, body: string) => change(body, { kind: 'edited', previousBody });
    await obey([change('/budget lots')]);
    await obey([edit('/budget lots', '/budget 5')]);
    await obey([edit('/budget 5', '/budget 5\n\nThank you.')]);
    await obey([edit('/budget 5', '/budget 5\n/budget 50')]);
    await obey([change('/budget 7', { login: 'eve' })]);
    expect(dropped).toEqual(['budget lots', 'budget 5', 'budget 50']);
    expect(reactions).toEqual(['refused 7', 'done 7', 'done 7', 'refused 7']);
    expect(await listVerdicts()).toEqual([
      ...['7 budget unknown', '7 budget obeyed', '7 budget obeyed', '7 budget refused'],
    ]);
  });

  it('obeys trusted people once, and nobody else [RL-2, NX-4]', async () => {
    const { obey, dropped, reactions, listVerdicts } = setUp();
    const eve = change('/stop', { login: 'eve' });
    await obey([change('/pause')]);
    await obey([change('/pause'), { ...eve, comment: { ...eve.comment, id: '8' } }]);
    expect(dropped).toEqual(['pause']);
    expect(reactions).toEqual(['done 7', 'refused 8']);
    expect(await listVerdicts()).toEqual(['7 pause obeyed', '8 stop refused']);
  });

  it('waits as long as nobody can say whether somebody is trusted [RL-2, NX-89]', async () => {
    const { obey, dropped, listVerdicts } = setUp();
    await obey([change('/stop', { authority: 'unknown' })]);
    expect([dropped, await listVerdicts()]).toEqual([[], []]);
    await obey([change('/stop', { corrects: true })]);
    expect(dropped).toEqual(['stop']);
  });

  it('tries again what could not be written down [RL-2]', async () => {
    const { obey, dropped, trouble } = setUp();
    trouble.request = 1;
    await expect(obey([change('/stop')])).rejects.toThrow('EIO');
    await obey([change('/stop')]);
    expect(dropped).toEqual(['stop']);
  });

  it('obeys an edit only where it brings the command [NX-4]', async () => {
    const { obey, dropped } = setUp();
    await obey([change('/stop please', { kind: 'edited', previousBody: '/stop plaese' })]);
    expect(dropped).toEqual([]);
    await obey([change('/stop', { kind: 'edited', previousBody: 'Stop.' })]);
    expect(dropped).toEqual(['stop']);
  });

  it('answers a question for the history once, and leaves it to others where it has no answer [CI-45]', async () => {
    const { obey, dropped, reactions } = setUp();
    await obey([change('/show-history')]);
    await obey([change('/show-history')]);
    expect([dropped, reactions]).toEqual([['history for 7'], ['done 7']]);
    const paused = setUp({ hasHistory: false });
    await paused.obey([change('/show-history')]);
    expect([paused.dropped, paused.reactions]).toEqual([[], []]);
  });

  it('has a rejection of a trusted person recorded, each wording once, and nobody else’s [PP-26, NX-4]', async () => {
    const { obey, recorded, reactions } = setUp();
    await obey([change('/reject A1 no', { login: 'eve' })]);
    const said = change('/reject A1 no cents');
    await obey([said]);
    await obey([said]);
    await obey([change('/reject A1 A2 no cents', { kind: 'edited', previousBody: '/reject A1 no cents' })]);
    expect(recorded).toEqual(['/reject A1 no cents', '/reject A1 A2 no cents']);
    await obey([change('/reject A9 no', { kind: 'edited', previousBody: '/reject A1 A2 no cents' })]);
    expect(reactions.at(-1)).toBe('refused 7');
    expect(reactions).toEqual(['refused 7', 'done 7', 'done 7', 'refused 7']);
  });

  it('has an approval recorded once, as old as its words are, and refuses it where nothing waits for one [NX-123]', async () => {
    const { obey, recorded, reactions, listVerdicts } = setUp({ waitsForApproval: true });
    const edited = change('/approve', { kind: 'edited', previousBody: 'Well.' });
    const later = { ...edited.comment, updatedAt: '2026-03-01T10:09:00Z' };
    const eve = change('/approve', { login: 'eve' });
    await obey([
      { ...eve, comment: { ...eve.comment, id: '8' } },
      { ...edited, comment: later },
    ]);
    await obey([{ ...edited, comment: later }]);
    expect(recorded).toEqual(['alice approves by 7 at 2026-03-01T10:09:00Z']);
    expect(reactions).toEqual(['refused 8', 'done 7']);
    const idle = setUp();
    await idle.obey([change('/approve')]);
    expect([idle.reactions, await idle.listVerdicts()]).toEqual([['refused 7'], ['7 approve unknown']]);
    expect(await listVerdicts()).toEqual(['8 approve refused', '7 approve obeyed']);
  });

  it('takes a phrase of a trusted user for an approval where a plan waits, and for a comment otherwise [NX-123]', async () => {
    const { obey, recorded, reactions, listVerdicts } = setUp({ waitsForApproval: true });
    const eve = change('LGTM', { login: 'eve' });
    await obey([{ ...eve, comment: { ...eve.comment, id: '8' } }]);
    await obey([change('LGTM')]);
    await obey([change('LGTM', { corrects: true })]);
    expect(recorded).toEqual(['alice approves by LGTM at 2026-03-01T10:00:00Z']);
    expect([reactions, await listVerdicts()]).toEqual([['done 7'], ['7 approve obeyed']]);
    const idle = setUp();
    await idle.obey([change('LGTM')]);
    expect([idle.reactions, await idle.listVerdicts()]).toEqual([[], []]);
  });

  it('obeys nothing that no page shows [NX-4]', async () => {
    const { obey, dropped } = setUp();
    await obey([change('Pasted:\n<!--\n/stop\n-->\nSee above.')]);
    expect(dropped).toEqual([]);
  });
});
