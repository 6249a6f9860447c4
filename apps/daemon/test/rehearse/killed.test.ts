// @module-tag full
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLabel, rehearsalLabels } from '../../src/rehearse/rehearsal-config.ts';
import { type RehearsalFixture, repository, startRehearsalFixture } from './rehearsal-fixture.ts';
import { rehearseInProcess } from './rehearse-in-process.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

/** Kills a rehearsal in the middle. @returns what it leaves on this machine */
async function killRehearsal(at: RehearsalFixture) {
  const { code, output } = await rehearseInProcess(at, [{ after: /✓ start of the run/, signal: 'SIGKILL' }]);
  expect(code, output).toBeNull();
  const name = (await at.listFiles()).find((one) => one.startsWith('.agent-rehearsal-')) ?? '';
  const file = join(at.directory, name);
  const [, directory = ''] = /"directory":"([^"]+)"/.exec(await readFile(file, 'utf8')) ?? [];
  return { file, directory };
}

describe('agent-daemon rehearse', () => {
  it('removes files and labels of a rehearsal that was killed', { timeout: 300_000 }, async () => {
    const at = await startRehearsalFixture({ forge: 'github' });
    fixture = at;
    const { file, directory } = await killRehearsal(at);
    expect(existsSync(directory)).toBe(true);
    // The daemon of the killed rehearsal ends by itself.
    await vi.waitFor(
      async () => {
        const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args']);
        expect(stdout).not.toContain(file);
      },
      { timeout: 30_000, interval: 200 },
    );

    const { output: first } = await at.rehearse();
    expect(at.checkOf('single')?.text, first).toContain(`/${repository}/issues/1`);
    expect(first).toContain(file);
    expect(existsSync(directory)).toBe(false);
    expect(await at.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);

    at.forge.close('#1');
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'labels') ended.abort(new Error('interrupted'));
    };
    const { output: second } = await at.rehearse({}, { signal: ended.signal, onResult });
    const headers = { authorization: `Bearer ${at.environment.PERSON_TOKEN}` };
    const answer = await fetch(`${at.forge.url}/repos/${repository}/labels?per_page=100`, { headers });
    const names = ((await answer.json()) as { readonly name: string }[]).map(({ name }) => name);
    expect(
      names.filter((name) => [openLabel, ...Object.values(rehearsalLabels)].includes(name)),
      second,
    ).toEqual([]);
  });

  it('leaves the files of a rehearsal at work', { timeout: 300_000 }, async () => {
    const at = await startRehearsalFixture({ forge: 'github' });
    fixture = at;
    const ended = new AbortController();
    let files: readonly string[] = [];
    let again: Promise<unknown> | null = null;
    const onResult = ({ name }: { readonly name: string }) => {
      if (name !== 'start' || again !== null) return;
      again = at.rehearse().then(async () => {
        files = await at.listFiles();
        ended.abort(new Error('seen'));
      });
    };
    await at.rehearse({}, { signal: ended.signal, onResult });
    await again;
    expect(files.filter((name) => name.startsWith('.agent-rehearsal-'))).toHaveLength(1);
  });
});
