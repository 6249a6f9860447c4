import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createProgram } from './program.ts';
import { en } from './texts.en.ts';

/** What the command line says on both streams before it ends. */
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

  it('points to the help of the command that was called wrongly', async () => {
    expect((await say('run', '--onse')).said).toContain('(agent-daemon run --help shows what there is)');
    expect((await say('wander')).said).toContain('(agent-daemon --help shows what there is)');
  });
});
