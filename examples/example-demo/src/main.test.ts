// @module-tag full
import { readFileSync } from 'node:fs';
import { demoRounding, scriptNotice } from '@agent/simulators/demo/parts';
import { describe, expect, it } from 'vitest';
import { pictureFile } from './picture/draw-issue.ts';
import { reviewQuestion } from './review/repair-basket.ts';
import { runDemo } from './run-demo.ts';

/** What users see on the issue, and then of the draft, in this order. */
const issueStory = new RegExp(
  [
    '@mika opens issue #1: The discount is applied twice',
    '@shop-agent comments\\n',
    '@shop-agent edits its comment: what it found out\\n',
    '@shop-agent edits its comment: the plan\\n',
    '@mika comments\\n {2}│ /reject A1 Our till rounds once',
    '@shop-agent reacts to the comment with 👀',
    "@shop-agent edits its comment: the plan after @mika's comment\\n",
    '\\n {2}│ ☐ .*Apply the discount once',
    '\\n {2}- ☐ .*Keep rounding per line',
    '\\n {2}\\+ ☐ .*Round once, on the sum',
    '@shop-agent edits its comment: the progress\\n',
    '\\n {2}│ ☑ .*Replace the placeholder with a test',
    '── The draft pull request #2: ',
    '\\n {2}\\+ {2}const sum = ',
    '── Checks ',
    '✔ the tests pass on the branch of the pull request',
    '── Next ',
    'npm run daemon -- init',
  ].join('[\\s\\S]*'),
);

/** What the log shows of the time before the first step, and of the assumption, in this order. */
const story = new RegExp(
  [
    'model +“The goal: Fix “The discount is applied twice”',
    'edits its comment',
    'model +“I need 10 pieces of information',
    'model +“My assumption about “rounding”: per line',
    'edits its comment',
    'model +“My plan has three steps',
    'mika +“/reject A1 ',
    'model +“task_1 failed',
    'model +“My assumption was rejected: the till rounds once',
    'model +“I read src/basket.js',
    'model +“The discount is applied to the sum, once',
    'model +“The test file still contains a placeholder',
    'model +“I replace the placeholder with a real test',
    'model +“Everything is correct',
    'comments on #1: ✅ Task completed',
    '── Issue #1 ──',
    '### 📋 Understanding',
    '➖ Whether discounts are rounded per line or once \\(the assumption was rejected',
    '➖ The login data for the till',
    'Execution Plan \\(Verification Round\\)',
    '@mika:\\n {2}│ /reject A1 ',
  ].join('[\\s\\S]*'),
);

/** What is to be seen of a run that stays with its draft, in this order: each line follows from the one before it. */
const reviewStory = new RegExp(
  [
    'model +“The discount is applied twice\\. I apply it to the sum only',
    'github +opens a pull request',
    'ci +“❌ the check "test" at ',
    'model +“The log of the check shows 1250 instead of 2250',
    'mika +“on line 8: Why on the sum',
    'model +“The reviewer wants the reason in the code',
    'ci +“✅ the check "test" at ',
    'stopped watching pull request {2}end=green',
  ].join('[\\s\\S]*'),
);

/** What stands under a heading, up to the next. */
function sectionOf(output: string, heading: string): string {
  return output.split('\n── ').find((section) => section.startsWith(heading)) ?? '';
}

/** What the agent is told of it, as the demonstration shows it: each thing by its length, all else to the letter. */
const knew = `
  Collected information
  - The files of the repository (codebase, files): 7 lines
  - Where a discount is applied (codebase, discount): 8 lines
  - The code under test (codebase, source): 11 lines
  - The test that the issue names (codebase, test): 18 lines
  - How to run the tests (codebase, setup): 7 lines
  - The unit of amounts (context, units): 4 lines
  - Other issues about discounts (external, others): 3 lines

  Assumptions (not verified)
  - A1 rounding: per line (confidence 60%; `;
const missing = ['- What the tests print now (impact: ', '- The login data for the till (impact: '];

const stories = [
  ['github', 'pull request', 'responses', ['--verbose']],
  ['gitlab', 'merge request', 'chat', ['--gitlab', '--verbose']],
] as const;
const tried = process.env.TEST_RELEASE === '1' ? stories : stories.slice(0, 1);
/** Steps of the plans in the picture of the README. */
const picturedSteps = readFileSync(pictureFile, 'utf8').match(/☐ [^<]+/g) ?? ['no step in the picture'];
/** Lines of the whole output; npm itself prints four more. */
const maxLines = 116;

// At the same time: for half of its time, a story waits.
describe.concurrent('npm start', () => {
  it('shows what users see on the issue, the draft and the checks in 120 lines, and cleans up [PP-27, PP-30, PP-31]', async () => {
    const { code, output, left } = await runDemo([]);
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
    expect(output).toMatch(issueStory);
    expect(output).toContain(scriptNotice);
    for (const step of picturedSteps) expect(output, '`npm run picture` renews the picture').toContain(step);
    expect(output.trimEnd().split('\n').length).toBeLessThanOrEqual(maxLines);
    expect(left).toEqual([]);
  });

  it.for(tried)(
    'shows with --verbose how an issue on %s is understood and becomes a tested %s, over %s, and cleans up [PP-27, PP-30, PP-31]',
    { tags: ['full'] },
    async ([forge, word, api, flags]) => {
      const { code, output, left } = await runDemo(flags, { env: { LLM_API: api } });
      expect(output).not.toContain('✘');
      expect(code).toBe(0);
      expect(output).toMatch(story);
      // The step that depends on the assumption, and the steps after it, are dropped before the next action.
      expect(output).toMatch(/taskId=task_2 {2}action=invalidated[\s\S]*taskId=task_3 {2}action=invalidated/);
      expect(output).not.toMatch(/taskId=task_2 {2}action=started/);
      const section = sectionOf(output, 'What the agent knew before it started to work');
      expect(section).toContain(knew);
      for (const gap of missing) expect(section).toContain(`\n  ${gap}`);
      expect(section).not.toContain('BEGIN TEXT');
      expect(output).not.toMatch(/daemon {2}(?:warning {2})?step \d/);
      expect(output).toContain(`${forge}  opens a ${word}`);
      expect(output).toContain(`${forge}  pushes its branch`);
      expect(output).toContain(`✔ there is exactly one ${word}, a draft that links the issue`);
      expect(output).toContain(scriptNotice);
      expect(output).toContain(`  -  const sum = lines.reduce((total, line) => ${demoRounding.perLine};`);
      expect(output).toContain(`  +  const sum = lines.reduce((total, line) => ${demoRounding.onSum};`);
      expect(output).toMatch(/fail 0$/m);
      expect(left).toEqual([]);
    },
  );

  it('shows a draft whose check fails, a review on a line, both answered, until all is green, and cleans up [NX-233]', {
    tags: ['full'],
  }, async () => {
    const { code, output, left } = await runDemo(['--review', '--verbose']);
    expect(output).not.toContain('✘');
    expect(code).toBe(0);
    expect(output).toMatch(reviewStory);
    expect(output).toContain('waiting for reviews and checks');
    const thread = sectionOf(output, 'The draft pull request #2');
    expect(thread).toMatch(/@mika:\n {2}│ Why on the sum[\s\S]*@shop-agent:\n {2}│ Done in `[0-9a-f]{10}`\./);
    expect(thread).toContain(reviewQuestion.answer);
    expect(output).toContain(`  +${reviewQuestion.wanted.trimEnd()}`);
    expect(output).not.toContain('a deleted account');
    expect(left).toEqual([]);
  });
});

describe('npm start', () => {
  it('explains itself, and what is wrong with its command line', async () => {
    const [help, both, unknown, near, half, missing, other] = await Promise.all([
      runDemo(['--help']),
      runDemo(['--discord', '--gitlab']),
      runDemo(['--review', '--what']),
      runDemo(['--reviews']),
      runDemo([], { env: { LLM_MODEL: 'm' } }),
      runDemo(['--agent', 'opencode'], { env: { OPENCODE_BIN: '/nowhere/opencode' } }),
      runDemo(['--agent', 'other']),
    ]);
    expect(help).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /npm start \[-- --gitlab \| --review \| --discord \| --agent opencode\][\s\S]*a merge request/,
      ),
    });
    expect(both).toMatchObject({
      code: 2,
      output: expect.stringContaining('--gitlab and --discord cannot be combined; choose one'),
    });
    expect(unknown).toMatchObject({ code: 2, output: expect.stringContaining("Unknown option '--what'") });
    expect(near).toMatchObject({ code: 2, output: expect.stringContaining("Unknown option '--reviews'") });
    expect(missing).toMatchObject({
      code: 2,
      output: expect.stringContaining('OPENCODE_BIN names /nowhere/opencode, and there is no such file.'),
    });
    expect(other).toMatchObject({ code: 2, output: expect.stringContaining('not "other"') });
    expect(half).toMatchObject({ code: 2, output: expect.stringContaining('LLM_BASE_URL is not') });
  });
});
