// @module-tag full
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sampleOf } from '../support/samples.ts';
import { type RehearsalFixture, startRehearsalFixture } from './rehearsal-fixture.ts';
import { rehearseInProcess } from './rehearse-in-process.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

const started = /✓ start of the run/;

describe('agent-daemon rehearse', () => {
  it.each(sampleOf(['SIGINT', 'SIGHUP'] as const, (signal) => signal === 'SIGINT'))(
    'removes what it created after %s, and exits with 130',
    async (signal) => {
      fixture = await startRehearsalFixture({ forge: 'github' });
      const { code, output } = await rehearseInProcess(fixture, [{ after: started, signal }]);
      expect(code, output).toBe(130);
      expect(output).toContain('Interrupted.');
      expect(output).toContain('issue #1 (closed)');
      expect(fixture.forge.threads().map(({ state }) => state)).toEqual(['closed']);
      expect(await fixture.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
    },
  );

  it('ends its daemon, removes its files and lists the rest at the second Ctrl-C', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'second-signal-'));
    fixture = await startRehearsalFixture({ forge: 'github', environment: { TMPDIR: directory } });
    const { code, output } = await rehearseInProcess(fixture, [
      { after: started, signal: 'SIGINT' },
      { after: /Interrupted/, signal: 'SIGINT' },
    ]);
    expect(code, output).toBe(130);
    expect(output).toMatch(/Not removed:\n {2}issue #1: http.*\/acme\/shop\/issues\/1\n/);
    expect(output).toMatch(/branch .*agent\//);
    expect(output).toContain('label "agent rehearsal"');
    expect(await fixture.listFiles()).toEqual(['agent.config.yaml']);
    const rest = (await readdir(directory)).filter((name) =>
      /^(?:agent-rehearsal|rehearsal-shapes)-/.test(name),
    );
    expect(rest).toEqual([]);
    const ownFile = join(fixture.directory, '.agent-rehearsal-');
    await vi.waitFor(async () => {
      const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args']);
      expect(stdout).not.toContain(ownFile);
    });
    await rm(directory, { recursive: true, force: true });
  });
});
