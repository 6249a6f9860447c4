import { describe, expect, it } from 'vitest';
import { describeWrite } from './describe-write.ts';
import type { ObservedWrite } from './observed-write.ts';

const writes: Readonly<Record<ObservedWrite['write'], ObservedWrite>> = {
  comment: { write: 'comment', topic: 'run:1:final', body: 'Done.\n\nAll of it.', internal: false },
  edit: { write: 'edit', commentId: '7', topic: 'run:1:status', body: 'Ended.' },
  removal: { write: 'removal', commentId: '7' },
  reaction: { write: 'reaction', commentId: '7', meaning: 'seen' },
  label: { write: 'label', change: 'remove', label: 'agent' },
  assignment: { write: 'assignment', change: 'remove', login: 'robot' },
  draft: {
    ...{ write: 'draft', number: null, url: null, headBranch: 'agent/issue-1', baseBranch: 'main' },
    ...{ title: 'Fix the total', body: 'Closes #1' },
  },
  'review-request': { write: 'review-request', number: 0, login: 'alice' },
  'review-answer': { write: 'review-answer', reviewThread: 'T1', body: 'So.' },
  'review-resolution': { write: 'review-resolution', reviewThread: 'T1' },
  'check-rerun': { write: 'check-rerun', check: 'C1' },
  'repository-label': { write: 'repository-label', repository: 'acme/shop', label: 'agent' },
  push: {
    ...{ write: 'push', repository: 'acme/shop', branch: 'agent/issue-1' },
    commits: [{ sha: '0601e22976aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', message: 'Change total.js' }],
    files: [{ path: 'total.js', change: 'modified' }],
  },
};

const page = 'https://example.com/acme/shop/issues/1';
const tell = (observed: ObservedWrite, locale: 'en' | 'ja') =>
  describeWrite({ host: 'example.com', thread: page, observed }, locale);

describe('describeWrite', () => {
  it('names each kind of write and its place in both languages', () => {
    for (const observed of Object.values(writes)) {
      const place = 'repository' in observed ? 'example.com/acme/shop' : page;
      const heads = [tell(observed, 'en').head, tell(observed, 'ja').head];
      for (const head of heads) expect(head).toContain(place);
      expect(heads[0]).toMatch(/^would /);
      expect(heads[1]).not.toBe(heads[0]);
    }
  });

  it('shows texts, commits and files whole', () => {
    expect(tell(writes.comment, 'en').content).toBe('Done.\n\nAll of it.');
    expect(tell(writes.draft, 'en').content).toBe('Title: Fix the total\n\nCloses #1');
    expect(tell(writes.push, 'en').content).toBe('0601e22976 Change total.js\n\nmodified total.js');
    expect(tell(writes.label, 'en')).toEqual({
      head: `would remove the label "agent" from ${page}`,
      content: '',
    });
  });

  it('tells an internal note from a comment, and a changed text from a new draft', () => {
    const note = tell({ ...writes.comment, internal: true } as ObservedWrite, 'en');
    expect(note.head).toBe(`would write an internal note on ${page} (run:1:final):`);
    const url = 'https://example.com/acme/shop/-/merge_requests/4';
    const changed = tell({ ...writes.draft, number: 4, url } as ObservedWrite, 'en');
    expect(changed.head).toBe(`would change the text of ${url} for ${page}, agent/issue-1 → main:`);
    expect(changed.content).toBe('Closes #1');
  });
});
