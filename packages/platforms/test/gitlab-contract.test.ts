import {
  commentSourceContract,
  commentWriterContract,
  labelEditorContract,
  platformContract,
  toPortFixtures,
} from '../src/testing/index.ts';
import { createGitLabFixture } from './fixtures/gitlab-fixture.ts';

platformContract({ name: 'GitLab on our simulator', create: () => createGitLabFixture() });

platformContract({
  name: 'GitLab below a path, with notes of every event',
  create: () => createGitLabFixture({ relativeUrlRoot: '/gitlab', eventsAsNotes: true }),
});

const name = 'GitLab on our simulator, on a merge request,';

/** The same suites on a thread of the other kind. */
async function createMergeRequestFixture() {
  const fixture = await createGitLabFixture();
  const opening = { author: 'alice', title: 'Contract', headBranch: 'contract' };
  const key = await fixture.people.openPullRequest(opening);
  return { ports: toPortFixtures({ ...fixture, key }), close: fixture.close };
}

commentSourceContract({
  name,
  create: async () => {
    const { ports, close } = await createMergeRequestFixture();
    return { ...ports.commentSource, close };
  },
});

commentWriterContract({
  name,
  create: async () => {
    const { ports, close } = await createMergeRequestFixture();
    return { ...ports.commentWriter, close };
  },
});

labelEditorContract({
  name,
  create: async () => {
    const { ports, close } = await createMergeRequestFixture();
    return { ...ports.labelEditor, close };
  },
});
