import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { startScriptedModel, withFinalSummaries } from 'example-scripted-model';
import { describe, expect, it } from 'vitest';
import { demoRounding } from './demo-project.ts';
import { tripNotice } from './discord/plan-trip.ts';
import { fixDiscount, scriptNotice } from './fix-discount.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

interface Run {
  readonly code: number | null;
  readonly output: string;
  /** What it left in the temporary directory; Node's own cache of compiled modules is meant to stay. */
  readonly left: readonly string[];
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Sees all that it has printed so far. */
  readonly onOutput?: (output: string, pid: number) => void;
}

/** Runs the demonstration in a process of its own, with a temporary directory of its own. */
async function runDemo(flags: readonly string[], options: RunOptions = {}): Promise<Run> {
  const scratch = await mkdtemp(join(tmpdir(), 'demo-test-'));
  try {
    const ended = await spawnDemo(flags, { ...options, env: { TMPDIR: scratch, ...options.env } });
    const left = (await readdir(scratch)).filter((name) => name !== 'node-compile-cache');
    return { ...ended, left };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function spawnDemo(flags: readonly string[], { env, onOutput }: RunOptions): Promise<Omit<Run, 'left'>> {
  const { LLM_BASE_URL: _, LLM_MODEL: __, LLM_API: ___, LLM_API_KEY: ____, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--conditions=@agent/source', main, ...flags], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.(output, child.pid ?? 0);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: stripVTControlCharacters(output) }));
  });
}

/** Interrupts it as soon as it has printed this. */
function interruptAt(pattern: RegExp): RunOptions {
  let sent = false;
  return {
    onOutput: (text, pid) => {
      if (sent || !pattern.test(text)) return;
      sent = true;
      process.kill(pid, 'SIGINT');
    },
  };
}

/** What is to be seen of the time before the first step, and of what was assumed then, in this order. */
const story = new RegExp(
  [
    'comments on #1: 🔍 Task Analysis Started',
    'model +“What is wanted: “A discount is taken off twice” is mended',
    'comments on #1: 📋 Task Understood',
    'model +“What has to be known: 10 things',
    'comments on #1: 🗂️ Collecting Information',
    'model +“What may be assumed of “rounding”: line by line',
    'comments on #1: ⚠️ Information Assumed',
    'comments on #1: 📚 Information Collected',
    'model +“The code and its test were collected before I began',
    'mika +“/reject A1 ',
    'the till rounds once',
    'comments on #1: ✅ Task completed',
    '── What the agent knew before it began to work',
    '- codebase, source: \\d+ lines',
    '- A1 rounding: line by line',
    '- The login data for the till \\(impact',
    '── Issue #1, as it stands now',
    '⚠️ Whether a discount is rounded line by line or once \\(assumed\\)',
    '❌ The login data for the till',
    '@mika:\\n {2}│ /reject A1 ',
  ].join('[\\s\\S]*'),
);

// At the same time: for half of its time, a story waits.
describe.concurrent('npm start', { timeout: 120_000 }, () => {
  it.each([
    ['github', 'pull request', 'responses', []],
    ['gitlab', 'merge request', 'chat', ['--gitlab']],
  ])(
    'shows an issue on %s understood and become a tested %s, over %s, and cleans up [PP-27, PP-30, PP-31]',
    async (forge, word, api, flags) => {
      const { code, output, left } = await runDemo(flags, { env: { LLM_API: api } });
      expect(output).not.toContain('✘');
      expect(code).toBe(0);
      expect(output).toMatch(story);
      expect(output).toContain(`${forge}  opens a ${word}`);
      expect(output).toContain(`${forge}  pushes its branch`);
      expect(output).toContain(`✔ there is exactly one ${word}, a draft that links the issue`);
      expect(output).toContain(scriptNotice);
      expect(output).toContain(`  -  const sum = lines.reduce((total, line) => ${demoRounding.perLine};`);
      expect(output).toContain(`  +  const sum = lines.reduce((total, line) => ${demoRounding.onSum};`);
      expect(output).toMatch(/fail 0$/m);
      expect(left).toEqual([]);
    },
  );

  it('shows a conversation in Discord that survives a reload and a restart, and cleans up [TC-2, TC-48, TC-55]', async () => {
    const { code, output, left } = await runDemo(['--discord']);
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
    expect(output).toContain(tripNotice);
    expect(output).toMatch(/alice\s+in #general: “@suzume Plan a Saturday in Kyoto in three lines\.”/);
    expect(output).toMatch(
      /stage\s+LM Studio is reloaded[\s\S]*alice and bob come along; bob does not eat meat/,
    );
    expect(output).toMatch(/the bot is started again[\s\S]*The tickets are brought by bob/);
    expect(output).toContain('✔ each of the five questions has exactly one answer');
    expect(left).toEqual([]);
  });

  it('asks a model that cannot say what it understood for nothing but its work [PP-52]', async () => {
    // It answers the questions before the first step with a wish for tools that it is not offered.
    const endpoint = await startScriptedModel({ script: withFinalSummaries(fixDiscount) });
    try {
      const env = { LLM_BASE_URL: endpoint.baseUrl, LLM_MODEL: 'scripted-model', LLM_API: 'chat' };
      const { code, output } = await runDemo([], { env });
      expect(output).not.toContain('✘');
      expect(code).toBe(0);
      expect(output).toContain(
        '✔ the agent said on the issue what it understood, and then what it collected',
      );
      expect(output).not.toContain('/reject');
      expect(output).toMatch(/^ {2}\+\s+return sum;$/m);
    } finally {
      await endpoint.close();
    }
  });
});

describe('npm start', () => {
  it.each([
    ['', [], / daemon {2}/],
    [' in Discord', ['--discord'], /the bot is there/],
  ])('ends the story%s after Ctrl-C with 130, claims nothing and cleans up', async (_, flags, pattern) => {
    const { code, output, left } = await runDemo(flags, interruptAt(pattern));
    expect(code).toBe(130);
    expect(output).not.toContain('As promised?');
    expect(left).toEqual([]);
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
