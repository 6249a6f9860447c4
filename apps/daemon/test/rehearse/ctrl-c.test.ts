// @module-tag full
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { findProgram } from '../support/daemon-programs.ts';
import { type RehearsalBed, repository, startRehearsalBed } from './rehearsal-bed.ts';

let bed: RehearsalBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

it('removes what the command created after Ctrl-C, and exits with 130', async () => {
  bed = await startRehearsalBed({ forge: 'github' });
  const { nodeArguments, environment } = findProgram('main');
  const options = ['--repository', repository, '--person-token-env', 'PERSON_TOKEN', '--yes', repository];
  const files = ['--config', bed.configFile, '--output', bed.directory];
  const child = spawn(process.execPath, [...nodeArguments, 'rehearse', ...options, ...files], {
    env: { ...environment, ...bed.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/✓ start of the run/.test(output) && !child.killed) child.kill('SIGINT');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, output).toBe(130);
  expect(output).toContain('Interrupted.');
  expect(output).toContain('issue #1 (closed)');
  expect(bed.forge.threads().map(({ state }) => state)).toEqual(['closed']);
  expect(await bed.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
});
