import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { followSteps, type Script, startScriptedModel, withFinalSummaries } from '@agent/simulators/model';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseTaskFile } from './task-file.ts';

const adapter = fileURLToPath(new URL('adapter.ts', import.meta.url));
const daemon = fileURLToPath(new URL('../../../apps/daemon/src/main.ts', import.meta.url));
const run = promisify(execFile);

let directory: string;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'custom-adapter-')));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const inShop = async (...args: string[]) =>
  (await run('git', ['-C', join(directory, 'shop'), ...args])).stdout.trim();

/** A repository without a forge, and beside it a folder with one task for the agent. */
async function writeWorld(): Promise<void> {
  await run('git', ['init', '--quiet', '--initial-branch=main', join(directory, 'shop')]);
  await writeFile(join(directory, 'shop', 'total.js'), 'export const total = (a, b) => a - b;\n');
  await inShop('add', '.');
  await inShop('-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '-m', 'First');
  await mkdir(join(directory, 'tasks'));
  const task =
    '---\ntitle: The total is wrong\nauthor: ann\nlabels: [bug, coding agent]\n---\n\nIt subtracts.\n';
  const comment = '\n## Comment 1 by @bob at 2026-01-31 09:30\n\nIn total.js, I think.\n';
  await writeFile(join(directory, 'tasks', '0007-wrong-total.md'), task + comment);
}

/** Runs the real daemon once over what is there. */
async function runDaemon(script: Script, options: Record<string, string>) {
  const model = await startScriptedModel({ script: withFinalSummaries(script) });
  const configuration = {
    platforms: { notes: { module: adapter, options: { tasks: 'tasks', ...options } } },
    llm: { base_url: model.baseUrl, model: 'scripted-model', max_retries: 0 },
    planning: { enabled: false },
    tools: { run_command: { sandbox: 'off', allow_root: true } },
  };
  const file = join(directory, 'agent.config.yaml');
  await writeFile(file, stringify(configuration));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(
    process.execPath,
    ['--conditions=@agent/source', daemon, 'run', '--once', '--config', file],
    { env: { PATH, NODE_COMPILE_CACHE, HOME: directory }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  await model.close();
  const text = await readFile(join(directory, 'tasks', '0007-wrong-total.md'), 'utf8');
  return {
    code,
    output,
    task: parseTaskFile(text),
    sent: JSON.stringify(model.requests.map(({ body }) => body)),
  };
}

it('takes a task file to a branch of the repository, a comment in the file and the label done [NX-9]', async () => {
  await writeWorld();
  const edit = { path: 'total.js', old_text: 'a - b', new_text: 'a + b' };
  const script = followSteps([
    { toolCalls: [{ name: 'edit_file', input: edit }] },
    { text: 'total adds now.' },
  ]);
  const { code, output, task, sent } = await runDaemon(script, { repository: 'shop' });
  expect(output).toContain('finished task');
  expect(code).toBe(0);

  const branch = 'agent/issue-7-the-total-is-wrong';
  expect(await inShop('show', `${branch}:total.js`)).toBe('export const total = (a, b) => a + b;');
  expect(await inShop('log', '-1', '--format=%an %s', branch)).toBe('agent Change total.js (#7)');
  expect(await inShop('show', 'main:total.js')).toContain('a - b');
  expect(await inShop('status', '--porcelain')).toBe('');

  expect(task.front.toJS().labels).toEqual(['bug', 'coding agent done']);
  expect(task.comments.map(({ author }) => author?.login)).toEqual(['bob', 'agent']);
  expect(task.comments[1]?.body).toContain('total adds now.');
  expect(task.comments[1]?.body).toContain(`\`${branch}\``);
  expect(sent).toContain('In total.js, I think.');
  expect(sent).toContain('for people to merge');
});

it('answers a task in its file where there is no repository [NX-9]', async () => {
  await writeWorld();
  const tools: (readonly string[])[] = [];
  const script: Script = (view) => {
    tools.push(view.tools);
    return { text: 'It should add.' };
  };
  const { code, task } = await runDaemon(script, {});
  expect(code).toBe(0);
  expect(tools).toEqual([['read_comment', 'read_thread', 'read_output']]);
  expect(task.front.toJS().labels).toEqual(['bug', 'coding agent done']);
  expect(task.comments.at(-1)?.body).toContain('It should add.');
  expect(await inShop('branch', '--list', 'agent/*')).toBe('');
});
