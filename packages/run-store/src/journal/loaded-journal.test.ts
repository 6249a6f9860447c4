import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { end, openJournalIn, says, toArray } from '../testing/store-setup.ts';

const directory = useDirectory();
beforeEach(async () => {
  await writeFile(join(directory.path, 'messages.jsonl'), '');
});

const now = () => Date.parse('2026-03-01T12:00:00Z');
const path = (file: string) => join(directory.path, file);
const readMessages = async (file = 'messages.jsonl') =>
  (await readJsonLines(file)).filter(({ seq }) => seq !== undefined);
const readJsonLines = async (file: string) =>
  (await readFile(path(file), 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const openJournal = async () => (await openJournalIn(directory.path, { now })).journal;
const toolResult = (value: string) => [
  { type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output: { type: 'text', value } },
];

describe('the journal', () => {
  it('calls what is no event and no end the mistake of its caller, writes nothing of it and goes on', async () => {
    const journal = await openJournal();
    const wrong = [
      undefined,
      { type: 'nonsense' },
      { type: 'message' },
      { type: 'tool-started' },
      says('user', 'a').message,
    ];
    for (const event of wrong) {
      // As JavaScript would call it.
      await expect(journal.append(event as never)).rejects.toMatchObject({ code: 'invalid' });
    }
    await expect(journal.append({ type: 'message' } as never)).rejects.toThrow('not written: message: ');
    await expect(journal.finish(undefined as never)).rejects.toMatchObject({ code: 'invalid' });
    expect(await readJsonLines('tools.jsonl').catch(() => [])).toEqual([]);
    expect(await journal.append(says('user', 'Mend it.'))).toBe(1);
  });

  it('writes each message as the seeds do, with what rebuilds it beside', async () => {
    const journal = await openJournal();
    const delivers = [{ id: '9', revision: 'r1', kind: 'added' as const }];
    await journal.append({ ...says('system', 'Be brief.'), opens: 2 });
    await journal.append({ ...says('user', 'Mend it.'), delivers });
    const calls = [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: { path: 'a.ts' } }];
    const usage = { inputTokens: 12, outputTokens: 3 };
    await journal.append({ ...says('assistant', calls), usage, activeMs: 40 });
    await journal.append(says('tool', toolResult('line 1')));
    const lines = await readMessages();
    expect(lines.map(({ message, check, ...rest }) => rest)).toEqual([
      {
        seq: 1,
        role: 'system',
        content: 'Be brief.',
        timestamp: '2026-03-01T12:00:00.000Z',
        tokens: 3,
        opens: 2,
      },
      {
        seq: 2,
        role: 'user',
        content: 'Mend it.',
        timestamp: '2026-03-01T12:00:00.000Z',
        tokens: 2,
        delivers,
      },
      {
        seq: 3,
        role: 'assistant',
        content: '[read_file] {"path":"a.ts"}',
        timestamp: '2026-03-01T12:00:00.000Z',
        tokens: 7,
        usage: { input_tokens: 12, output_tokens: 3 },
        active_ms: 40,
      },
      {
        seq: 4,
        role: 'tool',
        content: 'line 1',
        tool_name: 'read_file',
        timestamp: '2026-03-01T12:00:00.000Z',
        tokens: 2,
      },
    ]);
    expect(lines[2]?.message).toEqual({ role: 'assistant', content: calls });
    await journal.finish(end);
    expect(await readJsonLines('current.jsonl')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Mend it.' },
      { role: 'assistant', content: '[read_file] {"path":"a.ts"}' },
      { role: 'tool', content: 'line 1', tool_name: 'read_file' },
    ]);
  });

  it('gives back what was appended, line breaks of every kind included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (texts) => {
        await writeFile(path('messages.jsonl'), '');
        const journal = await openJournal();
        await Promise.all(texts.map((text) => journal.append(says('user', text))));
        const entries = await toArray((await openJournal()).read());
        expect(entries).toMatchObject(
          texts.map((content, index) => ({ seq: index + 1, message: { role: 'user', content } })),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('keeps what getting ready has cost with the line that opens the conversation [RL-14]', async () => {
    const spent = { modelCalls: 3, toolCalls: 2, inputTokens: 30, outputTokens: 5 };
    const journal = await openJournal();
    await journal.append({ ...says('system', 'Be brief.'), opens: 2, spent });
    const [line] = await readMessages();
    expect(line.spent).toEqual({ model_calls: 3, tool_calls: 2, input_tokens: 30, output_tokens: 5 });
    expect(await toArray((await openJournal()).read())).toMatchObject([{ seq: 1, opens: 2, spent }]);
  });

  it('writes a line before a tool runs and a line after it, which says how its work failed [NX-54]', async () => {
    const { journal, settle } = await openJournalIn(directory.path, { now });
    const call = { toolCallId: 'c1', tool: 'read_file', args: { path: 'a.ts' } };
    await journal.append({ type: 'tool-started', ...call });
    await journal.append({
      type: 'tool-finished',
      ...call,
      status: 'success',
      output: 'text',
      durationMs: 8,
    });
    await journal.append({ type: 'tool-finished', ...call, status: 'error', output: 'gone', durationMs: 9 });
    const failed = {
      status: 'success',
      output: 'Exit code: 1',
      failure: 'exit code 1',
      durationMs: 7,
    } as const;
    await journal.append({ type: 'tool-finished', ...call, ...failed });
    const line = { tool: 'read_file', args: { path: 'a.ts' }, tool_call_id: 'c1' };
    const timestamp = '2026-03-01T12:00:00.000Z';
    await settle();
    expect(await readJsonLines('tools.jsonl')).toEqual([
      { ...line, seq: 1, status: 'started', timestamp },
      { ...line, seq: 2, status: 'success', result: 'text', duration_ms: 8, timestamp },
      { ...line, seq: 3, status: 'error', error: 'gone', duration_ms: 9, timestamp },
      {
        ...line,
        seq: 4,
        status: 'success',
        result: 'Exit code: 1',
        failure: 'exit code 1',
        duration_ms: 7,
        timestamp,
      },
    ]);
  });

  it('keeps every line when the context is replaced, and rebuilds the context from them [RL-13]', async () => {
    const journal = await openJournal();
    await journal.append(says('system', 'Be brief.'));
    for (const text of ['one', 'two', 'three']) await journal.append(says('user', text));
    const usage = { inputTokens: 30, outputTokens: 7 };
    const summary = { startSeq: 2, endSeq: 3, text: 'one and two', usage };
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'assistant' as const, content: 'one and two' },
      { role: 'user' as const, content: 'three' },
    ];
    await journal.replaceContext(messages, summary);
    await journal.append(says('user', 'four'));
    await journal.finish(end);
    const current = [...messages, { role: 'user', content: 'four' }];
    expect(await readJsonLines('current.jsonl')).toEqual(current);
    expect(await readJsonLines('summaries.jsonl')).toMatchObject([
      { id: 1, start_seq: 2, end_seq: 3, summary: 'one and two', original_tokens: 2, summary_tokens: 3 },
    ]);
    await rm(path('current.jsonl'));
    const reopened = await openJournal();
    expect(await readJsonLines('current.jsonl')).toEqual(current);
    const entries = await toArray(reopened.read());
    expect(entries[4]).toEqual({ type: 'summary', summary });
    expect(entries.map(({ type }) => type)).toEqual([
      'message',
      'message',
      'message',
      'message',
      'summary',
      'message',
    ]);
  });

  it('never reads a file again to append to it, so that a run of n messages costs n writes', async () => {
    const journal = await openJournal();
    for (const text of ['a', 'b', 'c']) await journal.append(says('user', text));
    await writeFile(path('messages.jsonl'), 'unreadable\n');
    expect(await journal.append(says('user', 'd'))).toBe(4);
    const [, line] = (await readFile(path('messages.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ seq: 4, content: 'd' });
  });

  it('writes nothing more once its file was moved away or exchanged under it', async () => {
    for (const takeAway of [
      () => rename(path('messages.jsonl'), path('elsewhere.jsonl')),
      () => rm(path('messages.jsonl')),
    ]) {
      await writeFile(path('messages.jsonl'), '');
      const journal = await openJournal();
      await journal.append(says('user', 'a'));
      await takeAway();
      await expect(journal.append(says('user', 'b'))).rejects.toMatchObject({ code: 'storage-failed' });
      await writeFile(path('messages.jsonl'), '');
      await expect(journal.append(says('user', 'c'))).rejects.toMatchObject({ code: 'storage-failed' });
      expect(await readFile(path('messages.jsonl'), 'utf8')).toBe('');
    }
    expect((await readMessages('elsewhere.jsonl')).map(({ content }) => content)).toEqual(['a']);
  });

  it('lets the context on disk lag by a few lines at most, and never keeps the end from being written', async () => {
    const journal = await openJournal();
    const text = 'x'.repeat(5_000);
    for (let count = 0; count < 5; count += 1) await journal.append(says('user', text));
    expect(await readJsonLines('current.jsonl')).toHaveLength(4);
    await rm(path('current.jsonl'));
    await journal.finish(end);
    expect(JSON.parse(await readFile(path('outcome.json'), 'utf8'))).toMatchObject({ status: 'completed' });
    await openJournal();
    expect(await readJsonLines('current.jsonl')).toHaveLength(5);
  });
});
