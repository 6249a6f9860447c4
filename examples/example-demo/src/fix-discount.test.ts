import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ConversationView, ScriptedReply, ToolExchange } from '@agent/simulators/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoFault, demoFiles, demoRounding } from './demo-project.ts';
import { fixDiscount, scriptNotice } from './fix-discount.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-script-'));
  for (const [path, text] of Object.entries(demoFiles)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
});
afterEach(() => rm(directory, { recursive: true, force: true }));

interface Play {
  readonly reporter?: string;
  readonly instructions?: string;
  /** After how many calls a person rejects what was assumed. */
  readonly rejectedAfter?: number;
}

const rejection =
  '===== BEGIN TEXT n =====\n/reject A1 why\n\n(The assumption A1, rounding, is rejected. From now on …)\n===== END TEXT n =====';

/** Does what the script asks for, on real files and with the real test runner, until it has nothing more to ask. */
async function play({ reporter = 'tap', instructions = '', rejectedAfter }: Play = {}): Promise<{
  replies: ScriptedReply[];
  exchanges: ToolExchange[];
}> {
  const replies: ScriptedReply[] = [];
  const exchanges: ToolExchange[] = [];
  while (replies.length < 12) {
    const isRejected = rejectedAfter !== undefined && exchanges.length >= rejectedAfter;
    const messages = isRejected ? [{ role: 'user', text: rejection } as const] : [];
    const reply = fixDiscount({ ...viewOf(exchanges), instructions, messages });
    replies.push(reply);
    if (reply.toolCalls === undefined) return { replies, exchanges };
    for (const { name, input } of reply.toolCalls) {
      const output = await doTool(name, { input, reporter });
      exchanges.push({ id: `call_${exchanges.length}`, name, input, output });
    }
  }
  throw new Error('the script does not end');
}

async function doTool(
  name: string,
  { input, reporter }: { input: Readonly<Record<string, unknown>>; reporter: string },
): Promise<string> {
  const path = join(directory, String(input.path ?? ''));
  if (name === 'list_files') return Object.keys(demoFiles).join('\n');
  if (name === 'read_file') return readFile(path, 'utf8');
  if (name === 'run_command') return runTests(reporter);
  if (name !== 'edit_file') throw new Error(`no such tool: ${name}`);
  const text = await readFile(path, 'utf8');
  expect(text.split(String(input.old_text))).toHaveLength(2);
  await writeFile(path, text.replace(String(input.old_text), String(input.new_text)));
  return 'edited';
}

function runTests(reporter: string): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--test', `--test-reporter=${reporter}`],
      { cwd: directory, env },
      (_error, stdout) => resolve(stdout),
    );
  });
}

function viewOf(exchanges: readonly ToolExchange[]): ConversationView {
  return {
    api: 'chat',
    model: 'm',
    instructions: '',
    messages: [],
    exchanges,
    tools: [],
    turns: exchanges.length,
  };
}

describe('fixDiscount', () => {
  it.each(['spec', 'tap'])(
    'finds a failing test, mends it and sees all tests pass (%s)',
    async (reporter) => {
      const { replies, exchanges } = await play({ reporter });
      expect(exchanges.map(({ name }) => name)).toEqual([
        'list_files',
        'read_file',
        'read_file',
        'run_command',
        'edit_file',
        'run_command',
      ]);
      expect(exchanges[3]?.output).toMatch(/fail 1\b/);
      expect(exchanges[5]?.output).toMatch(/fail 0\b/);
      expect(replies.at(-1)?.text).toContain('All tests pass.');
    },
  );

  it('does not look around where its instructions show the code, and says what stayed unknown', async () => {
    const instructions = `9\t${demoFault.wrong}\n- The login data for the till (impact: unknown)`;
    const { replies, exchanges } = await play({ instructions });
    expect(exchanges.map(({ name }) => name)).toEqual(['run_command', 'edit_file', 'run_command']);
    expect(replies.at(-1)?.text).toContain('its login data could not be found');
  });

  it.each([
    ['before its change', 1],
    ['after its change', 2],
    ['at its last answer', 3],
  ])('rounds once where it hears %s that its assumption is rejected', async (_, rejectedAfter) => {
    const { replies } = await play({ instructions: demoFault.wrong, rejectedAfter });
    expect(replies.at(-1)?.text).toContain('what I had assumed was rejected. All tests pass.');
    const source = await readFile(join(directory, demoFault.file), 'utf8');
    expect(source).toContain(`${demoRounding.onSum};\n${demoFault.wrong}\n}`);
    expect(await readFile(join(directory, demoFault.test), 'utf8')).toContain(demoRounding.test);
  });

  it('says in its first line and at its end that it is a script', async () => {
    const { replies } = await play();
    expect(replies[0]?.text?.split('\n')[0]).toBe(scriptNotice);
    expect(replies.at(-1)?.text).toContain(scriptNotice);
  });

  it('finds the work done when an earlier run did it, and edits nothing again', async () => {
    const source = join(directory, demoFault.file);
    await writeFile(source, (await readFile(source, 'utf8')).replace(demoFault.wrong, demoFault.right));
    const { replies, exchanges } = await play();
    expect(exchanges.map(({ name }) => name)).not.toContain('edit_file');
    expect(replies.at(-1)?.text).toContain('The branch already has the change');
  });

  it('gives up honestly when its change did not help', () => {
    const called = (name: string, output = ''): ToolExchange => ({ id: name, name, input: {}, output });
    const failing = '# fail 1';
    const exchanges = ['list_files', 'read_file'].map((name) => called(name));
    const runs = [called('run_command', failing), called('edit_file'), called('run_command', failing)];
    const reply = fixDiscount(viewOf([...exchanges, ...runs]));
    expect(reply.toolCalls).toBeUndefined();
    expect(reply.text).toContain('The tests still fail');
  });
});
