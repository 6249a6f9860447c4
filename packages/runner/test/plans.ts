import type {
  Plan,
  PlannedAction,
  PlanningFact,
  ReplanDecision,
  Subtask,
  VerificationAnswer,
} from '../src/planning/model.ts';

/** An action that says by its words to which subtask it belongs. */
export function actionOf(id: string, action: Partial<PlannedAction> = {}): PlannedAction {
  return {
    task_id: id,
    action_type: 'tool_call',
    tool: 'echo',
    parameters: { text: id },
    purpose: `purpose of ${id}`,
    expected_outcome: `${id} is said`,
    fallback_strategy: null,
    ...action,
  };
}

/** A plan of subtasks of which only what matters is given. */
export function planOf(
  subtasks: readonly (Pick<Subtask, 'id'> & Partial<Subtask>)[],
  plan: Partial<Plan> = {},
): Plan {
  return {
    phase: 'planning',
    goal_understanding: {
      main_objective: 'Say it all.',
      success_criteria: ['All is said.'],
      constraints: [],
      context: '',
    },
    task_decomposition: {
      reasoning: 'one after the other',
      subtasks: subtasks.map((subtask) => ({
        description: `description of ${subtask.id}`,
        dependencies: [],
        estimated_complexity: 'low',
        required_tools: ['echo'],
        rests_on: [],
        ...subtask,
      })),
    },
    action_plan: {
      execution_order: subtasks.map(({ id }) => id),
      actions: subtasks.map(({ id }) => actionOf(id)),
    },
    comment: null,
    ...plan,
  };
}

export function replanDecision(decision: Partial<ReplanDecision> = {}): ReplanDecision {
  return {
    replan_needed: true,
    confidence: 0.9,
    reasoning: 'it has to be',
    replan_type: 'partial_replan',
    target_phase: 'execution',
    replan_level: 2,
    issues_found: [],
    recommended_actions: [],
    clarification_needed: false,
    clarification_questions: [],
    assumptions_to_make: [],
    ...decision,
  };
}

/** The line that a journal keeps of a decision. */
export function replanFact(
  decision: Partial<ReplanDecision>,
  { executed }: { readonly executed: boolean },
): PlanningFact {
  const llm_decision = replanDecision(decision);
  const { target_phase: phase, confidence } = llm_decision;
  return {
    type: 'replan_decision',
    phase,
    llm_decision,
    confidence,
    executed,
    override_reason: null,
    replan_counts: {},
    next: executed ? 'retry' : 'none',
  };
}

export function verificationAnswer(answer: Partial<VerificationAnswer> = {}): VerificationAnswer {
  return {
    phase: 'verification',
    verification_passed: true,
    issues_found: [],
    placeholder_detected: { count: 0, locations: [], explained: [] },
    additional_work_needed: false,
    additional_actions: [],
    completion_confidence: 0.9,
    comment: null,
    ...answer,
  };
}
