import { afterEach, expect, it } from 'vitest';
import { keepWatchWish, readWatchWish } from '../../src/follow-up/follow-up-record.ts';
import { type FollowUpBed, openFollowUpBed, repo, type Script } from './follow-up-bed.ts';

let bed: FollowUpBed | null = null;
afterEach(() => bed?.close());

const right = 'export const sum = (a, b) => a + b;\n';

interface Said {
  readonly author?: 'alice' | 'stranger';
  readonly body: string;
  /** Text that the comment is edited to. */
  readonly edited?: string;
  /** Reactions of the agent. */
  readonly gets: readonly string[];
}

const heard = ['eyes'];
const obeyed = ['+1', 'eyes'];
const refused = ['confused', 'eyes'];

const beforeDelivery: readonly Said[] = [
  { author: 'stranger', body: '/watch 9d', gets: refused },
  { body: '```\n/watch 8d\n```', gets: heard },
  { body: '> /watch 7d', gets: heard },
  { body: '/watch for a bit', gets: refused },
  { body: '/watch 99d', gets: refused },
  { body: 'See below.', edited: '／ｗａｔｃｈ　３Ｄ', gets: obeyed },
  { body: '/watch', gets: obeyed },
];

const whileItWaits: readonly Said[] = [
  { body: '/watch 20 days', gets: refused.slice(0, 1) },
  { body: '/watch 9d', edited: '/watch 20d', gets: obeyed.slice(0, 1) },
  { author: 'stranger', body: '/unwatch', gets: refused.slice(0, 1) },
  { body: '/watch', gets: obeyed.slice(0, 1) },
];

it('stays as long as is said behind /watch, by whom and wherever it counts, also once it waits, and answers each [NX-253, NX-264]', {
  tags: ['full'],
}, async () => {
  const said: number[] = [];
  const say = ({ author = 'alice', body, edited }: Said): void => {
    if (bed === null) return;
    const { id } = bed.simulator.comment({ repo, number: bed.issue, author, body });
    if (edited !== undefined) bed.simulator.editComment(repo, id, edited, { by: author });
    said.push(id);
  };
  const script: Script = ({ written }) => {
    if (said.length === 0) beforeDelivery.forEach(say);
    return written.includes(right) ? { text: 'It adds now.' } : { write: right };
  };
  bed = await openFollowUpBed({ script, followUp: null });
  const { simulator, issue } = bed;
  await simulator.ci.answer(repo, () => [{ name: 'test', conclusion: 'success', takesMs: 36_000_000 }]);
  const reactions = () => {
    const { comments } = simulator.thread(repo, issue);
    const reactionsTo = (id: number) => comments.find((one) => one.id === id)?.reactions ?? [];
    return said.map((id) => reactionsTo(id).map(({ content }) => content));
  };
  const bodies = () =>
    simulator
      .thread(repo, issue)
      .comments.map(({ body }) => body)
      .join('\n');
  const until: string[] = [];
  let asked = 0;
  await bed.run((tick, end) => {
    const [, day] = /watch this pull request until (\S+)/u.exec(bodies()) ?? [];
    if (day !== undefined && day !== until.at(-1)) until.push(day);
    if (tick === 1) asked = bed?.asked() ?? 0;
    if (tick === 1) whileItWaits.forEach(say);
    const isSaid = bodies().includes("I'll watch this pull request until 2026-05-21");
    if ((isSaid && reactions().every(({ length }) => length > 0)) || tick > 20) end();
  });
  expect(until).toEqual(['2026-05-04', '2026-05-21']);
  expect(bed.asked()).toBe(asked);
  expect(reactions()).toEqual([...beforeDelivery, ...whileItWaits].map(({ gets }) => gets));
});

it('knows the ends of a wait alone [NX-253]', async () => {
  let kept: unknown = null;
  const state = {
    read: async (name: string) => (name === 'watch.json' ? kept : null),
    write: async (_: string, value: unknown) => {
      kept = value;
    },
  };
  const keep = (argument: string) => keepWatchWish(state, { name: 'watch', argument });
  expect(await keep('Merged')).toBe(true);
  expect(await Promise.all(['0d', '29d', '3', '3 d', 'never', '-1d', '3d; rm'].map(keep))).not.toContain(
    true,
  );
  expect(await keep('')).toBe(true);
  expect(await readWatchWish(state)).toEqual({ name: 'watch', until: 'merged', count: 1 });
  expect(await keepWatchWish(state, { name: 'unwatch', argument: 'please' })).toBe(true);
  expect(await keep('１４ｄ')).toBe(true);
  expect(await readWatchWish(state)).toEqual({ name: 'watch', until: '14d', count: 2 });
});
