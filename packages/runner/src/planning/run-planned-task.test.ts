import { describe, expect, it } from 'vitest';
import { createPlanner, planForTest, planOf } from '../../test/plan-setup.ts';
import { createTool } from '../../test/run-setup.ts';

describe('runPlannedTask', () => {
  it('plans, carries out one action after the other and reports in prose', async () => {
    const tool = createTool((text) => `did ${text}`);
    const { result, events } = await planForTest({
      model: createPlanner(planOf('a', 'b')),
      tools: { work: tool },
    });
    expect(result).toMatchObject({
      kind: 'ended',
      outcome: { status: 'completed', finalText: 'All is done.' },
    });
    expect(tool.calls).toEqual(['a', 'b']);
    expect(events).toMatchInlineSnapshot(`
      [
        "before_planning: go",
        "plan",
        "after_planning: go",
        "= execution",
        "before_action: go",
        "task_1 started (1)",
        "before_iteration: go",
        "task_1 succeeded (1)",
        "before_action: go",
        "task_2 started (1)",
        "before_iteration: go",
        "task_2 succeeded (1)",
        "before_iteration: go",
        "= report",
        "before_iteration: go",
        "before_finish: go",
      ]
    `);
  });
});
