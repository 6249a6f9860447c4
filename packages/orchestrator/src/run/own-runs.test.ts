import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import { createMemoryPlatform, type MemoryPlatform } from '@agent/platforms/memory';
import { hashTaskKey } from '@agent/run-store';
import { createFilePauseSignal, createFileRunControls } from '@agent/run-store/file';
import { createMemoryPlace, createMemoryStorage } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnRun, OwnTask, RunStanding } from './own-run.ts';
import { openRuns, type TakenRun } from './own-runs.ts';

let directory: string;
let platform: MemoryPlatform;
let key: ReturnType<MemoryPlatform['people']['openIssue']>;
let shown: RunStanding[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'own-runs-'));
  platform = createMemoryPlatform();
  key = platform.people.openIssue({ author: 'octo', title: 'Count', body: 'Please count.' });
  shown = [];
});
// A state that is not waited for may still be written.
afterEach(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

function taskOf(more: Partial<OwnTask> = {}): OwnTask {
  const { comments } = platform.openThread(key);
  return {
    thread: { taskKey: toTaskKeyJson(key), taskKeyText: formatTaskKey(key), host: platform.host },
    comments,
    hearing: { botUsername: 'agent', authorityOf: () => 'trusted', cleanText: (text) => text },
    openConversation: async ({ comments: said }) => ({
      instructions: 'Count what is said.',
      messages: [{ role: 'user', content: `Begins with ${said.length}.` }],
    }),
    show: async (standing) => void shown.push(standing),
    ...more,
  };
}

function runOf(taken: TakenRun): OwnRun {
  if (taken.kind !== 'open') throw new Error(`not open but ${taken.kind}`);
  return taken.run;
}

const texts = ({ messages }: OwnRun) => messages.map(({ content }) => String(content));
const say = (body: string) => platform.people.comment(key, { author: 'ann', body });
const answer = (run: OwnRun, content: string) => run.append([{ role: 'assistant', content }]);

describe("a run of an agent of one's own", () => {
  it('begins with a snapshot, hears what is said after it once, and ends after nothing new', async () => {
    say('Before.');
    const runs = await openRuns({ directory });
    const run = runOf(await runs.take(taskOf()));
    expect(run.origin).toBe('begun');
    say('In euros!');
    expect(await run.next()).toBe('work');
    expect(texts(run)).toEqual(['Begins with 1.', expect.stringContaining('In euros!')]);
    await answer(run, 'Counted.');
    say('And the tests?');
    expect(await run.next()).toBe('work');
    await answer(run, 'Tested.');
    expect(await run.next()).toBe('end');
    await run.conclude({ status: 'completed', finalText: 'Tested.' });
    expect(shown).toEqual([
      {
        uuid: run.uuid,
        status: 'completed',
        finalText: 'Tested.',
        reason: null,
        topic: `run:${run.uuid}:final`,
      },
    ]);
    expect(runOf(await runs.take(taskOf())).origin).toBe('begun');
    await runs.close();
  });

  it('makes its first prompt and what counts as known of one look at the thread [B9]', async () => {
    say('Before.');
    const task = taskOf();
    let looks = 0;
    const runs = await openRuns({ directory });
    const taken = await runs.take({
      ...task,
      comments: {
        ...task.comments,
        listComments: (options) => {
          looks += 1;
          return task.comments.listComments(options);
        },
      },
      openConversation: async ({ comments: told }) => {
        say('While the prompt is made.');
        return {
          instructions: '',
          messages: [{ role: 'user', content: told.map(({ body }) => body).join() }],
        };
      },
    });
    const run = runOf(taken);
    expect(looks).toBe(1);
    expect(await run.next()).toBe('work');
    expect(texts(run)).toEqual(['Before.', '[New Comment from @ann]:\nWhile the prompt is made.']);
    await runs.close();
  });

  it('waits in the state of paused runs until people let it resume, and hears what was said meanwhile [NX-75]', async () => {
    const runs = await openRuns({ directory });
    const run = runOf(await runs.take(taskOf()));
    await run.next();
    const controls = createFileRunControls({ baseDirectory: directory });
    await controls.request(run.uuid, 'pause');
    expect(await run.next()).toBe('pause');
    await run.pause();
    expect(shown).toMatchObject([{ status: 'needs_input', topic: `run:${run.uuid}:paused:0` }]);
    say('While it waited.');
    expect(await runs.take(taskOf())).toEqual({ kind: 'paused' });
    await controls.request(run.uuid, 'resume');
    const resumed = runOf(await runs.take(taskOf()));
    expect(resumed).toMatchObject({ uuid: run.uuid, origin: 'resumed' });
    expect(await resumed.next()).toBe('work');
    expect(texts(resumed).join('\n')).toContain('While it waited.');
    await controls.request(run.uuid, 'stop');
    expect(await resumed.next()).toBe('stop');
    await resumed.conclude({ status: 'stopped', finalText: null });
    expect(await controls.list()).toEqual([]);
    await runs.close();
  });

  it('is kept in any storage that somebody gives, which the next process opens again and people ask', async () => {
    const place = createMemoryPlace();
    const first = await openRuns({ storage: createMemoryStorage({ place }) });
    const begun = runOf(await first.take(taskOf()));
    await begun.next();
    await answer(begun, 'Counting.');
    await first.close();
    const storage = createMemoryStorage({ place });
    const second = await openRuns({ storage });
    const run = runOf(await second.take(taskOf()));
    expect([run.uuid, run.origin, texts(run)]).toEqual([
      begun.uuid,
      'recovered',
      ['Begins with 0.', 'Counting.'],
    ]);
    await storage.pauseSignal.set();
    expect(await run.next()).toBe('pause');
    await storage.pauseSignal.clear();
    await storage.controls.request(run.uuid, 'stop');
    expect(await run.next()).toBe('stop');
    await run.conclude({ status: 'stopped', finalText: null });
    const { taskKeyText, host } = taskOf().thread;
    const ended = await second.listRuns({ taskKeyHash: hashTaskKey(taskKeyText), host });
    expect(ended.map(({ uuid, status }) => [uuid, status])).toEqual([[run.uuid, 'stopped']]);
    expect(await second.lines.readLast(run.uuid, { tools: { limit: 9 } })).toEqual({ tools: [] });
    await second.close();
    expect(await readdir(directory)).toEqual([]);
  });

  it('begins nothing and resumes nothing while the pause signal is set [X16]', async () => {
    const signal = createFilePauseSignal(join(directory, 'pause_signal'));
    await signal.set();
    const runs = await openRuns({ directory });
    expect(await runs.take(taskOf())).toEqual({ kind: 'paused' });
    await signal.clear();
    const run = runOf(await runs.take(taskOf()));
    await signal.set();
    expect(await run.next()).toBe('pause');
    await runs.close();
  });

  it.each(['pause', 'end'] as const)(
    'shows a %s again that was committed and could not be shown, and does nothing else before',
    async (which) => {
      const show = () => Promise.reject(new Error('offline'));
      const first = await openRuns({ directory });
      const run = runOf(await first.take(taskOf({ show })));
      const ended =
        which === 'pause' ? run.pause() : run.conclude({ status: 'completed', finalText: 'Done.' });
      await expect(ended).rejects.toThrow('offline');
      await first.close();
      const second = await openRuns({ directory });
      await expect(second.take(taskOf({ show }))).rejects.toThrow('offline');
      const taken = await second.take(taskOf());
      expect(shown).toHaveLength(1);
      if (which === 'end') {
        expect(taken).toEqual({ kind: 'ended', standing: shown[0] });
        expect(runOf(await second.take(taskOf())).origin).toBe('begun');
      } else expect(runOf(taken)).toMatchObject({ uuid: run.uuid, origin: 'resumed' });
      await second.close();
    },
  );

  it('recovers what a process left, by its journal: nothing is lost and nothing told twice [NX-75]', async () => {
    const first = await openRuns({ directory });
    const begun = runOf(await first.take(taskOf()));
    say('One.');
    await begun.next();
    const open = { toolCallId: 'c1', toolName: 'count' };
    await begun.append([{ role: 'assistant', content: [{ type: 'tool-call', ...open, input: {} }] }]);
    await first.close();
    say('Two.');
    const second = await openRuns({ directory });
    const run = runOf(
      await second.take(taskOf({ openConversation: () => Promise.reject(new Error('twice')) })),
    );
    expect(run).toMatchObject({ uuid: begun.uuid, origin: 'recovered', instructions: 'Count what is said.' });
    expect(await run.next()).toBe('work');
    const said = run.messages.filter(({ role }) => role === 'user').map(({ content }) => String(content));
    expect(said).toEqual([
      'Begins with 0.',
      expect.stringContaining('One.'),
      expect.stringContaining('Two.'),
    ]);
    expect(JSON.stringify(run.messages)).toContain('its effect is unknown');
    await second.close();
  });

  it('is held once at a time, and is left for the next start at a shutdown', async () => {
    const shutdown = new AbortController();
    const runs = await openRuns({ directory, signal: shutdown.signal });
    const run = runOf(await runs.take(taskOf()));
    await expect(runs.take(taskOf())).rejects.toThrow('is already open');
    await expect(openRuns({ directory })).rejects.toMatchObject({ code: 'owned' });
    shutdown.abort();
    expect(await run.next()).toBe('shutdown');
    await run.leave();
    await runs.close();
    const next = await openRuns({ directory });
    expect(runOf(await next.take(taskOf()))).toMatchObject({ origin: 'recovered', crashesInARow: 0 });
    await next.close();
  });

  it('stays the only run of its thread while its conversation cannot be opened [NX-75]', async () => {
    const offline = () => taskOf({ openConversation: () => Promise.reject(new Error('offline')) });
    const first = await openRuns({ directory });
    await expect(first.take(offline())).rejects.toThrow('offline');
    await expect(first.take(offline())).rejects.toThrow('offline');
    await first.close();
    const second = await openRuns({ directory });
    await expect(second.take(offline())).rejects.toThrow('offline');
    const run = runOf(await second.take(taskOf()));
    expect(run.origin).toBe('recovered');
    await run.conclude({ status: 'completed', finalText: 'Done.' });
    await second.close();
    const third = await openRuns({ directory });
    expect(runOf(await third.take(taskOf())).origin).toBe('begun');
    await third.close();
  });

  it('shows nothing more once it is paused or concluded', async () => {
    const runs = await openRuns({ directory });
    const paused = runOf(await runs.take(taskOf()));
    await paused.pause();
    const resumed = runOf(await runs.take(taskOf()));
    await resumed.conclude({ status: 'completed', finalText: 'Done.' });
    for (const run of [paused, resumed]) {
      const call = [run.next(), answer(run, 'More.'), run.pause()];
      const end = run.conclude({ status: 'failed', finalText: 'More.' });
      for (const asked of [...call, end]) await expect(asked).rejects.toThrow('was paused or concluded');
    }
    expect(shown.map(({ status }) => status)).toEqual(['needs_input', 'completed']);
    await runs.close();
  });

  it('does nothing more once it is left, and is carried on by the next start alone', async () => {
    const first = await openRuns({ directory });
    const run = runOf(await first.take(taskOf()));
    await run.next();
    await answer(run, 'One.');
    await run.leave();
    await run.leave();
    const end = run.conclude({ status: 'completed', finalText: 'More.' });
    for (const asked of [run.next(), answer(run, 'More.'), run.pause(), end, first.take(taskOf())])
      await expect(asked).rejects.toThrow('was left for the next start');
    await first.close();
    const second = await openRuns({ directory });
    const recovered = runOf(await second.take(taskOf()));
    expect(recovered).toMatchObject({ uuid: run.uuid, origin: 'recovered', crashesInARow: 0 });
    expect(texts(recovered).at(-1)).toContain('One.');
    expect(shown).toEqual([]);
    await second.close();
  });

  it('comes to its end where showing that failed at first', async () => {
    const runs = await openRuns({ directory });
    let isOffline = true;
    const show = async (standing: RunStanding) => {
      if (isOffline) throw new Error('offline');
      shown.push(standing);
    };
    const run = runOf(await runs.take(taskOf({ show })));
    const conclude = () => run.conclude({ status: 'completed', finalText: 'Done.' });
    await expect(conclude()).rejects.toThrow('offline');
    isOffline = false;
    await conclude();
    expect(shown).toMatchObject([{ status: 'completed', finalText: 'Done.' }]);
    await runs.close();
  });

  it('is left when the directory is given back, and no other begins there', async () => {
    const runs = await openRuns({ directory });
    const run = runOf(await runs.take(taskOf()));
    await runs.close();
    expect(await run.next()).toBe('shutdown');
    await expect(runs.take(taskOf())).rejects.toThrow('were closed. Open them again');
  });

  it('leaves a summary for the runs that come after it', async () => {
    const runs = await openRuns({ directory });
    const run = runOf(await runs.take(taskOf({ describe: async () => ({ user: 'octo' }) })));
    await run.next();
    await answer(run, 'Four.');
    const usage = { inputTokens: 1, outputTokens: 1 };
    const summary = { text: 'There are four.', fields: {}, usage };
    await run.conclude({ status: 'completed', finalText: 'Four.', summary });
    const { hashTaskKey } = await import('@agent/run-store');
    const ended = await runs.listRuns({ taskKeyHash: hashTaskKey(formatTaskKey(key)), host: platform.host });
    expect(ended).toMatchObject([{ uuid: run.uuid, status: 'completed' }]);
    await runs.close();
  });
});
