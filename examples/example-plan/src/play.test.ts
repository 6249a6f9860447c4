import { expect, it } from 'vitest';
import { play } from './play.ts';

it('an agent plans with any model and tools: an action that fails takes its fallback, and verification has a placeholder taken out', async () => {
  const lines: string[] = [];
  const { files, result } = await play((line) => lines.push(line));
  expect(lines).toMatchInlineSnapshot(`
    [
      "Plan:
      task_1: Write the page.
      task_2: Write the check, and run it.
      task_3: Run the check on the whole.",
      "Phase: execution",
      "  task_1 started",
      "  task_1 succeeded: the tool calls succeeded",
      "  task_2 started",
      "  task_2 failed: "run_check" failed: exit code 1",
      "  task_2 started (attempt 2)",
      "  task_2 succeeded (attempt 2): the tool calls succeeded",
      "  task_3 started",
      "  task_3 succeeded: the tool calls succeeded",
      "Phase: verification",
      "  Verification 1 failed",
      "Phase: revision",
      "  Revision 1, because of the verification: A TODO is left in index.html. index.html:2: an unexplained placeholder",
      "Phase: execution",
      "  verification_fix_1 started",
      "  verification_fix_1 succeeded: the tool calls succeeded",
      "Phase: verification",
      "  Verification 2 passed",
      "Phase: report",
      "Outcome: completed. The page greets the world, and its check passes.",
    ]
  `);
  expect(result).toMatchObject({ kind: 'ended', outcome: { status: 'completed' } });
  expect(result).not.toMatchObject({ outcome: { status: 'partial' } });
  expect([...files.values()].join('\n')).not.toContain('TODO');
});
