// @module-tag full
import { join } from 'node:path';
import { repositoryChecks } from '@agent/rehearsal';
import { compareRehearsal } from '@agent/rehearsal/shapes';
import { afterEach, describe, expect, it } from 'vitest';
import { type RehearsalFixture, repository, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

const expected = {
  github: { webhook: 'not-supported', 'clean-up': 'not-supported' },
  gitlab: {
    conditional: 'not-supported',
    'rate-limit': 'not-supported',
    webhook: 'not-supported',
    'clean-up': 'not-supported',
  },
} as const;

describe.each(['github', 'gitlab'] as const)('agent-daemon rehearse on %s', (forge) => {
  // Waits are those of a real daemon.
  it('passes, and removes what it created', { timeout: 600_000 }, async () => {
    fixture = await startRehearsalFixture({ forge, hangs: true });
    const { code, output } = await fixture.rehearse();
    const statuses = Object.fromEntries(fixture.checks.map(({ name, status }) => [name, status]));
    const passed = Object.fromEntries(repositoryChecks.map((name) => [name, 'passed']));
    expect(statuses, output).toEqual({ ...passed, ...expected[forge] });
    expect(code).toBe(0);
    expect(fixture.checkOf('stop')?.text).toMatch(
      /stopped [\d.]+ s after the comment, in the middle of a step/,
    );
    expect(await fixture.forge.branches()).toEqual(['main']);
    expect(fixture.forge.threads().filter(({ state }) => state === 'open')).toEqual([]);
    if (forge === 'github') {
      const headers = { authorization: `Bearer ${fixture.environment.PERSON_TOKEN}` };
      const comments = await fetch(`${fixture.forge.url}/repos/${repository}/pulls/comments`, { headers });
      expect(await comments.json()).toEqual([]);
    }
    expect(await fixture.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
    const lines: string[] = [];
    const file = join(fixture.directory, 'rehearsal.json');
    const compared = await compareRehearsal(file, { environment: {}, print: (line) => lines.push(line) });
    expect(lines.join('\n')).toContain('No differences found.');
    expect(compared).toBe(0);
    expect(Number(/^Compared (\d+) kinds/.exec(lines[0] ?? '')?.[1])).toBeGreaterThan(35);
  });
});
