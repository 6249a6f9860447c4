import { afterEach, describe, expect, it } from 'vitest';
import { answerScript, fixScript } from '../support/fix-script.ts';
import { type RunsInARow, startRunsInARow } from '../support/runs-in-a-row.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let runs: RunsInARow | null = null;
afterEach(async () => {
  await runs?.close();
  await world?.close();
  [world, runs] = [null, null];
});

const stories = [
  {
    forge: 'github',
    title: 'The total is wrong',
    heading: '## Previous Processing Context',
    count: (n: number) => `### Previous Processing Count\n${n} time(s)`,
    notice: '📋 **Took over the context of earlier runs**',
    from: 'From',
  },
  {
    forge: 'gitlab',
    title: '合計が間違っている',
    heading: '## 過去の処理コンテキスト',
    count: (n: number) => `### 過去の処理回数\n${n}回`,
    notice: '📋 **過去のコンテキストを引き継ぎました**',
    from: '引き継ぎ元',
  },
] as const;

describe.each(stories)('an issue on $forge that is worked on three times', ({ forge: name, ...words }) => {
  it('is gone on with in the light of what was decided, on one branch [CI-1] [CI-17] [CI-46] [CI-67] [CI-T8] [CI-T10] [X15]', async () => {
    world = await startWorld({ script: fixScript, forges: [name], config: { poll_interval_seconds: 20 } });
    const { forge } = world;
    const { reference } = forge.openIssue({
      title: words.title,
      body: 'It forgets the quantity.',
      labels: [],
    });
    const say = (author: string, body: string) => ({ id: forge.comment(reference, { author, body }), body });
    const rounding = say('alice', 'Round to two digits.');
    const currency = say('alice', 'Show it in yen.');
    runs = startRunsInARow(world, { reference });

    const first = await runs.next({
      summary: 'FIRST: quantities count now. Read total.js.\n- The total is shown in yen.',
      decisions: [
        { text: 'The total is rounded to two digits.', comment: rounding },
        { text: 'The total is shown in yen.', comment: currency },
      ],
    });
    expect(first.metadata).toMatchObject({ inherited_from_uuid: null, inheritance_depth: 0 });
    expect(first.firstRequest).not.toContain(words.heading);
    forge.editComment(currency.id, 'Show it in dollars.');

    const second = await runs.next({ summary: 'SECOND: nothing was left to do.' });
    expect(second.metadata).toMatchObject({ inherited_from_uuid: first.uuid, inheritance_depth: 1 });
    const told = JSON.stringify(words.count(1)).slice(1, -1);
    expect(second.firstRequest).toContain(told);
    expect(second.firstRequest).toContain('FIRST: quantities count now.');
    expect(second.firstRequest).toContain('- The total is rounded to two digits.');
    expect(second.firstRequest).not.toContain('The total is shown in yen.');

    const third = await runs.next();
    expect(third.metadata).toMatchObject({ inherited_from_uuid: second.uuid, inheritance_depth: 2 });
    expect(third.firstRequest).toContain('SECOND: nothing was left to do.');
    expect(third.firstRequest).toContain('- The total is rounded to two digits.');
    expect(third.firstRequest).not.toContain('FIRST:');

    const bodies = forge.thread(reference).comments.map(({ body }) => body);
    const notices = bodies.filter((body) => body.includes(words.notice));
    expect(notices).toEqual([
      expect.stringContaining(`- ${words.from}: #${first.uuid.slice(0, 8)}\n`),
      expect.stringContaining(`- ${words.from}: #${second.uuid.slice(0, 8)}\n`),
    ]);
    expect(bodies).toHaveLength(2 + 3 + 2);
    expect(forge.changeRequests()).toHaveLength(1);
    expect(runs.output()).toMatch(
      new RegExp(`Context of an earlier run inherited: #${first.uuid.slice(0, 8)}`),
    );
    expect(runs.output()).toContain(`(comment ${currency.id} was edited)`);
  });
});

const threads = [
  {
    forge: 'github',
    kind: 'an issue',
    open: async ({ forge }: World) => forge.openIssue({ title: 'Why?', body: 'Explain it.', labels: [] }),
  },
  {
    forge: 'gitlab',
    kind: 'a merge request',
    open: ({ forge }: World) =>
      forge.openChangeRequest({
        title: 'Why?',
        body: 'Explain it.',
        labels: [],
        headBranch: 'why',
        files: { 'why.md': 'Because.\n' },
      }),
  },
] as const;

describe.each(threads)('commands about earlier runs of $kind on $forge', ({ forge: name, open }) => {
  it('are obeyed once, from people who may steer [CI-16] [CI-43] [CI-44] [CI-45] [CI-T7] [CI-T9] [C8]', async () => {
    world = await startWorld({ script: answerScript, forges: [name], config: { poll_interval_seconds: 20 } });
    const { forge } = world;
    const { reference } = await open(world);
    const say = (author: string, body: string) => forge.comment(reference, { author, body });
    runs = startRunsInARow(world, { reference });
    const first = await runs.next({ summary: 'FIRST run.' });

    say('alice', '/no-inherit\nLook at it with fresh eyes.');
    const second = await runs.next({ summary: 'SECOND run.' });
    expect(second.metadata).toMatchObject({ inherited_from_uuid: null, inheritance_depth: 0 });
    expect(second.firstRequest).not.toContain('FIRST run.');

    say('bob', '/fresh-start');
    say('alice', '/show-history');
    const third = await runs.next({ summary: 'THIRD run.' });
    expect(third.metadata).toMatchObject({ inherited_from_uuid: second.uuid, inheritance_depth: 1 });
    const history = forge.thread(reference).comments.find(({ body }) => body.includes('Processing History'));
    expect(history?.body).toMatch(
      new RegExp(
        `#${second.uuid.slice(0, 8)}\\*\\* completed[^]*SECOND run[^]*#${first.uuid.slice(0, 8)}[^]*FIRST run`,
      ),
    );

    say('alice', '/fresh-start');
    const fourth = await runs.next({ summary: 'FOURTH run.' });
    expect(fourth.metadata).toMatchObject({ inherited_from_uuid: null, inheritance_depth: 0 });
    const fifth = await runs.next();
    expect(fifth.metadata).toMatchObject({ inherited_from_uuid: fourth.uuid, inheritance_depth: 1 });
    expect(fifth.firstRequest).toContain('1 time(s)');
    const { comments } = forge.thread(reference);
    expect(comments.filter(({ body }) => body.includes('Processing History'))).toHaveLength(1);
  });
});
