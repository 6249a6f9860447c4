import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { Forge } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { quietSpell } from '../support/quiet-spell.ts';
import { type RunsInARow, startRunsInARow } from '../support/runs-in-a-row.ts';
import { sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let runs: RunsInARow | null = null;
let world: World | null = null;
afterEach(async () => {
  await runs?.close();
  await world?.close();
  [runs, world] = [null, null];
});

const short = (uuid: string) => `#${uuid.slice(0, 8)}`;

const stories = [
  {
    forge: 'github',
    title: 'The total is wrong',
    heading: '## Previous Processing Context',
    count: '### Previous Processing Count\\n1 time(s)',
    notice: '📋 **Inherited the context of earlier runs**\n\n- From: ',
  },
  {
    forge: 'gitlab',
    title: '合計が間違っている',
    heading: '## 過去の処理コンテキスト',
    count: '### 過去の処理回数\\n1回',
    notice: '📋 **過去のコンテキストを引き継ぎました**\n\n- 引き継ぎ元: ',
  },
] as const;

describe.each(sampleOf(stories, ({ forge }) => forge === 'gitlab'))(
  'an issue on $forge that is worked on three times',
  ({ forge: name, ...words }) => {
    it('is gone on with in the light of what was decided, on one branch [CI-1] [CI-17] [CI-46] [CI-67] [CI-T8] [CI-T10] [X15]', async () => {
      const body = 'It forgets the quantity.';
      const open = (forge: Forge) => forge.openIssue({ title: words.title, body, labels: [] });
      runs = await startRunsInARow({ forge: name, script: fixScript, open });
      const { forge, thread, next } = runs;
      const { reference } = thread();
      const say = (text: string) => forge.comment(reference, { author: 'alice', body: text });
      const rounding = say('Round to two digits.');
      const currency = say('Show it in yen.');

      const first = await next({
        summary: 'FIRST: quantities count now.\n- The total is shown in yen.',
        decisions: [
          { text: 'The total is rounded to two digits.', source: rounding },
          { text: 'The total is shown in yen.', source: currency },
        ],
      });
      expect(first.metadata).toMatchObject({ inherited_from_uuid: null, inheritance_depth: 0 });
      expect(first.firstRequest).not.toContain(words.heading);

      forge.editComment(currency, 'Show it in dollars.');
      const second = await next({ summary: 'SECOND: nothing was left to do.' });
      expect(second.metadata).toMatchObject({ inherited_from_uuid: first.uuid, inheritance_depth: 1 });
      expect(second.firstRequest).toContain(words.heading);
      expect(second.firstRequest).toContain(words.count);
      expect(second.firstRequest).toContain('FIRST: quantities count now.');
      expect(second.firstRequest).toContain('- The total is rounded to two digits.');
      expect(second.firstRequest).not.toContain('The total is shown in yen.');

      const third = await next({ summary: 'THIRD.' });
      expect(third.metadata).toMatchObject({ inherited_from_uuid: second.uuid, inheritance_depth: 2 });
      expect(third.firstRequest).toContain('SECOND: nothing was left to do.');
      expect(third.firstRequest).toContain('- The total is rounded to two digits.');
      expect(third.firstRequest).not.toContain('The total is shown in yen.');

      // The name of a run that has digits alone is kept from becoming the link of an issue.
      const bodies = thread().comments.map((comment) => comment.body.replaceAll('\u200b', ''));
      expect(bodies.filter((text) => text.includes('📋'))).toEqual([
        expect.stringContaining(`${words.notice}${short(first.uuid)}\n`),
        expect.stringContaining(`${words.notice}${short(second.uuid)}\n`),
      ]);
      // Two of Alice's, two notices, three reports.
      expect(bodies).toHaveLength(7);
      expect(forge.changeRequests()).toHaveLength(1);
      expect(runs.output()).toContain(`"uuid":"${first.uuid}","depth":1,`);
      expect(runs.output()).toContain(`"commentId":"${currency}","reason":"edited"`);
    });
  },
);

const question = { title: 'Why?', body: 'Explain it.', labels: [] };
const threads = [
  { forge: 'github', kind: 'an issue', open: (forge: Forge) => forge.openIssue(question) },
  {
    forge: 'gitlab',
    kind: 'a merge request',
    open: (forge: Forge) =>
      forge.openChangeRequest({ ...question, headBranch: 'why', files: { 'why.md': 'Because.\n' } }),
  },
] as const;

describe.each(sampleOf(threads, ({ forge }) => forge === 'github'))(
  'commands about earlier runs of $kind on $forge',
  ({ forge: name, open }) => {
    it('are obeyed once, from people who may steer [CI-16] [CI-43] [CI-44] [CI-45] [CI-T7] [CI-T9] [C8]', {
      tags: ['full'],
    }, async () => {
      let meanwhile: string | null = null;
      const onModelRequest = async () => {
        if (meanwhile === null) return;
        say('alice', meanwhile);
        meanwhile = null;
        await quietSpell();
      };
      const hearing = name === 'github' ? { onModelRequest } : {};
      runs = await startRunsInARow({ forge: name, script: answerScript, open, ...hearing });
      const { forge, thread, next } = runs;
      const say = (author: string, body: string) => forge.comment(thread().reference, { author, body });
      const first = await next({ summary: 'FIRST run.' });

      say('alice', '/no-inherit\nLook at it with fresh eyes.');
      const second = await next({ summary: 'SECOND run.' });
      expect(second.metadata).toMatchObject({ inherited_from_uuid: null, inheritance_depth: 0 });
      expect(second.firstRequest).not.toContain('FIRST run.');

      say('bob', '/fresh-start');
      say('alice', '/show-history');
      const third = await next({ summary: 'THIRD run.' });
      expect(third.metadata).toMatchObject({ inherited_from_uuid: second.uuid, inheritance_depth: 1 });
      const histories = () => thread().comments.filter(({ body }) => body.includes('Processing history'));
      expect(histories()[0]?.body).toMatch(
        new RegExp(
          `${short(second.uuid)}\\*\\* completed[^]*SECOND run[^]*${short(first.uuid)}[^]*FIRST run`,
        ),
      );

      say('alice', '/fresh-start');
      const fourth = await next({ summary: 'FOURTH run.' });
      expect(fourth.metadata).toMatchObject({ inherited_from_uuid: null, inheritance_depth: 0 });
      meanwhile = '/show-history';
      const fifth = await next({ summary: 'FIFTH run.' });
      expect(fifth.metadata).toMatchObject({ inherited_from_uuid: fourth.uuid, inheritance_depth: 1 });
      expect(fifth.firstRequest).toContain('### Previous Processing Count\\n1 time(s)');
      // One was asked for before its run, and one while a run was under way that hears its thread.
      expect(histories()).toHaveLength(name === 'github' ? 2 : 1);
    });
  },
);

describe('a run that is resumed', { tags: ['full'] }, () => {
  it('keeps what it inherited, though that is gone by now, and inherits nothing again [C20]', async () => {
    const script = { next: answerScript };
    const at = await startWorld({
      script: (view) => script.next(view),
      summarize: () => ({ summary: 'FIRST run.', key_decisions: [] }),
      onModelRequest: async () => {
        if (script.next === fixScript && listTurns(at.model).length === 3) await at.runs.pauseAll();
      },
    });
    world = at;
    const inherits = 'inherited context of earlier run';
    const runOnce = async () => (await startDaemonProcess(at.configFile).exited).output;
    const { reference } = at.forge.openIssue({
      title: 'The total',
      body: 'Mend it.',
      labels: ['coding agent'],
    });
    await runOnce();
    const [first = ''] = await at.runs.list('completed');

    script.next = fixScript;
    at.forge.addLabels(reference, ['coding agent']);
    expect(await runOnce()).toContain(inherits);
    const [second = ''] = await at.runs.list('paused');
    const metadata = await at.runs.readFile(second, 'metadata.json');
    expect(JSON.parse(metadata)).toMatchObject({
      uuid: second,
      inherited_from_uuid: first,
      inheritance_depth: 1,
    });

    await at.runs.removeEnded();
    await at.runs.resumeAll();
    expect(await runOnce()).not.toContain(inherits);
    expect(await at.runs.list('completed')).toEqual([second]);
    expect(await at.runs.readFile(second, 'metadata.json')).toBe(metadata);
    const turns = listTurns(at.model).slice(2);
    expect(turns.map((turn) => turn.split('FIRST run.').length - 1)).toEqual([1, 1, 1, 1, 1]);
    const notices = at.forge.thread(reference).comments.filter(({ body }) => body.includes('📋'));
    expect(notices).toHaveLength(1);
    for (const uuid of [first, second])
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
