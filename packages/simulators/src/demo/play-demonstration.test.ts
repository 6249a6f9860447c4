import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { playDemonstration } from './play-demonstration.ts';

/** Plays a daemon that prints what it was given, and does no work. */
const program = `
  const { readFileSync } = require('node:fs');
  const [option, file] = process.argv.slice(1);
  const { platforms } = JSON.parse(readFileSync(file, 'utf8'));
  console.log([option, file, Object.keys(platforms), process.env.GITHUB_TOKEN !== undefined, process.env.NO_PROXY, process.env.LLM_MODEL].join(' '));`;

async function play(options: { readonly verbose?: boolean }) {
  const lines: string[] = [];
  const played = await playDemonstration({
    command: [process.execPath, '-e', program, '--'],
    environment: { LLM_MODEL: 'mine', http_proxy: 'http://127.0.0.1:1', no_proxy: 'example.org' },
    print: (line) => lines.push(line),
    ...options,
  });
  return { ...played, lines };
}

it('starts the command with a configuration and a token, prints its output, reports the issue, and leaves nothing [NX-378]', async () => {
  const { lines, ...played } = await play({ verbose: true });
  const { isFinished, issue, exitCode } = played;
  expect(isFinished).toBe(false);
  expect(exitCode).toBe(0);
  expect(issue.labels).toContain('coding agent');
  const [option, file = '', ...rest] = (lines[0] ?? '').split(' ');
  expect([option, ...rest]).toEqual(['--config', 'github', 'true', 'example.org,127.0.0.1', '']);
  expect(existsSync(dirname(file))).toBe(false);
});

it('prints the issue, and the end of the log only if the issue is not finished [NX-378]', async () => {
  const { lines } = await play({});
  expect(lines.slice(0, 2)).toEqual(['', '@mika opens issue #1: The discount is applied twice']);
  expect(lines.at(-1)).toMatch(/^--config /);
});

it('returns 128 + n if signal n ended the command [NX-378]', async () => {
  const { isFinished, exitCode } = await playDemonstration({
    command: [
      process.execPath,
      '-e',
      "process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 60_000)",
      '--',
    ],
    environment: {},
    print: () => {},
  });
  expect({ isFinished, exitCode }).toEqual({ isFinished: false, exitCode: 130 });
});
