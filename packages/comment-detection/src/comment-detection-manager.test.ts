import { describe, expect, it, vi } from 'vitest';
import { contextFull, createTestSink, TestThread } from '../test/thread-setup.ts';
import { CommentDetectionManager } from './comment-detection-manager.ts';

async function begun(options: Parameters<TestThread['manager']>[0] = {}) {
  const thread = new TestThread();
  thread.say('1');
  const manager = thread.manager(options);
  await manager.initialize();
  thread.pass();
  return { thread, manager };
}

const idsOf = (comments: readonly { readonly id: string }[]) => comments.map(({ id }) => id);

describe('CommentDetectionManager', () => {
  it('works without any options [CD-3] [CD-39] [CD-41] [CD-43] [CD-T2]', async () => {
    const thread = new TestThread();
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const manager = new CommentDetectionManager(thread.source);
    warned.mockRestore();
    expect(manager.enabled).toBe(true);
    expect(manager.botUsername).toBeNull();
    thread.say('1', { createdAt: '2199-01-01T00:00:00Z' });
    expect(idsOf(await manager.checkForNewComments())).toEqual(['1']);
  });

  it('says at once that it was given no source, instead of failing at every poll', () => {
    for (const source of [undefined, null, {}])
      expect(() => new CommentDetectionManager(source as never)).toThrow(
        /The source of CommentDetectionManager must be an object with the functions listComments/,
      );
  });

  it('takes what is on the thread at the start for known [CD-16] [CD-18] [CD-23] [CD-25] [CD-T1]', async () => {
    const { thread, manager } = await begun();
    expect([...manager.lastCommentIds]).toEqual(['1']);
    expect(manager.lastCheckTime).toEqual(new Date('2026-01-01T10:00:00Z'));
    expect(await manager.checkForNewComments()).toEqual([]);
    expect(thread.looks).toEqual([null, '2026-01-01T10:00:00.000Z']);
  });

  it('begins from the snapshot that the prompt was made from, and asks nothing itself [CD-25, B9]', async () => {
    const thread = new TestThread();
    const known = thread.say('1');
    const manager = thread.manager();
    thread.say('2');
    const snapshot = { comments: [known], complete: true, cursor: null, unchanged: false };
    expect(await manager.initialize(snapshot)).toEqual({ status: 'checked' });
    expect(thread.looks).toEqual([]);
    expect(idsOf(await manager.checkForNewComments())).toEqual(['2']);
  });

  it('reports a new comment once, and then nothing [CD-14] [CD-26] [CD-T3] [CD-T4]', async () => {
    const { thread, manager } = await begun();
    thread.say('2');
    expect(idsOf(await manager.checkForNewComments())).toEqual(['2']);
    thread.pass();
    expect(await manager.checkForNewComments()).toEqual([]);
    expect(manager.detectedCount).toBe(1);
  });

  it('goes by the id for what is new and by the body for what was edited: one list has the new alone, the other all [B2]', async () => {
    const { thread, manager } = await begun();
    const other = thread.manager();
    await other.initialize();
    thread.pass();
    thread.say('2');
    thread.say('3');
    for (const one of [manager, other]) {
      const comments = await one.checkForNewComments();
      expect(idsOf(comments)).toEqual(['2', '3']);
      await one.addToContext(createTestSink(), comments);
    }
    thread.pass();
    thread.edit('1', 'another text');
    // The platform says that it was touched; its words are the same.
    thread.edit('2', 'text 2');
    thread.remove('3');
    thread.say('4');
    const { added, edited, deleted } = await manager.checkForChanges({ barrier: true });
    expect([added, edited, deleted].map(idsOf)).toEqual([['4'], ['1'], ['3']]);
    expect(edited[0]).toMatchObject({ body: 'another text', previousBody: 'text 1' });
    expect(idsOf(await other.checkForNewComments())).toEqual(['4']);
  });

  it('keeps ids as text, whatever the platform calls them [CD-17]', async () => {
    const { thread, manager } = await begun();
    thread.say(42 as unknown as string);
    expect(idsOf(await manager.checkForNewComments())).toEqual(['42']);
    thread.pass();
    thread.comments = thread.comments.map((one) => ({ ...one, id: String(one.id) }));
    expect(await manager.checkForNewComments()).toEqual([]);
  });

  it('does nothing when it is switched off [CD-26] [CD-39]', async () => {
    const { thread, manager } = await begun({ enabled: false });
    thread.say('2');
    expect(await manager.checkForNewComments()).toEqual([]);
    expect(await manager.checkForChanges({ barrier: true })).toMatchObject({ status: 'skipped' });
    expect(thread.looks).toEqual([]);
  });

  it('puts comments into the context as one message of the user [CD-19] [CD-22] [CD-28] [CD-T6] [CD-T7] [B12]', async () => {
    const { thread, manager } = await begun();
    const sink = createTestSink();
    thread.say('2');
    await manager.addToContext(sink, await manager.checkForNewComments());
    thread.pass();
    thread.say('3');
    thread.say('4');
    await manager.addToContext(sink, await manager.checkForNewComments());
    expect(sink.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: [New Comment from @alice]:\ntext 2',
      'user: [New Comments Detected]:\n\nComment 1 from @alice (2026-01-01T10:00:04.000Z):\ntext 3\n\n' +
        'Comment 2 from @alice (2026-01-01T10:00:04.000Z):\ntext 4',
    ]);
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('sends no message for an empty list [CD-28] [CD-T8]', async () => {
    const { manager } = await begun();
    const sink = createTestSink();
    await expect(manager.addToContext({} as never, [])).rejects.toThrow(
      'The context of addToContext must be an object with the functions append',
    );
    expect(await manager.addToContext(sink, [])).toEqual({ status: 'nothing' });
    expect(sink.offered).toEqual([]);
  });

  it('shortens what the context refuses and tries twice more [CD-48, B10]', async () => {
    const { thread, manager } = await begun();
    thread.say('2', { body: 'x'.repeat(5000) });
    const sink = createTestSink([contextFull, contextFull]);
    expect(await manager.addToContext(sink, await manager.checkForNewComments())).toEqual({
      status: 'added',
    });
    const lengths = sink.offered.map((content) => content.match(/x+/)?.[0].length);
    expect(lengths).toEqual([5000, 2000, 500]);
    expect(sink.messages[0]?.content).toMatch(/x…\(truncated\)$/);
  });

  it('offers again what the context never took, and keeps it for the report [CD-48, B10]', async () => {
    const { thread, manager } = await begun();
    thread.say('2');
    const refusing = createTestSink([contextFull, contextFull, contextFull]);
    const result = await manager.addToContext(refusing, await manager.checkForNewComments());
    expect(result).toEqual({ status: 'failed', error: contextFull });
    expect(manager.listUndelivered()).toMatchObject([{ kind: 'added', comment: { id: '2' } }]);
    thread.pass();
    const sink = createTestSink();
    await manager.addToContext(sink, await manager.checkForNewComments());
    expect(sink.messages).toHaveLength(1);
    expect(manager.getStatistics()).toMatchObject({ detected_comments: 1, added_comments: 1, errors: 1 });
  });

  it('counts looks that found something, what they found, what was added, and errors [CD-30] [CD-53..CD-56] [B6]', async () => {
    const { thread, manager } = await begun();
    thread.say('2');
    thread.say('3');
    await manager.addToContext(createTestSink(), await manager.checkForNewComments());
    thread.pass();
    thread.answers.push(new Error('down'));
    await manager.checkForNewComments();
    expect(manager.getStatistics()).toEqual({
      detection_events: 1,
      detected_comments: 2,
      added_comments: 2,
      errors: 1,
    });
    expect(manager.detectedCount).toBe(2);
  });

  it('goes on after every error, and looks again at the next time [CD-46] [CD-T9]', async () => {
    const { thread, manager } = await begun();
    thread.say('2');
    for (let failure = 0; failure < 5; failure += 1) {
      thread.answers.push(new Error(`down ${failure}`));
      expect(await manager.checkForNewComments()).toEqual([]);
      thread.pass(60_000);
    }
    expect(idsOf(await manager.checkForNewComments())).toEqual(['2']);
  });

  it('says that it could not ask, instead of that nothing is new, where its answer is no mere list [B20]', async () => {
    const { thread, manager } = await begun();
    const error = new Error('down');
    thread.answers.push(error);
    expect(await manager.checkForChanges()).toMatchObject({ status: 'failed', error });
    expect(await manager.checkForChanges()).toMatchObject({ status: 'skipped' });
    thread.pass();
    expect(await manager.checkForChanges()).toMatchObject({ status: 'checked' });
    thread.pass();
    thread.answers.push(error);
    expect(await manager.checkForNewComments()).toEqual([]);
  });

  it('leaves out what is no comment, says so once, and hears the rest [CD-47] [CD-T10] [B11]', async () => {
    const { thread, manager } = await begun();
    const broken = [{ body: 'no id' }, { id: '8' }, null, 'text', { id: '9', body: 5 }];
    const nameless = { id: '10', body: 'hello' };
    thread.answers.push({ comments: [...broken, nameless] as never[] });
    const [comment] = await manager.checkForNewComments();
    expect(comment).toMatchObject({ id: '10', author: { login: 'unknown' }, createdAt: '' });
    expect(thread.logged.filter((line) => line.includes('without id or body'))).toHaveLength(3);
    expect(await manager.formatCommentMessage([comment as never])).toBe(
      '[New Comment from @unknown]:\nhello',
    );
  });

  it('logs in the words of the specification [CD-42] [CD-49..CD-52]', async () => {
    const { thread, manager } = await begun({ logLocale: 'ja' });
    await manager.checkForNewComments();
    thread.pass();
    thread.say('2');
    await manager.addToContext(createTestSink(), await manager.checkForNewComments());
    thread.pass();
    thread.answers.push(new Error('接続できません'));
    await manager.checkForNewComments();
    expect(thread.logged).toEqual([
      'DEBUG - 新規コメントなし (Task: t-1)',
      'INFO - 新規コメントを検出しました: 1件 (Task: t-1)',
      'INFO - 新規コメントをコンテキストに追加しました: 1件 (Task: t-1)',
      'WARNING - コメント取得中にエラー発生: 接続できません (Task: t-1)',
    ]);
  });

  it.each([
    ['debug', 'DEBUG'],
    ['warn', 'WARNING'],
    ['error', 'ERROR'],
  ] as const)(
    'logs in English too, and the detection alone at the level %s [CD-42, B13]',
    async (logLevel, shown) => {
      const { thread, manager } = await begun({ logLocale: 'en', logLevel });
      await manager.checkForNewComments();
      thread.pass();
      thread.say('2');
      await manager.addToContext(createTestSink(), await manager.checkForNewComments());
      thread.pass();
      thread.answers.push(new Error('down'));
      await manager.checkForNewComments();
      expect(thread.logged).toEqual([
        'DEBUG - found no new comments',
        `${shown} - detected new comments`,
        'INFO - added new comments to context',
        'WARNING - failed to fetch comments',
      ]);
    },
  );

  it('refuses a value that is of no use [CD-41, B3]', () => {
    const { source } = new TestThread();
    for (const checkInterval of [0, -1, 1.5, '2', Number.NaN])
      expect(() => new CommentDetectionManager(source, { checkInterval: checkInterval as never })).toThrow(
        'CommentDetectionOptions.checkInterval must be a whole number of at least 1',
      );
  });
});
