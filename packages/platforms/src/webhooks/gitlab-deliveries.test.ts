import { expect, it } from 'vitest';
import { onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { createGitLabOrigin } from './index.ts';

type Deliver = (happening: object) => Promise<unknown>;
const project = 'octo/hello';

it('reads deliveries about reviews and checks as the server sends them [NX-193]', () =>
  onGitLab(async ({ simulator, projectId, people }) => {
    const origin = createGitLabOrigin({ token: 'webhook token' });
    const deliver: Deliver = async (happening) => {
      const given = { project, ...happening } as Parameters<typeof simulator.composeDelivery>[0];
      const { headers, body } = simulator.composeDelivery(given, 'webhook token');
      const text = await origin.open({ header: (name) => headers[name], body });
      return origin.parse(headers['x-gitlab-event'] ?? '', JSON.parse(text ?? 'null'));
    };
    await simulator.ci.answer(project, () => [{ name: 'test', conclusion: 'failure', takesMs: 30_000 }]);
    const files = { 'new.txt': 'one\n' };
    const seed = { project, author: 'agent', title: 'New', sourceBranch: 'new', files };
    const { iid: mrIid, reference } = await simulator.openMergeRequest(seed);
    const key = { type: 'gitlab_merge_request', projectId, mrIid };
    const line = { project, reference, author: 'alice', body: 'Why?', path: 'new.txt', line: 1 };
    const noteId = await simulator.reviews.comment(line);

    const note = { event: 'note', noteId, action: 'create' };
    expect(await deliver(note)).toMatchObject({
      rings: [{ key, commentId: `line-${noteId}` }],
      texts: ['Why?'],
    });
    const anything = { rings: [{ key, commentId: null, deleted: false }] };
    const approval = { event: 'approval', reference, action: 'approval', by: 'alice' };
    expect(await deliver(approval)).toMatchObject(anything);
    const before = 'f'.repeat(40);
    expect(await deliver({ event: 'thread', reference, action: 'update', before })).toMatchObject(anything);
    const sha = await simulator.push({
      project,
      branch: 'new',
      author: 'agent',
      files: { 'new.txt': 'two\n' },
    });
    expect(await deliver({ event: 'pipeline', sha })).toMatchObject({ kind: 'ignored' });
    await people.passTime(60);
    expect(await deliver({ event: 'pipeline', sha })).toMatchObject(anything);
    // A job does not say which merge request it is of: its pipeline does.
    expect(await deliver({ event: 'job', sha, name: 'test' })).toMatchObject({ kind: 'ignored' });
  }));
