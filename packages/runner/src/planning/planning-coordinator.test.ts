import { describe, expect, it } from 'vitest';
import { createLog } from '../../test/log.ts';
import { createPlanner, planOf } from '../../test/plan-setup.ts';
import { commentSaying, createInbox, createTool, nothingNew } from '../../test/run-setup.ts';
import { createMemoryRunJournal, type RunTaskOptions } from '../index.ts';
import type { PlannedAction } from './model.ts';
import { PlanningCoordinator, type PlanningCoordinatorOptions } from './planning-coordinator.ts';
import type { PlanningRequest, PrePlanningPhase } from './pre-planning-phase.ts';

function setUp(
  options: Omit<PlanningCoordinatorOptions, 'task'> = {},
  steering: Pick<RunTaskOptions, 'signals'> = {},
) {
  const log = createLog();
  const journal = createMemoryRunJournal();
  const tool = createTool(() => 'done');
  const task = {
    ...steering,
    model: createPlanner(planOf('a', 'b')),
    tools: { work: tool },
    journal,
    logger: log.logger,
    openConversation: async () => ({
      instructions: 'You mend things.',
      messages: [{ role: 'user' as const, content: 'Mend it.' }],
    }),
  };
  const planning = { verification: { enabled: false }, reflection: { enabled: false } };
  return { coordinator: new PlanningCoordinator({ planning, ...options, task }), journal, tool, log };
}

const action: PlannedAction = {
  ...{ task_id: 'task_1', action_type: 'tool_call', tool: 'work', parameters: {} },
  ...{ purpose: 'Do it.', expected_outcome: 'It is done.', fallback_strategy: null },
};

const history = {
  continuable: async () => null,
  forPlan: () => 'Planned once.',
  forAction: () => 'It worked by work.',
  forReflection: () => '',
  forVerification: () => '',
};

describe('PlanningCoordinator', () => {
  it('begins without a manager of comments, whose check does nothing then [CD-38]', async () => {
    const { coordinator, log } = setUp();
    expect(coordinator.commentDetectionManager).toBeNull();
    expect(await coordinator.checkAndAddNewComments({ barrier: false })).toEqual({
      status: 'checked',
      delivery: null,
    });
    expect(log.lines).toEqual([]);
  });

  it('looks after each check for pause and stop, adds what was said and logs it, once its manager is set [CD-38]', async () => {
    const { coordinator, journal, log } = setUp();
    const inbox = createInbox([commentSaying('In euros!', 'c1')]);
    coordinator.commentDetectionManager = inbox;
    const { planning } = await coordinator.executeWithPlanning();
    expect([...planning.tasks.values()].map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect(inbox.delivered).toEqual(['c1']);
    expect(journal.entries).toContainEqual(
      expect.objectContaining({
        message: { role: 'user', content: 'In euros!' },
        delivers: [expect.anything()],
      }),
    );
    expect(log.lines.map(({ message }) => message)).toContain('added comments to planning');
  });

  it('runs its pre-planning before the plan, whose prompt holds what was found out', async () => {
    const asked: unknown[] = [];
    const prePlanningManager = { execute: async (options: unknown) => `found ${asked.push(options)}` };
    const { coordinator, journal } = setUp({ prePlanningManager });
    expect(coordinator.prePlanningManager).toBe(prePlanningManager);
    await coordinator.executeWithPlanning();
    const said = journal.entries.flatMap((entry) =>
      entry.type === 'message' ? [entry.message.content] : [],
    );
    expect(said.slice(1, 3)).toEqual(['found 1', 'Mend it.']);
    expect(asked).toHaveLength(1);
  });

  it('loads what earlier runs planned, builds the prompt with it, judges whether it goes on, and merges what was learned [CI-83]', async () => {
    const { coordinator } = setUp({ history });
    expect(coordinator.loadInheritedPlanningContext()).toBe('Planned once.');
    expect(coordinator.buildPlanningPromptWithInheritance('Plan it.')).toBe('Plan it.\n\nPlanned once.');
    expect(await coordinator.evaluatePreviousPlanApplicability()).toBe('refer');
    expect(coordinator.mergeWithPreviousLearnings(action)).toBe('Do it.\n\nIt worked by work.');
    const none = setUp().coordinator;
    expect(await none.evaluatePreviousPlanApplicability()).toBe('none');
    expect(none.buildPlanningPromptWithInheritance('Plan it.')).toBe('Plan it.');
    expect(none.mergeWithPreviousLearnings(action)).toBe('Do it.');
  });

  it.each([
    ['commentDetectionManager', {}],
    ['commentDetectionManager', { takeDelivery: async () => nothingNew }],
    ['commentDetectionManager', 'inbox'],
    ['prePlanningManager', {}],
    ['prePlanningManager', () => 'text'],
  ] as const)('refuses a %s of another class when it is assigned: %o [NX-418]', (name, value) => {
    const { coordinator } = setUp();
    const expected = new RegExp(
      `\\.${name} must be a (CommentDetection|PrePlanning)Manager of @agent/.+; it is `,
    );
    expect(() => Object.assign(coordinator, { [name]: value })).toThrow(TypeError);
    expect(() => Object.assign(coordinator, { [name]: value })).toThrow(expected);
    expect(() => setUp({ [name]: value })).toThrow(expected);
    expect(coordinator[name]).toBeNull();
  });

  it('takes null for both managers', () => {
    const { coordinator } = setUp();
    coordinator.prePlanningManager = undefined;
    coordinator.commentDetectionManager = undefined;
    expect([coordinator.prePlanningManager, coordinator.commentDetectionManager]).toEqual([null, null]);
  });

  it('gives pre-planning the opening messages as its request, or the request of its options [PP-47]', async () => {
    const requests: PlanningRequest[] = [];
    const prePlanningManager: PrePlanningPhase = {
      execute: async ({ request }) => `found ${requests.push(request)}`,
    };
    await setUp({ prePlanningManager }).coordinator.executeWithPlanning();
    const request = { ...(requests[0] as PlanningRequest), author: 'alice', title: 'From the issue' };
    await setUp({ prePlanningManager, request }).coordinator.executeWithPlanning();
    expect(await setUp({ prePlanningManager }).coordinator.executePrePlanningPhase()).toBe('found 3');
    expect(requests).toEqual([
      expect.objectContaining({ author: null, isTrusted: true, title: 'Mend it.', body: 'Mend it.' }),
      request,
      requests[0],
    ]);
  });

  it('continues with what pre-planning found out when its model fails, and logs the failure', async () => {
    const prePlanningManager: PrePlanningPhase = {
      execute: async () => Promise.reject(new Error('503')),
      formatForPlanning: () => 'half of it',
    };
    const { coordinator, journal, log } = setUp({ prePlanningManager });
    const { planning } = await coordinator.executeWithPlanning();
    expect(planning.tasks.size).toBe(2);
    expect(journal.entries).toContainEqual(
      expect.objectContaining({ message: { role: 'user', content: 'half of it' } }),
    );
    expect(log.lines.map(({ message }) => message)).toContain(
      'pre-planning failed; continuing with its results so far',
    );
  });

  it.each([
    ['an outcome of another class', async () => ({ text: 'found' })],
    ['a defect in its code', async () => (undefined as unknown as { run: () => string }).run()],
    [
      'a request that it refuses',
      async () => Promise.reject(Object.assign(new Error('x'), { code: 'invalid-input' })),
    ],
  ])('ends with a TypeError if pre-planning has %s', async (_name, execute) => {
    const { coordinator } = setUp({
      prePlanningManager: { execute: execute as PrePlanningPhase['execute'] },
    });
    const running = coordinator.executeWithPlanning();
    await expect(running).rejects.toThrow(/"prePlanningManager".*Assign a PrePlanningManager/);
    await expect(running).rejects.toBeInstanceOf(TypeError);
  });

  it('interrupts pre-planning at a pause, and pauses before the plan', async () => {
    const answers: string[] = [];
    const { coordinator, journal } = setUp(
      {
        prePlanningManager: {
          execute: async ({ checkpoint }) => {
            answers.push(await checkpoint());
            return { status: 'interrupted' };
          },
          formatForPlanning: () => 'as far as it came',
        },
      },
      { signals: { read: async () => 'pause' } },
    );
    expect(await coordinator.executeWithPlanning()).toMatchObject({ outcome: { status: 'needs_input' } });
    expect(answers).toEqual(['interrupt']);
    expect(JSON.stringify(journal.entries)).toContain('as far as it came');
  });
});
