import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodyHash, createWorld, makeMemoryDirectory, readAllFiles, thread } from '../../test/memory-setup.ts';
import { hashText } from '../hash-text.ts';
import { type BeginOptions, createMemory, type MemoryOptions } from './create-memory.ts';
import type { RunInput } from './memory-input.ts';
import { createTransientStorage } from './memory-storage.ts';

const openTransient = (options: MemoryOptions = {}) =>
  createMemory({ storage: createTransientStorage(), ...options });
const byComment = (text: string, comment = '1025') => ({ text, source: { comment }, trusted: true });

describe('createMemory', () => {
  it('inherits nothing on a new thread, and summary and decisions afterwards', async () => {
    const directory = await makeMemoryDirectory();
    const first = await createMemory({ directory }).begin(thread);
    expect(first.inherited).toEqual({
      ...{ instructions: '', decisions: [], conflicts: [], retracted: [], unreadable: [] },
    });
    const { decisions } = await first.finish({
      summary: 'The total is rounded.',
      decisions: [{ text: 'Round once, on the sum', source: { comment: '1025' } }, byComment('Use cents')],
    });
    const { inherited } = await createMemory({ directory }).begin(thread);
    expect(inherited.instructions).toContain('The total is rounded.');
    expect(inherited.instructions).toMatch(
      /Round once, on the sum \(comment 1025; not a trusted user: information/,
    );
    expect(inherited.instructions).toMatch(/Use cents \(comment 1025; 20/);
    expect(inherited.decisions.map(({ id }) => id)).toEqual(decisions.map(({ id }) => id).toReversed());
    expect((await createMemory({ directory }).begin('github.com/acme/shop#43')).inherited.instructions).toBe(
      '',
    );
  });

  it('inherits decisions of a run that gave no summary', async () => {
    const memory = openTransient({ locale: 'ja' });
    await (await memory.begin(thread)).finish({ summary: '', decisions: [byComment('1から数える')] });
    const { instructions } = (await memory.begin(thread)).inherited;
    expect(instructions).toContain('1から数える');
    expect(instructions).toContain('(要約なし)');
  });

  it('has decisions replaced by later ones that name them', async () => {
    const memory = openTransient();
    const { decisions } = await (await memory.begin(thread)).finish({ decisions: [byComment('Use Flask')] });
    const second = await memory.begin(thread);
    await second.finish({
      decisions: [{ ...byComment('Use Node', '1026'), replaces: decisions[0]?.id }],
    });
    const { inherited } = await memory.begin(thread);
    expect(inherited.decisions.map(({ text, state }) => [text, state.kind])).toEqual([
      ['Use Node', 'open'],
      ['Use Flask', 'replaced'],
    ]);
  });

  it('has decisions of a run replaced by later ones of the same run', async () => {
    const memory = openTransient();
    const run = await memory.begin(thread);
    const { decisions } = await run.save({ decisions: [byComment('Use Flask')] });
    await run.finish({ decisions: [{ ...byComment('Use Node', '1026'), replaces: decisions[0]?.id }] });
    const { inherited } = await memory.begin(thread);
    expect(inherited.decisions.map(({ text, state }) => [text, state.kind])).toEqual([
      ['Use Node', 'open'],
      ['Use Flask', 'replaced'],
    ]);
  });

  it('shows which decisions contradict each other, were retracted, or are stale', async () => {
    const memory = openTransient();
    const comments = new Map(['1', '2', '3'].map((id) => [id, bodyHash(`body ${id}`)]));
    const readFile = async (path: string) => (path === 'sum.ts' ? 'round(sum)\n' : null);
    const run = await memory.begin(thread, { comments, request: bodyHash('issue'), readFile });
    await run.finish({
      decisions: [
        { ...byComment('Use Flask', '1'), subject: 'framework' },
        { ...byComment('Use Node', '2'), subject: 'Framework' },
        byComment('Use tabs', '3'),
        { text: 'Use spaces', source: 'thread', trusted: true },
        { ...byComment('Round here', '1'), paths: ['sum.ts', 'gone.ts'], quote: 'round(sum)' },
      ],
    });
    comments.delete('3');
    const { inherited } = await memory.begin(thread, {
      ...{ comments, request: bodyHash('edited'), readFile: async () => 'ceil(sum)\n' },
    });
    expect(inherited.conflicts.map(({ decisions }) => decisions.map(({ text }) => text))).toEqual([
      ['Use Flask', 'Use Node'],
    ]);
    expect(inherited.retracted.map(({ text, reason }) => [text, reason])).toEqual([
      ['Use tabs', 'deleted'],
      ['Use spaces', 'edited'],
    ]);
    expect(inherited.decisions.find(({ text }) => text === 'Round here')?.state).toEqual({
      ...{ kind: 'stale', reason: 'missing-line', path: 'sum.ts' },
    });
  });

  it.each<[string, unknown]>([
    ['results ', 'done'],
    ['results.summary ', { summary: 7 }],
    ['results.sumary ', { sumary: 'x' }],
    ['results.decisions ', { decisions: 'Round once' }],
    ['decisions[0] ', { decisions: ['Round once'] }],
    ['decisions[0] ', { decisions: new Array(1) }],
    ['decisions[0].decision ', { decisions: [{ decision: 'x' }] }],
    ['decisions[0].text ', { decisions: [{}] }],
    ['decisions[1].text ', { decisions: [{ text: 'x' }, { text: ' ' }] }],
    ['decisions[0].text ', { decisions: [{ text: 'x'.repeat(2_001) }] }],
    ['decisions[0].source ', { decisions: [{ text: 'x', source: '1025' }] }],
    ['decisions[0].source.comment ', { decisions: [{ text: 'x', source: { comment: 1025 } }] }],
    ['decisions[0].source.comment ', { decisions: [{ text: 'x', source: {} }] }],
    ['decisions[0].source.id ', { decisions: [{ text: 'x', source: { comment: '1', id: 1 } }] }],
    ['decisions[0].source.sha256 ', { decisions: [{ text: 'x', source: { comment: '1', sha256: 'abc' } }] }],
    ['decisions[0].trusted ', { decisions: [{ text: 'x', source: 'thread', trusted: 'yes' }] }],
    ['decisions[0].trusted ', { decisions: [{ text: 'x', trusted: true }] }],
    ['decisions[0].subject ', { decisions: [{ text: 'x', subject: ['a'] }] }],
    ['decisions[0].replaces ', { decisions: [{ text: 'x', replaces: 'deadbeef-1' }] }],
    ['decisions[0].replaces ', { decisions: [{ text: 'x', replaces: [7] }] }],
    ['decisions[0].paths ', { decisions: [{ text: 'x', paths: ['../secret'] }] }],
    ['decisions[0].paths ', { decisions: [{ text: 'x', paths: 'sum.ts' }] }],
    ['decisions[0].quote ', { decisions: [{ text: 'x', paths: ['a'], quote: 'a\nb' }] }],
    ['decisions[0].quote ', { decisions: [{ text: 'x', quote: 'a' }] }],
  ])('refuses malformed results with a TypeError about %s and keeps the run open', async (name, results) => {
    const memory = openTransient();
    const run = await memory.begin(thread);
    const refused = run.finish(results as RunInput);
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(name);
    await expect(refused).rejects.toThrow('the run is still open: correct it and call again');
    expect(await memory.history(thread)).toMatchObject([{ status: 'running', decisions: [] }]);
    await run.finish({ summary: 'done', decisions: [byComment('Round once')] });
    expect((await memory.begin(thread)).inherited.instructions).toContain('Round once');
  });

  it.each<object>([
    { directory: 7 },
    { directory: '' },
    { storage: {} },
    { secrets: 'abc' },
    { locale: 'fr' },
    { timeZone: 'Mars' },
    { maxTokens: '10' },
    { maxTokens: -1 },
    { now: 5 },
    { logger: {} },
    { dir: './agent-memory' },
  ])('refuses the option %o with a TypeError that names it', (option) => {
    const [name = ''] = Object.keys(option);
    const options = {
      ...('directory' in option || 'storage' in option ? {} : { directory: 'x' }),
      ...option,
    };
    expect(() => createMemory(options as MemoryOptions)).toThrow(TypeError);
    expect(() => createMemory(options as MemoryOptions)).toThrow(`MemoryOptions.${name} `);
  });

  it('refuses options that name no place, or two', () => {
    expect(() => createMemory({})).toThrow('either directory or storage');
    expect(() => createMemory({ directory: 'x', storage: createTransientStorage() })).toThrow(TypeError);
    expect(() => createMemory(undefined as unknown as MemoryOptions)).toThrow(TypeError);
  });

  it.each<object>([
    { comments: { 1: 'abc' } },
    { comments: new Map([[1, 'a']]) },
    { request: 'Fix it' },
    { readFile: 'a' },
    { tree: 1 },
  ])('refuses to begin with %o', async (option) => {
    const [name = ''] = Object.keys(option);
    await expect(openTransient().begin(thread, option as BeginOptions)).rejects.toThrow(
      `BeginOptions.${name} `,
    );
  });

  it.each([undefined, '', 42])('refuses the thread %o', async (given) => {
    await expect(openTransient().begin(given as string)).rejects.toThrow(TypeError);
    await expect(openTransient().history(given as string)).rejects.toThrow(TypeError);
  });

  it('takes no results after the end', async () => {
    const run = await openTransient().begin(thread);
    await run.finish();
    for (const call of [() => run.finish(), () => run.save({}), () => run.fail('late')])
      await expect(call()).rejects.toMatchObject({ name: 'MemoryError', code: 'run-ended' });
    await run[Symbol.asyncDispose]();
  });

  it('files a run as failed that is disposed before it finished', async () => {
    const memory = openTransient();
    const run = await memory.begin(thread);
    await run[Symbol.asyncDispose]();
    expect(await memory.history(thread)).toMatchObject([
      { id: run.id, status: 'failed', reason: 'The run ended without finish().' },
    ]);
  });

  it('lists runs newest first, each with its own decisions', async () => {
    const memory = openTransient();
    const first = await memory.begin(thread);
    await first.finish({ summary: 'One', decisions: [byComment('Use cents')] });
    const second = await memory.begin(thread);
    await second.save({ decisions: [byComment('Round once', '1026')] });
    await second.fail(new Error('the model is down'));
    const third = await memory.begin(thread);
    const history = await memory.history(thread);
    expect(
      history.map(({ id, status, reason, decisions }) => [
        id,
        status,
        reason,
        decisions.map(({ text }) => text),
      ]),
    ).toEqual([
      [third.id, 'running', null, []],
      [second.id, 'failed', 'the model is down', ['Round once']],
      [first.id, 'completed', null, ['Use cents']],
    ]);
    expect(third.inherited.instructions).toContain('(This run failed: the model is down)');
    expect(third.inherited.decisions.map(({ text }) => text)).toEqual(['Round once', 'Use cents']);
  });

  it('keeps secrets out of its files, and hides those it learns of later', async () => {
    const directory = await makeMemoryDirectory();
    const secret = 'plum-orchard-lane-7';
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const memory = createMemory({ directory, secrets: [secret] });
    const text = `with ${secret} and ${token}`;
    const place = `https://bot:${secret}@git.example.com/shop#42`;
    const run = await memory.begin(place);
    await run.save({ summary: text });
    await run.finish({
      summary: text,
      decisions: [
        { ...byComment(text), subject: secret, paths: ['a.ts', `${secret}.ts`], quote: `key(${secret})` },
      ],
    });
    await (await memory.begin(place)).fail(`401 for ${token}`);
    const files = await readAllFiles(directory);
    expect(files).not.toContain(secret);
    expect(files).not.toContain(token);
    expect(files).toContain('[REDACTED]');
    const [, completed] = await memory.history(place);
    expect(completed?.decisions[0]?.evidence).toEqual({ paths: ['a.ts'], quote: null });
    await (await memory.begin(thread)).finish({ summary: 'the word is violet-harbour-9' });
    const later = createMemory({ directory, secrets: ['violet-harbour-9'] });
    expect((await later.begin(thread)).inherited.instructions).not.toContain('violet');
    expect((await later.history(thread)).at(-1)?.summary).toBe('the word is [REDACTED]');
  });

  it.each([
    ['a damaged document', '{"version":1'],
    ['a document of another version', '{"version":2}'],
  ])('reports %s, leaves it as it is, and inherits the others [NX-420]', async (_, text) => {
    const directory = await makeMemoryDirectory();
    const memory = createMemory({ directory });
    const damaged = await memory.begin(thread);
    await damaged.finish({ summary: 'One' });
    await (await memory.begin(thread)).finish({ summary: 'Two' });
    const path = join(directory, hashText(thread), `${damaged.id}.ended.json`);
    await writeFile(path, text);
    const { inherited } = await memory.begin(thread);
    expect(inherited.unreadable).toEqual([`${damaged.id}.ended`]);
    expect(inherited.instructions).toContain('Two');
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('deletes the oldest runs and keeps what trusted users decided in them', async () => {
    const directory = await makeMemoryDirectory();
    const world = createWorld({ directory });
    const memory = world.start({ pid: 1 });
    await (await memory.begin(thread)).finish({ decisions: [byComment('Use cents'), { text: 'Try bun' }] });
    for (let index = 0; index < 120; index += 1)
      await (await memory.begin(thread)).finish({ summary: `Run ${index}` });
    const { inherited } = await memory.begin(thread);
    expect(inherited.decisions.map(({ text }) => text)).toEqual(['Use cents']);
    expect(await memory.history(thread)).toHaveLength(101);
  });
});
