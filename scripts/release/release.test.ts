import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../workspace/root.ts';

const workflows = join(repositoryRoot, '.github', 'workflows');
const unit = join(repositoryRoot, 'deploy', 'agent-daemon.service');

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, { readonly permissions: object; readonly needs?: string }>>;
}

describe.each(readdirSync(workflows))('the workflow %s', (name) => {
  const text = readFileSync(join(workflows, name), 'utf8');

  it('is one that the schema of GitHub takes [NX-380]', () => {
    expect(validateWorkflow(text).errors).toEqual([]);
  });

  it('names each action by the hash of a commit [NX-380]', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

describe('the workflow of a release', () => {
  const text = readFileSync(join(workflows, 'release.yml'), 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;

  it('gives a proof of identity to the job that publishes, after the checks, and knows no token [NX-380]', () => {
    expect(permissions).toEqual({});
    expect(jobs.check?.permissions).toEqual({ contents: 'read' });
    expect(jobs.publish).toMatchObject({
      needs: 'check',
      permissions: { contents: 'read', 'id-token': 'write' },
    });
    expect(text).not.toContain('secrets.');
    const publish = readFileSync(join(repositoryRoot, 'scripts/release/publish-new.ts'), 'utf8');
    expect(publish).toContain("'--provenance'");
  });
});

describe('the unit for systemd', () => {
  /** All that it says: of a line that it does not know it only warns. */
  const analyze = (...args: string[]): string => {
    const { error, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    if (error !== undefined) throw error;
    return `${stdout}${stderr}`;
  };
  const isHere = ((): boolean => {
    try {
      return analyze('--version').startsWith('systemd');
    } catch {
      return false;
    }
  })();

  it(`${isHere ? '' : 'NOT SHOWN HERE, there is no systemd-analyze: '}is one that systemd takes, and exposes little [NX-382]`, () => {
    if (!isHere) return;
    const missing = /^.*\/agent-daemon is not executable: No such file or directory\n/m;
    expect(analyze('verify', unit).replace(missing, '')).toBe('');
    const [, exposure] =
      /exposure level for agent-daemon.service: ([\d.]+)/.exec(analyze('security', '--offline=true', unit)) ??
      [];
    expect(Number(exposure)).toBeLessThan(4.5);
  });

  it('gives the token by a file, and takes an end by SIGTERM for a good one [NX-382]', () => {
    const text = readFileSync(unit, 'utf8');
    expect(text).toMatch(/^LoadCredential=GITHUB_TOKEN:/m);
    expect(text).toMatch(/^SuccessExitStatus=143$/m);
    expect(text).toMatch(/^Restart=on-failure$/m);
    expect(text).toMatch(/^TimeoutStopSec=20$/m);
  });
});
