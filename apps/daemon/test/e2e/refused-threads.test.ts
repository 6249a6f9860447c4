// @module-tag full
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { type GitLabForge, gitLabToken } from '../support/gitlab-forge.ts';
import { forgesToTry } from '../support/samples.ts';
import { projectFiles, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

describe.each(forgesToTry('gitlab'))('a request from a fork, on %s', (name) => {
  it('is sent back with one comment before any work, and is not begun again [NX-29]', async () => {
    world = await startWorld({ script: fixScript, forges: [name] });
    const { forge } = world;
    const { reference } = await forge.openFromFork({
      title: 'Mend the total',
      body: 'From my fork.',
      labels: ['coding agent'],
      headBranch: 'bob/total',
      files: { 'NOTES.md': 'Bob was here.\n' },
    });
    for (let start = 0; start < 2; start += 1) {
      expect((await startDaemonProcess(world.configFile).exited).code).toBe(0);
    }
    const { labels, comments } = forge.thread(reference);
    expect(labels).toEqual(['coding agent failed']);
    expect(comments).toMatchObject([{ author: 'robot', body: expect.stringMatching(/is in a fork.*add/s) }]);
    expect(world.model.requests).toEqual([]);
  });
});

const secret = 'Customer Miller pays late';

/** A world on GitLab whose project has this visibility, with a confidential issue in it. */
async function startConfidential(visibility: 'public' | 'internal' | 'private', settings = '') {
  world = await startWorld({ script: fixScript, forges: ['gitlab'] });
  const { simulator } = world.forge as GitLabForge;
  const project = 'acme/open';
  const members = { robot: 'developer', alice: 'maintainer' } as const;
  await simulator.addProject({ path: project, visibility, files: projectFiles, members });
  simulator.addUser({ username: 'outsider' });
  simulator.addToken({ token: 'of-the-outsider', username: 'outsider' });
  const config = await readFile(world.configFile, 'utf8');
  await writeFile(
    world.configFile,
    config.replace(/^( *)projects:\n *- acme\/shop$/m, `$1projects: [${project}]${settings}`),
  );
  const issue = { project, author: 'alice', title: secret, description: `${secret}, she says.` };
  simulator.openIssue({ ...issue, labels: ['coding agent'], confidential: true });
  const { code } = await startDaemonProcess(world.configFile).exited;
  expect(code).toBe(0);
  const read = async (path: string, token: string): Promise<string> => {
    const address = `${simulator.url}/api/v4/projects/${encodeURIComponent(project)}/${path}`;
    return (await fetch(address, { headers: { 'private-token': token } })).text();
  };
  const requests = simulator.threads(project).filter(({ mergeRequest }) => mergeRequest !== null);
  return { issue: simulator.thread(project, '#1'), requests, read };
}

describe('a confidential issue', () => {
  it.each(['public', 'internal'] as const)(
    'of a project that is %s is sent back, and an outsider learns nothing of it [NX-27]',
    async (visibility) => {
      const { issue, read } = await startConfidential(visibility);
      expect(issue.labels).toEqual(['coding agent failed']);
      const [comment] = issue.notes.filter(({ author }) => author === 'robot');
      expect(comment?.body).toContain('This issue is confidential');
      expect(world?.model.requests).toEqual([]);
      for (const path of ['merge_requests', 'repository/branches', 'repository/commits?all=true']) {
        expect(await read(path, 'of-the-outsider')).not.toMatch(/miller|agent/iu);
      }
    },
  );

  it('that is allowed shows outsiders its number and the changes, and no word of it [NX-27]', async () => {
    const { issue, requests, read } = await startConfidential('public', '\n    confidential_issues: allow');
    expect(issue.labels).toEqual(['coding agent done']);
    expect(requests).toMatchObject([{ title: expect.stringContaining('#1') }]);
    const commits = 'repository/commits?ref_name=agent/issue-1-task';
    for (const path of ['merge_requests', 'repository/branches', commits]) {
      const seen = await read(path, 'of-the-outsider');
      expect(seen).toMatch(/agent\/issue-1-task|Change total.js \(#1\)/);
      expect(seen).not.toMatch(/miller|counts quantities/iu);
    }
    expect(await read('issues/1/notes', gitLabToken)).toContain('total counts quantities now');
  });

  it('of a private project is worked on, because whoever reads the branch reads the issue [NX-27]', async () => {
    const { issue, requests } = await startConfidential('private');
    expect(issue.labels).toEqual(['coding agent done']);
    expect(requests).toHaveLength(1);
  });
});
