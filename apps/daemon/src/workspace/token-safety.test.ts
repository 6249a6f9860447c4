import { execFileSync } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../../test/git-server.ts';
import { createGitWorkspaces, type TaskWorkspace } from './git-workspaces.ts';

const token = 'ghp_secret0123456789';
let server: GitServer;
let directory: string;
let cloneUrl: string;

beforeEach(async () => {
  server = await startGitServer({ token });
  directory = await mkdtemp(join(tmpdir(), 'workspaces-'));
  cloneUrl = await server.addRepository('acme/shop', { 'README.md': 'shop\n' });
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

function open(): Promise<TaskWorkspace> {
  return createGitWorkspaces({
    directory: join(directory, 'kept'),
    token: () => token,
    authorName: 'A',
    authorEmail: 'a@example.com',
  }).open({
    uuid: 'run-1',
    host: server.host,
    repositoryPath: 'acme/shop',
    cloneUrl,
    branch: 'agent/1',
    baseBranch: 'main',
  });
}

async function changeAndPush(workspace: TaskWorkspace): Promise<void> {
  await writeFile(join(workspace.path, 'README.md'), `changed ${Math.random()}\n`);
  await workspace.commitAll('change');
  await workspace.push();
}

describe('the token', () => {
  it('logs in, and is in no file, argument or commit afterwards', async () => {
    const commandLines: string[] = [];
    server.intercept = async () => {
      commandLines.push(...(await listCommandLines()));
      return null;
    };
    await changeAndPush(await open());
    expect(server.logins).toContain(`x-access-token:${token}`);
    expect(commandLines.join('\n')).toContain(`push --porcelain`);
    expect(commandLines.join('\n')).not.toContain(token);
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
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
    await workspace.commitAll('change');
    const hook = join(await server.git('acme/shop', 'rev-parse', '--absolute-git-dir'), 'hooks/pre-receive');
    await writeFile(hook, `#!/bin/sh\necho you sent ${token}; exit 1\n`, { mode: 0o755 });
    const failure = await workspace.push().catch((error: Error) => error);
    expect(String(failure)).toContain('you sent ***');
    expect(String(failure)).not.toContain(token);
  });

  it('does not follow a redirect to another host', async () => {
    const other = await listen();
    server.intercept = async () => ({
      status: 302,
      headers: { location: `${other.url}/acme/shop.git/info/refs` },
    });
    await expect(open()).rejects.toMatchObject({ code: 'not-found' });
    expect(other.requests).toEqual([]);
    other.server.close();
  });

  it('gets no askpass helper left behind', async () => {
    await changeAndPush(await open());
    expect((await readdir(join(directory, 'kept'))).filter((name) => name.startsWith('.askpass'))).toEqual(
      [],
    );
  });
});

describe('a git directory that a command has poisoned', () => {
  it('takes the token nowhere and runs nothing', async () => {
    const other = await listen();
    const workspace = await open();
    const mirror = workspace.gitDirectories[0] ?? '';
    const trap = join(directory, 'trap.sh');
    const ran = join(directory, 'ran');
    await writeFile(trap, `#!/bin/sh\necho "$0 $AGENT_GIT_TOKEN" >> ${ran}\ncat\n`, { mode: 0o755 });
    const poison = `
[url "${other.url}/"]
\tinsteadOf = ${server.url}/
\tpushInsteadOf = ${server.url}/
[credential]
\thelper = ${trap}
[core]
\thooksPath = ${directory}/hooks
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
\tpath = ${directory}/more
[extensions]
\tworktreeConfig = true
`;
    await appendFile(join(mirror, 'config'), poison);
    await writeFile(join(mirror, 'worktrees/run-1/config.worktree'), poison);
    await writeFile(join(directory, 'more'), poison);
    await mkdir(join(mirror, 'info'), { recursive: true });
    await writeFile(join(mirror, 'info/attributes'), '* filter=evil\n');
    await writeFile(join(workspace.path, '.gitattributes'), '* filter=evil diff=evil merge=evil\n');
    for (const hooks of [join(mirror, 'hooks'), join(directory, 'hooks')]) {
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
    expect(await server.git('acme/shop', 'rev-list', '--count', 'main..agent/1')).toBe('2');
    await expect(stat(ran)).rejects.toThrow('ENOENT');
    expect(other.requests).toEqual([]);
    other.server.close();
  });

  it('is not believed when the worktree points to a git directory of its own', async () => {
    const workspace = await open();
    const own = join(directory, 'own');
    execFileSync('git', ['init', '--quiet', own]);
    execFileSync('git', ['-C', own, 'config', 'core.fsmonitor', `touch ${directory}/ran`]);
    await rm(join(workspace.path, '.git'));
    await writeFile(join(workspace.path, '.git'), `gitdir: ${own}/.git\n`);
    await writeFile(join(workspace.gitDirectories[0] ?? '', 'worktrees/run-1/commondir'), `${own}/.git\n`);
    await changeAndPush(workspace);
    expect(await server.git('acme/shop', 'rev-list', '--count', 'main..agent/1')).toBe('1');
    await expect(stat(join(directory, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('does not get the token by asking for it from another host', async () => {
    const { withAskpass } = await import('./askpass.ts');
    const answers = await withAskpass(
      { url: new URL('https://example.com/a.git'), credentials: { username: 'x', token }, directory },
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

async function listen(): Promise<{ url: string; requests: string[]; server: Server }> {
  const requests: string[] = [];
  const other = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="mine"' }).end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, requests, server: other };
}

/** What any user of the machine can read of running processes. */
async function listCommandLines(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(read)).map((line) => line.replaceAll('\0', ' '));
}
