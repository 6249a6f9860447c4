import { expect, it } from 'vitest';
import { play } from './play.ts';

it('an agent plans with any model and tools: an action that fails takes its fallback, and verification has a placeholder taken out', async () => {
  const lines: string[] = [];
  const { files, result } = await play((line) => lines.push(line));
  expect(lines).toMatchInlineSnapshot(`
    [
      "plan: task_1, task_2, task_3",
      "= execution",
      "task_1 started (attempt 1)",
      "task_1 succeeded (attempt 1) the calls",
      "task_2 started (attempt 1)",
      "task_2 failed (attempt 1) "run_check" failed: exit code 1",
      "task_2 started (attempt 2)",
      "task_2 succeeded (attempt 2) the calls",
      "task_3 started (attempt 1)",
      "task_3 succeeded (attempt 1) the calls",
      "= verification",
      "verification 1: not passed",
      "= revision",
      "revision 1 (verification): A TODO is left in index.html.
    index.html:2: a placeholder that is not explained",
      "= execution",
      "verification_fix_1 started (attempt 1)",
      "verification_fix_1 succeeded (attempt 1) the calls",
      "= verification",
      "verification 2: passed",
      "= report",
      "completed: The page greets the world, and its check passes.",
    ]
  `);
  expect(result).toMatchObject({ kind: 'ended', outcome: { status: 'completed' } });
  expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  expect([...files.values()].join('\n')).not.toContain('TODO');
});
