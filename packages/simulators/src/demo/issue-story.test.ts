import { expect, it } from 'vitest';
import type { DemoComment, DemoThread } from './demo-forge.ts';
import { createProgressRecord } from './headings-of.ts';
import { createIssueStory } from './issue-story.ts';

const marker = '<!-- agent-comment: run:1:status -->';

/** Starts the story of an issue whose comments the test writes. */
function startStory() {
  const comments: DemoComment[] = [];
  const issue = (): DemoThread => ({
    ...{ reference: '#1', number: 1, title: 'Too dear', body: 'It is.', labels: ['coding agent'] },
    ...{ comments, changeRequest: null },
  });
  const progress = createProgressRecord('shop-agent');
  const told: string[] = [];
  const story = createIssueStory({ issue, progress: progress.versions }, ({ heading, lines }) =>
    told.push(heading, ...lines),
  );
  const write = (author: string, body: string, isSeen = false) => comments.push({ author, body, isSeen });
  const edit = (text: string) => {
    const at = comments.findIndex(({ body }) => body.startsWith(marker));
    const comment = { author: 'shop-agent', body: `${marker}\n${text}`, isSeen: false };
    if (at === -1) comments.push(comment);
    else comments[at] = comment;
    progress.add(issue());
  };
  const take = (): string[] => {
    story.catchUp();
    return told.splice(0);
  };
  return { ...story, write, edit, take };
}

const understood = '### Understanding\n- cheaper';
const plan = '### Plan\n- [ ] **1**: Look\n- [ ] **2**: Guess';

it('tells the states of the comment: at work, what it found out, the plan, the plan after a comment, the end', () => {
  const { begin, edit, write, personSays, take } = startStory();
  begin();
  expect(take()).toEqual(['@mika opens issue #1: Too dear', '│ Labels: coding agent', '│ It is.']);

  edit('🤖 Working since 13:16.\nIt is locked.\n- **State:** running');
  edit('🤖 Working since 13:17.\nIt is locked.\n- **State:** running, 2 calls');
  expect(take()).toEqual(['@shop-agent comments', '│ 🤖 Working since 13:16.', '│ It is locked.']);

  edit(`🤖 Working since 13:17.\n${understood}`);
  expect(take()).toEqual([]);
  edit(`🤖 Working since 13:17.\n${understood}\n${plan}`);
  expect(take()).toEqual([
    ...['@shop-agent edits its comment: what it found out', '│ Understanding', '│ • cheaper'],
    ...['@shop-agent edits its comment: the plan', '│ Plan', '│ ☐ 1: Look', '│ ☐ 2: Guess'],
  ]);

  write('mika', 'No guesses.', true);
  personSays('mika', 'No guesses.');
  expect(take()).toEqual(['@mika comments', '│ No guesses.']);
  edit(`🤖 Working since 13:17.\n${understood}\n### Plan (revised)\n- [ ] **1**: Look\n- [ ] **3**: Ask`);
  expect(take()).toEqual([
    '@shop-agent reacts to the comment with 👀',
    "@shop-agent edits its comment: the plan after @mika's comment",
    ...['│ Plan (revised)', '│ ☐ 1: Look', '- ☐ 2: Guess', '+ ☐ 3: Ask'],
  ]);

  edit(`🤖 Working since 13:17.\n${understood}\n### Plan (done)\n- [x] **1**: Look\n- [x] **3**: Ask`);
  edit(`✅ Finished.\n${understood}\n### Plan (done)\n- [x] **1**: Look\n- [x] **3**: Ask`);
  write('shop-agent', '## Done\nIt is cheaper.\n### Statistics\n- 1');
  expect(take()).toEqual([
    ...['@shop-agent edits its comment: the progress', '│ Plan (done)', '│ ☑ 1: Look', '│ ☑ 3: Ask'],
    ...['@shop-agent edits its comment', '│ ✅ Finished.'],
    ...['@shop-agent comments', '│ Done', '│ It is cheaper.', '│ ▸ Statistics'],
  ]);
});

it('tells a change of state without a plan, and a long section by its first and last line', () => {
  const { edit, personSays, take, write } = startStory();
  edit('🤖 Working.');
  edit('👀 Waiting for reviews.');
  personSays('ci', '❌ test');
  edit('🤖 Working.\n### Information\n- a\n- b\n- c\n- d\n- e');
  write('shop-agent', '## Done');
  expect(take()).toEqual([
    ...[
      '@shop-agent comments',
      '│ 🤖 Working.',
      '@shop-agent edits its comment',
      '│ 👀 Waiting for reviews.',
    ],
    ...['CI reports', '│ ❌ test', '@shop-agent edits its comment', '│ 🤖 Working.'],
    ...['@shop-agent edits its comment: the progress', '│ Information'],
    ...['@shop-agent comments', '│ Done'],
  ]);
});
