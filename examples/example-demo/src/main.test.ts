import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { startScriptedModel } from 'example-scripted-model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tripNotice } from './discord/plan-trip.ts';
import { scriptNotice } from './fix-discount.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'demo-test-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

/** What a run left in the temporary directory; Node's own cache of compiled modules is meant to stay. */
async function leftovers(): Promise<string[]> {
  return (await readdir(scratch)).filter((name) => name !== 'node-compile-cache');
}

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the demonstration in a process of its own; `onOutput` sees all that it has printed so far. */
function runDemo(
  flags: readonly string[],
  options: {
    readonly env?: NodeJS.ProcessEnv;
    readonly onOutput?: (output: string, pid: number) => void;
  } = {},
): Promise<Run> {
  const { LLM_BASE_URL: _, LLM_MODEL: __, LLM_API: ___, LLM_API_KEY: ____, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--conditions=@agent/source', main, ...flags], {
    env: { ...inherited, TMPDIR: scratch, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      options.onOutput?.(output, child.pid ?? 0);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: stripVTControlCharacters(output) }));
  });
}

describe('npm start', () => {
  it.each([
    ['github', 'pull request', 'responses', []],
    ['github', 'pull request', 'chat', []],
    ['gitlab', 'merge request', 'chat', ['--gitlab']],
  ])('shows an issue on %s become a tested %s, over %s, and cleans up', async (forge, word, api, flags) => {
    const { code, output } = await runDemo(flags, { env: { LLM_API: api } });
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
    expect(output).toContain(`${forge}  opens a ${word}`);
    expect(output).toContain(`${forge}  pushes its branch`);
    expect(output).toContain(`✔ there is exactly one ${word}, a draft that links the issue`);
    expect(output).toContain(scriptNotice);
    expect(output).toMatch(/^ {2}-\s+return takeOff\(sum, percent\);$/m);
    expect(output).toMatch(/^ {2}\+\s+return sum;$/m);
    expect(output).toMatch(/fail 0$/m);
    expect(await leftovers()).toEqual([]);
  });

  it('shows a conversation in Discord that survives a reload and a restart, and cleans up [TC-2, TC-48, TC-55]', async () => {
    const { code, output } = await runDemo(['--discord']);
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
    expect(output).toContain(tripNotice);
    expect(output).toMatch(/alice\s+in #general: “@suzume Plan a Saturday in Kyoto in three lines\.”/);
    expect(output).toMatch(
      /stage\s+LM Studio is reloaded[\s\S]*alice and bob come along; bob does not eat meat/,
    );
    expect(output).toMatch(/the bot is started again[\s\S]*The tickets are brought by bob/);
    expect(output).toContain('✔ each of the five questions has exactly one answer');
    expect(await leftovers()).toEqual([]);
  });

  it('ends the conversation in Discord after Ctrl-C with 130, claims nothing and cleans up', async () => {
    let sent = false;
    const { code, output } = await runDemo(['--discord'], {
      onOutput: (text, pid) => {
        if (sent || !text.includes('the bot is there')) return;
        sent = true;
        process.kill(pid, 'SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(output).not.toContain('As promised?');
    expect(await leftovers()).toEqual([]);
  });

  it('ends after Ctrl-C with 130, claims nothing and cleans up', async () => {
    let sent = false;
    const { code, output } = await runDemo([], {
      onOutput: (text, pid) => {
        if (sent || !/ daemon {2}/.test(text)) return;
        sent = true;
        process.kill(pid, 'SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(output).not.toContain('As promised?');
    expect(await leftovers()).toEqual([]);
  });

  it('claims nothing that did not happen: an endpoint that refuses the key ends it with 1', async () => {
    const endpoint = await startScriptedModel({ script: () => ({ text: 'never' }), apiKey: 'right' });
    try {
      const env = { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'scripted-model', LLM_API_KEY: 'wrong' };
      const { code, output } = await runDemo([], { env });
      expect(code).toBe(1);
      expect(output).toContain('✘ there is exactly one pull request, a draft that links the issue');
      expect(endpoint.requests.length).toBeGreaterThan(0);
    } finally {
      await endpoint.close();
    }
  });

  it('explains itself, and what is wrong with its command line', async () => {
    const [help, both, unknown, half] = await Promise.all([
      runDemo(['--help']),
      runDemo(['--discord', '--gitlab']),
      runDemo(['--what']),
      runDemo([], { env: { LLM_MODEL: 'm' } }),
    ]);
    expect(help).toMatchObject({
      code: 0,
      output: expect.stringMatching(/npm start \[-- --gitlab \| --discord\][\s\S]*a merge request/),
    });
    expect(both).toMatchObject({ code: 2, output: expect.stringContaining('choose one') });
    expect(unknown).toMatchObject({ code: 2, output: expect.stringContaining("Unknown option '--what'") });
    expect(half).toMatchObject({ code: 2, output: expect.stringContaining('LLM_BASE_URL is not') });
  });
});
