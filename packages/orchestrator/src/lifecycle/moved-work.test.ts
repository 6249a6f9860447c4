import { randomUUID } from 'node:crypto';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlace, createMemoryRunStore } from '@agent/run-store/testing';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunComments } from '../../test/memory-outbox.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { type MovedRun, tellMove, withKeptWork } from './moved-work.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

const { signal } = new AbortController();
const here = { worktree: 'here', leftOut: [], missing: null };
const reads: ModelMessage = { role: 'user', content: 'You were told.' };
const result: ModelMessage = {
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: 'call_1', toolName: 'x', output: { type: 'text', value: 'done' } },
  ],
};
const says = (message: ModelMessage) =>
  ({ type: 'message', message, usage: null, delivers: [], activeMs: 0 }) as const;

async function openRun(locale: 'en' | 'ja' = 'en') {
  const { platform, key } = bed;
  const place = createMemoryPlace();
  const store = createMemoryRunStore<ModelMessage>({ place, owner: await place.acquireOwnership() });
  const uuid = randomUUID();
  const thread = { taskKeyText: formatTaskKey(key), host: platform.host, taskKey: toTaskKeyJson(key) };
  const { journal } = await store.open({ uuid, ...thread, user: 'alice', config: {}, extra: {} });
  const writer = openRunComments(platform.openThread(key).writer);
  const run: MovedRun = { uuid, facts: { locale }, journal, thread: { writer } };
  const listComments = async () => {
    const { comments } = await platform.openThread(key).comments.listComments({ since: null });
    return comments.map(({ body }) => body.slice(body.indexOf('\n') + 1));
  };
  return { run, journal, listComments };
}

describe('a run that goes on in another worktree', () => {
  it('tells the model until it has read it, once for each worktree', async () => {
    const { run, journal, listComments } = await openRun();
    const tell = (worktree: string) => tellMove(run, { moved: { ...here, worktree } }, { signal });
    expect(await tellMove(run, { moved: null }, { signal })).toBeNull();
    expect(await tell('here')).toContain('continues on another machine');
    // The process died before the model was told; what was left open of its calls is answered.
    await journal.append(says(result));
    expect(await tell('here')).toContain('continues on another machine');
    await journal.append(says(reads));
    expect(await tell('here')).toBeNull();
    expect(await tell('there')).toContain('continues on another machine');
    expect(await listComments()).toEqual([]);
  });

  it('tells people where work is missing, and the model what was left out, in the language of the thread', async () => {
    const moved = {
      worktree: 'here',
      leftOut: [{ path: 'データ.bin', why: 'large' as const }],
      missing: 'it takes 61 MB',
    };
    const english = await openRun();
    expect(await tellMove(english.run, { moved }, { signal })).toMatchInlineSnapshot(`
      "Note by the system that runs you: this work continues on another machine, and your latest changes could not be transferred: it takes 61 MB. Check the current files before you rely on anything said about them.
      These are missing: anything that commands installed or built in files that git ignores (such as node_modules) or outside the worktree, empty directories, repositories inside the worktree, and processes that you started. Set up again what you need.
      These paths were not transferred. They are missing, or have the content of the branch:
      - "データ.bin" (too large)"
    `);
    expect(await english.listComments()).toMatchInlineSnapshot(`
      [
        "⚠️ **I'm continuing this task on another machine, but my latest changes could not be transferred**: it takes 61 MB. I may repeat some steps.",
      ]
    `);
    const japanese = await openRun('ja');
    expect(await tellMove(japanese.run, { moved }, { signal })).toMatchInlineSnapshot(`
      "システムからのお知らせ: この作業は別のマシンで続きますが、最後の変更を移せませんでした: it takes 61 MB。これまでの会話の内容に頼る前に、現在のファイルを確認してください。
      次のものはありません: git が無視するファイル（node_modules など）や作業ツリーの外にコマンドでインストール・ビルドしたもの、空のディレクトリ、作業ツリー内の別のリポジトリ、起動したプロセス。必要なものは準備し直してください。
      次のパスは移していません。存在しないか、ブランチの内容のままです:
      - "データ.bin" (大きすぎる)"
    `);
    expect((await japanese.listComments()).at(-1)).toMatchInlineSnapshot(
      `"⚠️ **このタスクを別のマシンで続けますが、最後の変更を移せませんでした**: it takes 61 MB。一部の作業を繰り返す場合があります。"`,
    );
  });
});

describe('the journal of a run whose work moves', () => {
  it('has the work kept before the line that tells of it, and before no other', async () => {
    const { run } = await openRun();
    const order: string[] = [];
    const journal = withKeptWork(
      {
        append: async (event) => {
          order.push(event.type === 'message' ? event.message.role : event.type);
          return 1;
        },
      },
      async () => void order.push('kept'),
    );
    for (const message of [reads, result]) await journal.append(says(message));
    expect(order).toEqual(['user', 'kept', 'tool']);
    expect(withKeptWork(run.journal, null)).toBe(run.journal);
  });

  it('does not get the line when the work cannot be kept', async () => {
    const { run, journal } = await openRun();
    const refusing = withKeptWork(run.journal as typeof journal, () =>
      Promise.reject(new Error('taken over')),
    );
    await expect(refusing.append(says(result))).rejects.toThrow('taken over');
    const entries = [];
    for await (const entry of journal.read()) entries.push(entry);
    expect(entries).toEqual([]);
  });
});
