// @module-tag full
import { afterEach, expect, it } from 'vitest';
import { type RehearsalFixture, repository, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

/** Does what the instructions ask for, as a user in the browser. */
function followInstructions({ forge }: RehearsalFixture): (text: string) => void {
  const ids: string[] = [];
  let reference = '';
  return (text) => {
    const [first = '', second = ''] = text.split('\n').map((line) => line.trim());
    if (first.startsWith('→ Open this page')) {
      const query = new URL(second).searchParams;
      const [title, body] = [query.get('title') ?? '', query.get('body')];
      ({ reference } = forge.openIssue({ title, body, labels: [query.get('labels') ?? ''] }));
    }
    if (first.startsWith('→ Comment on'))
      ids.push(forge.comment(reference, { author: 'alice', body: second }));
    if (first.startsWith('→ Edit')) forge.editComment(ids[1] ?? '', second);
    if (first.startsWith('→ Delete')) forge.deleteComment(ids[2] ?? '');
    const [, path, line] = /comment on (\S+):(\d+):/.exec(first) ?? [];
    if (path !== undefined) {
      const draft = forge.changeRequests()[0]?.reference ?? '';
      void forge.reviewLine(draft, { author: 'alice', body: second, path, line: Number(line) });
    }
  };
}

it('rehearses with a user who does each step in the browser', { tags: ['release'] }, async () => {
  const at = await startRehearsalFixture({ forge: 'github' });
  fixture = at;
  const { code, output } = await at.rehearse(
    { personTokenEnv: undefined },
    { prompt: async () => repository, tell: followInstructions(at) },
  );
  expect(
    at.checks.filter(({ status }) => status === 'failed'),
    output,
  ).toEqual([]);
  expect(code).toBe(0);
});
