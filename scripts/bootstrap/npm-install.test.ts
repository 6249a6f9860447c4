import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../workspace/root.ts';

it.each(['install', 'i'])(
  'npm %s in a fresh clone names the command that works, and writes nothing',
  (command) => {
    const clone = mkdtempSync(join(tmpdir(), 'agent-npm-install-'));
    try {
      for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
        cpSync(join(repositoryRoot, name), join(clone, name));
      const before = readdirSync(clone);
      const { status, stderr } = spawnSync('npm', [command, '--offline'], { cwd: clone, encoding: 'utf8' });
      expect(stderr).toContain('This is a pnpm workspace. Use `npm start`: it installs what it needs.');
      expect(stderr).not.toContain('Unsupported URL Type');
      expect(status).toBe(1);
      expect(readdirSync(clone)).toEqual(before);
    } finally {
      rmSync(clone, { recursive: true, force: true });
    }
  },
);
