import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProgram } from './program.ts';
import { en } from './texts.en.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** Output of the command line on both streams. */
async function say(...args: readonly string[]): Promise<{ readonly code: string; readonly said: string }> {
  let said = '';
  const write = (text: string): void => {
    said += text;
  };
  const program = createProgram(en.help);
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: write, writeErr: write });
  }
  const code = await program.parseAsync(['node', 'agent-daemon', ...args]).then(
    () => 'none',
    (error: { code: string }) => error.code,
  );
  return { code, said };
}

describe('the command line', () => {
  it('says its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await say('--version')).toEqual({ code: 'commander.version', said: `${version}\n` });
  });

  it('names the script of the checkout if that started it', async () => {
    vi.stubEnv('npm_lifecycle_event', 'daemon');
    vi.resetModules();
    const { en: texts } = await import('./texts.en.ts');
    const help = createProgram(texts.help)
      .commands.find((one) => one.name() === 'run')
      ?.helpInformation();
    expect(help).toContain('Usage: npm run daemon -- run [options]');
    expect(texts.help.examples).toContain('  npm run daemon -- doctor      Check the setup\n');
    expect(
      [texts.help.examples, texts.asked.pause('3f2a'), texts.budget.retryHint('3f2a')].join(),
    ).not.toContain('agent-daemon');
  });

  it.each([
    ['poll', 'look'],
    ['look', 'look'],
    ['work', 'work'],
  ])('takes %s for the role %s', (given, role) => {
    const run = createProgram(en.help).commands.find((one) => one.name() === 'run');
    expect(run?.options.find(({ long }) => long === '--role')?.parseArg?.(given, undefined)).toBe(role);
  });

  it('names the roles if another one is given', async () => {
    expect((await say('run', '--role', 'sing')).said).toContain('Allowed choices are both, poll, work.');
  });

  it('points to the help of the command that was called wrongly', async () => {
    expect((await say('run', '--onse')).said).toContain(
      '(Run "agent-daemon run --help" to see how to use it.)',
    );
    expect((await say('wander')).said).toContain('(Run "agent-daemon --help" to see how to use it.)');
  });
});
