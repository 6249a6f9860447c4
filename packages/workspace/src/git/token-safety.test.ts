import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startForeignServer } from '../../test/foreign-server.ts';
import {
  listCommandLines,
  startWorkspaceBed,
  bedToken as token,
  type WorkspaceBed,
} from '../testing/workspace-bed.ts';
import { withAskpass } from './git-environment.ts';
import type { TaskWorkspace } from './git-workspaces.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

const open = () => bed.workspaces().open(bed.task());

async function changeAndPush(workspace: TaskWorkspace): Promise<void> {
  await writeFile(join(workspace.path, 'README.md'), `changed ${Math.random()}\n`);
  await workspace.commitAll(() => 'change');
  await workspace.push();
}

describe('the token', () => {
  it('logs in, and is in no file, argument or commit afterwards', async () => {
    const commandLines: string[] = [];
    bed.server.intercept = async () => {
      commandLines.push(...(await listCommandLines()));
      return null;
    };
    await changeAndPush(await open());
    expect(bed.server.logins).toContain(`x-access-token:${token}`);
    expect(commandLines.join('\n')).toContain(`push --porcelain`);
    expect(commandLines.join('\n')).not.toContain(token);
    const entries = await readdir(bed.directory, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
    expect(files.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes(token))).toEqual([]);
  });

  it('is removed from what git says when it fails', async () => {
    const workspace = await open();
    await writeFile(join(workspace.path, 'README.md'), 'changed\n');
    await workspace.commitAll(() => 'change');
    const hook = join(
      await bed.server.git('acme/shop', 'rev-parse', '--absolute-git-dir'),
      'hooks/pre-receive',
    );
    await writeFile(hook, `#!/bin/sh\necho you sent ${token}; exit 1\n`, { mode: 0o755 });
    const failure = await workspace.push().catch((error: Error) => error);
    expect(String(failure)).toContain('you sent ***');
    expect(String(failure)).not.toContain(token);
  });

  it('does not follow a redirect to another host', async () => {
    const other = await startForeignServer();
    bed.server.intercept = async () => ({
      status: 302,
      headers: { location: `${other.url}/acme/shop.git/info/refs` },
    });
    await expect(open()).rejects.toMatchObject({ code: 'not-found' });
    expect(other.requests).toEqual([]);
    other.close();
  });

  it('gets no askpass helper left behind', async () => {
    await changeAndPush(await open());
    expect(
      (await readdir(join(bed.directory, 'kept'))).filter((name) => name.startsWith('.askpass')),
    ).toEqual([]);
  });
});

describe('a git directory that a command has poisoned', () => {
  it('takes the token nowhere and runs nothing', async () => {
    const other = await startForeignServer();
    const workspace = await open();
    const mirror = workspace.gitDirectories[0] ?? '';
    const trap = join(bed.directory, 'trap.sh');
    const ran = join(bed.directory, 'ran');
    await writeFile(trap, `#!/bin/sh\necho "$0 $AGENT_GIT_TOKEN" >> ${ran}\ncat\n`, { mode: 0o755 });
    const poison = `
[url "${other.url}/"]
\tinsteadOf = ${bed.server.url}/
\tpushInsteadOf = ${bed.server.url}/
[credential]
\thelper = ${trap}
[core]
\thooksPath = ${bed.directory}/hooks
\tfsmonitor = ${trap}
\taskPass = ${trap}
\tpager = ${trap}
\tgitProxy = ${trap}
\tsshCommand = ${trap}
\tworktree = /
[http]
\tproxy = ${other.url}
\tsslVerify = false
[remote "origin"]
\turl = ${other.url}/x.git
[filter "evil"]
\tclean = ${trap}
\tsmudge = ${trap}
[gpg]
\tprogram = ${trap}
[commit]
\tgpgSign = true
[include]
\tpath = ${bed.directory}/more
[extensions]
\tworktreeConfig = true
`;
    await appendFile(join(mirror, 'config'), poison);
    await writeFile(join(mirror, 'worktrees/run-1/config.worktree'), poison);
    await writeFile(join(bed.directory, 'more'), poison);
    await mkdir(join(mirror, 'info'), { recursive: true });
    await writeFile(join(mirror, 'info/attributes'), '* filter=evil\n');
    await writeFile(join(workspace.path, '.gitattributes'), '* filter=evil diff=evil merge=evil\n');
    for (const hooks of [join(mirror, 'hooks'), join(bed.directory, 'hooks')]) {
      await mkdir(hooks, { recursive: true });
      for (const name of [
        'pre-commit',
        'pre-push',
        'post-checkout',
        'reference-transaction',
        'post-index-change',
      ]) {
        await symlink(trap, join(hooks, name));
      }
    }
    await changeAndPush(workspace);
    await changeAndPush(await open());
    expect(await bed.server.git('acme/shop', 'rev-list', '--count', 'main..agent/issue-1-fix')).toBe('2');
    await expect(stat(ran)).rejects.toThrow('ENOENT');
    expect(other.requests).toEqual([]);
    other.close();
  });

  it('is not believed when the worktree points to a git directory of its own', async () => {
    const workspace = await open();
    const own = join(bed.directory, 'own');
    execFileSync('git', ['init', '--quiet', own]);
    execFileSync('git', ['-C', own, 'config', 'core.fsmonitor', `touch ${bed.directory}/ran`]);
    await rm(join(workspace.path, '.git'));
    await writeFile(join(workspace.path, '.git'), `gitdir: ${own}/.git\n`);
    await writeFile(join(workspace.gitDirectories[0] ?? '', 'worktrees/run-1/commondir'), `${own}/.git\n`);
    await changeAndPush(workspace);
    expect(await bed.server.git('acme/shop', 'rev-list', '--count', 'main..agent/issue-1-fix')).toBe('1');
    await expect(stat(join(bed.directory, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('does not get the token by asking for it from another host', async () => {
    const answers = await withAskpass(
      {
        url: new URL('https://example.com/a.git'),
        credentials: { username: 'x', token },
        directory: bed.directory,
      },
      async (variables) =>
        ['https://x@evil.example', 'https://x@example.com.evil', 'https://x@example.com'].map((place) => {
          try {
            const options = {
              env: { ...process.env, ...variables },
              encoding: 'utf8',
              stdio: 'pipe',
            } as const;
            return execFileSync(variables.GIT_ASKPASS ?? '', [`Password for '${place}': `], options).trim();
          } catch {
            return 'refused';
          }
        }),
    );
    expect(answers).toEqual(['refused', 'refused', token]);
  });
});
