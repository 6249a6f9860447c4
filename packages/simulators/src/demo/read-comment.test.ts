import { describe, expect, it } from 'vitest';
import { readComment, stepOf } from './read-comment.ts';

const body = `<!-- agent-comment: run:1:status -->
🤖 Working on it: [log](http://127.0.0.1/log).

### 📋 Plan

#### New plan

- [x] **task_1**: Read \`a.js\`
- [ ] **task_2**: Change it (❌ failed)

*Progress: 1/2*

<details>
<summary>Earlier plans</summary>

- **task_0**: Guess

</details>

## Done
- a
  - b
`;

describe('readComment', () => {
  it('shows a comment as its page does, by section', () => {
    expect(readComment(body)).toEqual([
      { heading: '', lines: ['🤖 Working on it: log.'] },
      {
        heading: '📋 Plan',
        lines: ['New plan', '☑ task_1: Read `a.js`', '☐ task_2: Change it (❌ failed)', 'Progress: 1/2'],
      },
      { heading: 'Done', lines: ['• a', '  • b'] },
    ]);
  });

  it('has no section before a heading that is the first line', () => {
    expect(readComment('<!-- x -->\n## Done\nAll.')).toEqual([{ heading: 'Done', lines: ['All.'] }]);
  });
});

describe('stepOf', () => {
  it.each([
    ['☐ task_2: Change it (❌ failed)', 'task_2: Change it'],
    ['  ☑ Read (twice) a.js', 'Read (twice) a.js'],
    ['• no step', null],
  ])('of “%s” is %s', (line, step) => {
    expect(stepOf(line)).toBe(step);
  });
});
