import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const listModules = fileURLToPath(new URL('../support/list-modules.ts', import.meta.url));

interface Failure {
  readonly code: number;
  readonly stderr: string;
}

function agentDaemon(args: readonly string[], environment: Record<string, string> = {}) {
  const node = ['--conditions=@agent/source', '--import', listModules, main, ...args];
  const env = { PATH: process.env.PATH ?? '', ...environment };
  return run(process.execPath, node, { env });
}

const commands = ['run', 'pause', 'resume', 'stop', 'status', 'show', 'doctor', 'init'];

describe('agent-daemon --help', () => {
  it('loads nothing but what parses the command line', async () => {
    const { stderr } = await agentDaemon(['--help']);
    const foreign = stderr.split('\n').filter((line) => line.includes('/node_modules/'));
    expect(foreign.filter((line) => !line.includes('/node_modules/commander/'))).toEqual([]);
    expect(foreign.length).toBeGreaterThan(0);
    expect(stderr).not.toMatch(
      /\/packages\/(?!text\/src\/locale\.ts|orchestrator\/src\/platforms\/names\.ts)|\/config\/|\/doctor\//,
    );
  });

  it('names every command, the exit codes, and examples', async () => {
    const { stdout } = await agentDaemon(['--help']);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toContain('Exit codes:');
    expect(stdout).toContain('Examples:');
  });

  it.each(commands.slice(1))('explains %s in Japanese where LANG says so', async (command) => {
    const { stdout } = await agentDaemon([command, '--help'], { LANG: 'ja_JP.UTF-8' });
    expect(stdout).toMatch(/^使い方: agent-daemon/);
    expect(stdout).toContain('設定ファイル');
  });

  it('is English in any other language, and when nothing is said', { tags: ['full'] }, async () => {
    for (const LANG of ['', 'C', 'de_DE.UTF-8', 'jam']) {
      expect((await agentDaemon(['--help'], { LANG })).stdout).toMatch(/^Usage: agent-daemon/);
    }
  });
});

describe('a command that cannot be carried out', () => {
  it.each([
    [
      ['status', '--config', '/nonexistent/agent.yaml'],
      'There is no configuration at /nonexistent/agent.yaml',
    ],
    [['doctor', '--no-such-option'], 'unknown option'],
    [['stop', '--config', '/nonexistent/agent.yaml'], 'There is no configuration at /nonexistent/agent.yaml'],
    [['show'], "missing required argument 'run'"],
    [['init', '--yes', '--config', '/nonexistent/agent.yaml'], '--repository, --model'],
  ])('%j says why on standard error and ends with 1', { tags: ['full'] }, async (args, why) => {
    const failure = await agentDaemon(args).then(
      () => null,
      (error: Failure) => error,
    );
    expect(failure?.code).toBe(1);
    expect(failure?.stderr).toContain(why);
    expect(failure?.stderr).not.toContain('    at ');
  });
});

describe('a Node that is too old', () => {
  const pretend = (version: string) =>
    `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;

  it.each(['18.20.8', '20.20.2', '22.17.1'])(
    '%s is told in one line which one is needed',
    async (version) => {
      const args = ['--conditions=@agent/source', '--import', pretend(version), main, '--help'];
      const failure = await run(process.execPath, args).catch((error: Failure) => error);
      expect(failure).toMatchObject({
        code: 1,
        stderr: `agent-daemon needs Node 22.18 or newer; this is ${version}.\n`,
        stdout: '',
      });
    },
  );

  it.each(['22.18.0', '23.0.0'])('%s is not', async (version) => {
    const args = ['--conditions=@agent/source', '--import', pretend(version), main, '--help'];
    expect((await run(process.execPath, args)).stdout).toMatch(/agent-daemon/);
  });
});
