import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Octokit } from '@octokit/rest';

/** Access to a repository on GitHub. */
export interface ChangelogOptions {
  /** `https://api.github.com`; for GitHub Enterprise its address. */
  readonly apiUrl: string;
  /** `https://github.com` */
  readonly webUrl: string;
  readonly token: string;
  readonly owner: string;
  readonly repo: string;
  /** Waits between two attempts. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const branch = 'changelog';

/** Writes the closed issues into CHANGELOG.md, on a branch, and proposes it. @returns the number of the pull request */
export async function proposeChangelog(options: ChangelogOptions): Promise<number> {
  const { owner, repo, apiUrl, token } = options;
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const octokit = new Octokit({ baseUrl: apiUrl, auth: token, log });
  const issues = await retry(options, () =>
    octokit.paginate(octokit.rest.issues.listForRepo, { owner, repo, state: 'closed', per_page: 100 }),
  );
  const lines = issues
    .filter(({ pull_request: pull }) => pull === undefined)
    .map(({ number, title }) => `- ${title} (#${number})`);
  await pushFile(options, `# Changelog\n\n${lines.join('\n')}\n`);
  return retry(options, async () => {
    // An attempt whose answer was lost may have made it already.
    const { data: open } = await octokit.rest.pulls.list({ owner, repo, head: `${owner}:${branch}` });
    if (open[0] !== undefined) return open[0].number;
    const wanted = { owner, repo, head: branch, base: 'main', title: 'Changelog' };
    return (await octokit.rest.pulls.create(wanted)).data.number;
  });
}

const attempts = 4;

/** Tries again what a server or a connection refused for a moment; waits as long as the server asks. */
async function retry<Result>(
  { sleep }: Pick<ChangelogOptions, 'sleep'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { status = 0, response } = error as {
        readonly status?: number;
        readonly response?: { readonly headers: Readonly<Record<string, string | undefined>> };
      };
      const asked = response?.headers['retry-after'];
      const isRefused = status >= 400 && status < 500 && asked === undefined;
      if (isRefused || attempt === attempts) throw error;
      await sleep(asked === undefined ? 2 ** attempt * 100 : Number(asked) * 1000);
    }
  }
}

async function pushFile({ webUrl, token, owner, repo }: ChangelogOptions, text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'changelog-'));
  const git = (...args: string[]) => promisify(execFile)('git', ['-C', folder, ...args]);
  const remote = `${webUrl}/${owner}/${repo}.git`.replace('://', `://x-access-token:${token}@`);
  try {
    await git('clone', '--quiet', '--depth', '1', remote, '.');
    await git('checkout', '--quiet', '-b', branch);
    await writeFile(join(folder, 'CHANGELOG.md'), text);
    await git('add', 'CHANGELOG.md');
    await git(
      '-c',
      'user.name=Changelog',
      '-c',
      'user.email=changelog@example.com',
      'commit',
      '-qm',
      'Changelog',
    );
    await git('push', '--quiet', '--force', 'origin', branch);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
