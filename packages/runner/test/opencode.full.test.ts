import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFaultyModel } from '@agent/simulators/model';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAcpExecutor, runAgentTask, startAgentProcess } from '../src/executors/index.ts';
import { createMemoryRunJournal } from '../src/index.ts';
import { commentSaying, createInbox, nothingNew, toOutcome } from './run-setup.ts';

const version = '1.18.33';

/** Installed beside the other programs that tests fetch, and once. */
const prefix = fileURLToPath(new URL(`../../../.toolchain/opencode-${version}`, import.meta.url));

const platform = `opencode-${process.platform}-${process.arch}`;

const command = process.env.OPENCODE_BIN ?? join(prefix, 'node_modules', platform, 'bin', 'opencode');

let base: string;

beforeAll(async () => {
  if (existsSync(command)) return;
  const args = ['install', '--ignore-scripts', '--no-audit', '--prefix', prefix, `${platform}@${version}`];
  await promisify(execFile)('npm', args);
}, 600_000);

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'opencode-')));
});

afterEach(() => rm(base, { recursive: true, force: true }));

/** Writes what opencode has to know: one model on loopback, and nothing of the network. */
async function configure(
  baseURL: string,
): Promise<{ directory: string; environment: Record<string, string> }> {
  const [directory, home] = [join(base, 'work'), join(base, 'home')];
  await mkdir(directory);
  await mkdir(home);
  const options = { baseURL, apiKey: 'none' };
  const local = { npm: '@ai-sdk/openai-compatible', options, models: { m: { tool_call: true } } };
  const config = {
    ...{ provider: { local }, model: 'local/m', small_model: 'local/m' },
    ...{ autoupdate: false, share: 'disabled' },
  };
  await writeFile(join(directory, 'opencode.json'), JSON.stringify(config));
  const environment = { HOME: home, PATH: process.env.PATH ?? '', OPENCODE_DISABLE_MODELS_FETCH: '1' };
  return { directory, environment };
}

/** Takes three steps, then says what it heard. */
function startModel() {
  return startFaultyModel(({ body, written }) => {
    const steps = written.split('"role":"tool"').length - 1;
    if (body.tools === undefined || steps >= 3)
      return { kind: 'say', text: written.includes('Use tabs.') ? 'I used tabs.' : 'Done.' };
    const input = JSON.stringify({ command: `sleep 2; echo step ${steps}`, description: 'Takes a step' });
    return { kind: 'call', calls: [{ id: `call-${steps}`, name: 'bash', arguments: input }] };
  });
}

it('has opencode work on a task and hear a comment once, in the middle of its turn and through a kill', async () => {
  const model = await startModel();
  const { directory, environment } = await configure(model.baseUrl);
  const journal = createMemoryRunJournal();
  const comments = createInbox([nothingNew, commentSaying('Use tabs.', 'c1')]);
  const killed = new AbortController();
  const play = (hardSignal?: AbortSignal) =>
    runAgentTask({
      executor: createAcpExecutor({
        start: () =>
          startAgentProcess({
            ...{ command, args: ['acp'], environment, directory },
            graceMs: hardSignal === undefined ? 5_000 : 0,
          }),
        rules: { directory, isSandboxed: true },
      }),
      ...{ journal, comments, hardSignal },
      openConversation: async () => ({
        instructions: 'You mend things.',
        messages: [{ role: 'user', content: 'Mend it.' }],
      }),
      // The moment after it was told, and before it has answered: what only stands in its memory is lost.
      onEvent: (event) => {
        if (event.type === 'comments-delivered') setTimeout(() => killed.abort(), 50);
      },
    });
  expect((await play(killed.signal)).kind).toBe('interrupted');
  const outcome = toOutcome(await play());
  const last = model.requests.filter(({ body }) => body.tools !== undefined).at(-1);
  await model.close();
  expect(outcome).toMatchObject({ status: 'completed', finalText: 'I used tabs.' });
  expect(last?.written.split('Use tabs.')).toHaveLength(2);
  expect(last?.written.split('Mend it.')).toHaveLength(2);
  expect(comments.delivered).toEqual(['c1']);
});
