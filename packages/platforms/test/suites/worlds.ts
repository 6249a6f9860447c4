import { contractWorld } from '../../src/testing/index.ts';
import { type GitLabFixture, onGitLab } from '../fixtures/gitlab-fixture.ts';
import { onSimulator, type SimulatorFixture } from '../fixtures/simulator-fixture.ts';
import type { HostedWorld } from './hosted-world.ts';

const { repository } = contractWorld;

/** GitHub on our simulator. */
export const gitHubWorld: HostedWorld<SimulatorFixture> = {
  name: 'GitHub',
  on: onSimulator,
  comments: { path: '/comments', change: 'PATCH' },
  changeRequestPath: '/pulls',
  changeRequests: ({ simulator }) =>
    simulator
      .threads(repository)
      .filter(({ pullRequest }) => pullRequest !== null)
      .map(({ number }) => number),
};

/** GitLab on our simulator. */
export const gitLabWorld: HostedWorld<GitLabFixture> = {
  name: 'GitLab',
  on: (test) => onGitLab(test),
  comments: { path: '/notes', change: 'PUT' },
  changeRequestPath: '/merge_requests',
  changeRequests: ({ simulator }) =>
    simulator
      .threads(repository)
      .filter(({ mergeRequest }) => mergeRequest !== null)
      .map(({ iid }) => iid),
};
