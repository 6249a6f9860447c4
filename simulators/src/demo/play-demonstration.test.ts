import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { playDemonstration } from './play-demonstration.ts';

/** Plays a daemon that says what it was given, and does no work. */
const program = `
  const { readFileSync } = require('node:fs');
  const [option, file] = process.argv.slice(1);
  const { platforms } = JSON.parse(readFileSync(file, 'utf8'));
  console.log([option, file, Object.keys(platforms), process.env.GITHUB_TOKEN !== undefined, process.env.NO_PROXY, process.env.LLM_MODEL].join(' '));`;

it('starts the command with a configuration and a token, hears it, says what stands on the forge, and leaves nothing [NX-378]', async () => {
  const lines: string[] = [];
  const { isFinished, issue, exitCode } = await playDemonstration({
    command: [process.execPath, '-e', program, '--'],
    environment: { LLM_MODEL: 'mine', http_proxy: 'http://127.0.0.1:1', no_proxy: 'example.org' },
    print: (line) => lines.push(line),
  });
  expect(isFinished).toBe(false);
  expect(exitCode).toBe(0);
  expect(issue.labels).toContain('coding agent');
  const [option, file = '', ...rest] = (lines[0] ?? '').split(' ');
  expect([option, ...rest]).toEqual(['--config', 'github', 'true', 'example.org,127.0.0.1', '']);
  expect(existsSync(dirname(file))).toBe(false);
});

it('tells by its exit code that the command was ended by a signal [NX-378]', async () => {
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
