import { createSeededRandom, requirePlaces } from '@agent/simulators/trials';
import { describe, expect, it } from 'vitest';
import { clusterBugs } from './cluster-bugs.ts';
import type { ThreadEvidence } from './evidence.ts';
import { drawHarms, namePartition } from './harm.ts';
import { type Finding, judgeCluster } from './judge.ts';

const uuid = '6f1c7b1e-3f6e-4a57-9a29-0f6a5a1c0001';
const other = '6f1c7b1e-3f6e-4a57-9a29-0f6a5a1c0002';
const at = (second: number): string => new Date(second * 1_000).toISOString();

const comment = (id: number, author: string, body: string) => ({
  ...{ id, author, body, createdAt: at(id), reactions: [] },
});
const final = (id: number, run: string) =>
  comment(id, 'robot', `<!-- agent-comment: run:${run}:final -->\nTask completed`);
const saying = (id: number, word: string) => ({
  ...{ id: String(id), by: 'alice', reference: '#1', command: null, deletedAt: null },
  revisions: [{ word, at: id * 1_000 }],
});
const command = (id: number, name: string) => ({
  ...saying(id, ''),
  command: name,
  revisions: [{ word: null, at: id * 1_000 }],
});

/** A thread on which all went well: one run took two steps, and was told what alice had said. */
const whole: ThreadEvidence = {
  reference: '#1',
  steps: [101, 102],
  sayings: [saying(2, 'kiwi1plum')],
  labels: [1],
  conversations: [
    {
      from: 1_000,
      to: 9_000,
      requests: [['The total is wrong'], ['The total is wrong', 'Please mind kiwi1plum.']],
    },
  ],
  thread: {
    ...{ reference: '#1', number: 1, title: 'The total is wrong', body: '', state: 'open', assignees: [] },
    labels: ['coding agent done'],
    comments: [comment(2, 'alice', 'Please mind kiwi1plum.'), final(10, uuid)],
    statusComments: [],
    changeRequest: null,
  },
  branches: [{ name: 'agent/issue-1', log: ['step 101', 'step 102'] }],
  strangeBranches: [],
  effects: [],
  runs: [{ uuid, place: 'completed', lines: [], planning: null, outcome: null }],
  status: '',
  hung: 0,
  modelCalls: [1_000, 3_000, 5_000, 7_000, 9_000],
};

const withComments = (...comments: ThreadEvidence['thread']['comments']): Partial<ThreadEvidence> => ({
  thread: { ...whole.thread, comments },
});
const untold = {
  conversations: whole.conversations.map((one) => ({ ...one, requests: [['The total is wrong']] })),
};
const [first, end] = whole.thread.comments as [ReturnType<typeof comment>, ReturnType<typeof comment>];
const reported = {
  ...end,
  body: `${end.body}\n- [a comment](https://forge.test/1#note_2): not delivered`,
};

const planted: readonly (readonly [string, Partial<ThreadEvidence>, Finding['kind'], RegExp])[] = [
  ['a comment was told nobody', untold, 'lost', /was told nobody and stands in no report/],
  [
    'a comment was dropped at a handover, and is reported as not told',
    { ...untold, ...withComments(first, reported) },
    'lost',
    /was said in time, and the model was not told/,
  ],
  [
    'a comment was told twice',
    {
      conversations: whole.conversations.map((one) => ({
        ...one,
        requests: [[...(one.requests[1] ?? []), 'Please mind kiwi1plum.']],
      })),
    },
    'twice',
    /stands there 2 times/,
  ],
  [
    'the report was given twice',
    withComments(first, end, final(11, uuid)),
    'twice',
    /2 final comments, not 1/,
  ],
  ['no report was given', withComments(first), 'lost', /0 final comments, not 1/],
  [
    'two runs worked on one label',
    { runs: [...whole.runs, { ...whole.runs[0], uuid: other } as (typeof whole.runs)[0]] },
    'twice',
    /2 runs, not 1/,
  ],
  ['no run began', { runs: [] }, 'lost', /0 runs, not 1/],
  [
    'a run never ended',
    { runs: whole.runs.map((run) => ({ ...run, place: 'running' })) },
    'lost',
    /is still running/,
  ],
  [
    'the files of a step stayed where it was taken',
    { branches: [{ name: 'agent/issue-1', log: ['step 102'] }] },
    'lost',
    /step 101 stands in branches 0 times/,
  ],
  [
    'a step was taken again elsewhere',
    { branches: [{ name: 'agent/issue-1', log: ['step 101', 'step 101', 'step 102'] }] },
    'twice',
    /step 101 stands in branches 2 times/,
  ],
  [
    'a zombie wrote a line behind those of its successor',
    {
      runs: whole.runs.map((run) => ({
        ...run,
        lines: ['{"seq":1,"owner":4}', '{"seq":2,"owner":7}', '{"seq":3,"owner":4}'],
      })),
    },
    'wrong',
    /line 3 is by owner 4 after 7/,
  ],
  [
    '/stop was forgotten',
    { sayings: [command(2, 'stop')] },
    'wrong',
    /stop was said in time, and no run was stopped/,
  ],
  [
    '/pause was forgotten',
    { sayings: [command(2, 'pause')] },
    'lost',
    /pause was said in time, and no run was paused/,
  ],
  [
    'the label says that somebody is at work',
    { thread: { ...whole.thread, labels: ['coding agent processing'] } },
    'wrong',
    /its label says processing/,
  ],
  ['a process could not be ended', { hung: 1 }, 'wrong', /1 processes had to be killed/],
];

describe('the judge of a cluster', () => {
  it('finds nothing where nothing went wrong [NX-162]', () => {
    expect(judgeCluster([whole])).toEqual([]);
  });

  it.each(planted)('finds that %s [NX-162]', (_, change, kind, words) => {
    const found = judgeCluster([{ ...whole, ...change }]).filter(({ text }) => words.test(text));
    expect(found.map((one) => one.kind)).toContain(kind);
  });

  it('wants no step of a run that was stopped, and no word of what it was to be told [NX-162]', () => {
    const stopped = { ...end, body: `${end.body}\n## ⛔ Task stopped` };
    const cut = { branches: [], sayings: [...whole.sayings, command(3, 'stop')] };
    expect(judgeCluster([{ ...whole, ...cut, ...withComments(first, stopped) }])).toEqual([]);
  });

  it('takes a report for enough of what a stranger said [NX-162]', () => {
    const sayings = whole.sayings.map((one) => ({ ...one, by: 'bob' }));
    expect(judgeCluster([{ ...whole, ...untold, sayings, ...withComments(first, reported) }])).toEqual([]);
  });
});

describe('harm to a cluster', () => {
  const counts = { kills: 15, partitions: 3, zombies: 1 };
  const draw = (seed: number, trial = seed) =>
    drawHarms(createSeededRandom(seed), { threads: 25, counts, trial, hasLinks: true });

  it('is as much as was asked for, and cuts off each kind of process from what it needs [NX-163]', () => {
    const harms = Array.from({ length: 20 }, (_, index) => draw(index + 1)).flat();
    const count = (kind: string) => harms.filter((harm) => harm.kind === kind).length;
    expect([count('kill'), count('partition'), count('zombie')]).toEqual([300, 60, 20]);
    const cut = harms.filter(({ kind }) => kind === 'partition').map(namePartition);
    expect(new Set(cut)).toEqual(new Set(['worker from database', 'worker from forge', 'looker from all']));
    expect(harms.some(({ role, kind }) => kind === 'kill' && role === 'look')).toBe(true);
  });

  it('is drawn from its seed alone [NX-163]', () => {
    expect(draw(4711)).toEqual(draw(4711));
    expect(draw(4711)).not.toEqual(draw(4712));
  });

  it.each(clusterBugs)('has a place in the sources for what is planted there: $name [NX-162]', (plant) =>
    expect(requirePlaces(plant.changes)).resolves.toBeUndefined(),
  );
});
