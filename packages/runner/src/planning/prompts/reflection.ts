import type { ReflectionTrigger } from '../model.ts';
import {
  actionForm,
  formatActions,
  formatForm,
  formatLanguage,
  formatNotes,
  joinParagraphs,
  type RequestParts,
  subtaskForm,
  type ToldAction,
} from './parts.ts';

const triggers: Readonly<Record<ReflectionTrigger, string>> = {
  error: 'The last action failed. Judge what was done, find the root cause, and decide how to continue.',
  interval: 'Judge what was done so far, and whether the plan still leads to the goal.',
  comment:
    'People have said something since the plan was made; it stands above. Judge whether the plan still does what is asked. Where it does not, revise it.',
};

interface ReflectionRequest extends RequestParts {
  readonly trigger: ReflectionTrigger;
  readonly actions: readonly ToldAction[];
  /** Tells whether the answer decides on planning again, too. */
  readonly asksReplan: boolean;
  /** Tells whether people have said something that may want an answer. */
  readonly asksReply: boolean;
}

/** Asks whether the plan still holds, on an error with the decision to plan again in the same answer. @see seed 002 §13.5.2 */
export function formatReflectionRequest(request: ReflectionRequest): string {
  const { trigger, actions, asksReplan, asksReply, history = '', notes, language } = request;
  return joinParagraphs([
    triggers[trigger],
    `The plan so far:\n${formatActions(actions)}`,
    history,
    formatNotes(notes),
    'Set plan_revision_needed only where the actions that are left would not reach the goal as they are. Then updated_action_plan holds all actions that are left, done ones not among them, and updated_subtasks the subtasks that are new or changed; otherwise plan_revision is null.',
    asksReplan ? replanRules : null,
    asksReply ? replyRule : null,
    formatLanguage(language),
    formatForm(reflectionForm(request)),
  ]);
}

const replanRules = `Decide on planning again with one of these levels, the lowest that helps:
1. retry: the same action once more (errors that pass by themselves)
2. partial_replan: keep what is done, rewrite the rest
3. action_regeneration: other actions for the same subtasks
4. task_redecomposition: other subtasks for the same goal
5. goal_revision: the goal was understood wrongly
clarification_request asks people; use it only for what nothing but their word can settle. With none the run continues as planned, or ends. confidence is a number from 0 to 1.`;

const replyRule =
  'Where a person who may instruct you asked something, write the answer into reply, in prose and for people: it is posted on the thread. Read what you need for it with tools first. Otherwise reply is null; what others ask is not answered here.';

function reflectionForm({
  asksReplan,
  asksReply,
}: Pick<ReflectionRequest, 'asksReplan' | 'asksReply'>): string {
  return `{
  "phase": "reflection",
  "reflection": { "action_evaluated": "task_1", "status": "success|failure|partial", "evaluation": "…", "issues_identified": [], "root_cause": null, "plan_revision_needed": false, "reasoning": "…" },
  "plan_revision": null,${asksReplan ? `\n  "replan_decision": ${replanForm},` : ''}${asksReply ? '\n  "reply": null,' : ''}
  "comment": "…"
}
where plan_revision, if there is one, is ${revisionForm}`;
}

const replanForm =
  '{ "replan_needed": true, "confidence": 0.0, "reasoning": "…", "replan_type": "retry|partial_replan|action_regeneration|task_redecomposition|goal_revision|clarification_request|none", "target_phase": "goal_understanding|task_decomposition|action_sequence|execution|reflection", "replan_level": 1, "issues_found": [], "recommended_actions": [], "clarification_needed": false, "clarification_questions": [], "assumptions_to_make": [] }';

const revisionForm = `{ "reason": "…", "changes": [{ "type": "add_action|remove_action|modify_action", "details": "…" }], "updated_action_plan": { "execution_order": ["task_2"], "actions": [${actionForm}] }, "updated_subtasks": [${subtaskForm}] }`;

interface RevisionRequest extends RequestParts {
  /** Sentence on why the plan has to be changed. */
  readonly reason: string;
  readonly actions: readonly ToldAction[];
  readonly maxSubtasks: number;
}

/** Asks for the actions that are left, written anew; what is done stays done. */
export function formatRevisionRequest(request: RevisionRequest): string {
  const { reason, actions, maxSubtasks, notes, language } = request;
  return joinParagraphs([
    `The plan has to be changed: ${reason}`,
    `The plan so far:\n${formatActions(actions)}`,
    formatNotes(notes),
    `Rewrite all actions that are left: one for each subtask, done ones not among them, at most ${maxSubtasks} in all, none that depends on what is no longer valid. updated_subtasks holds every subtask that is new or changed.`,
    formatLanguage(language),
    formatForm(`{ "phase": "revision", "plan_revision": ${revisionForm}, "comment": "…" }`),
  ]);
}

/** Asks for a revision again, with what was wrong with the last one. */
export function formatBadRevisionRequest(reasons: readonly string[]): string {
  return joinParagraphs([
    'This revision cannot be executed:',
    reasons.map((reason) => `- ${reason}`).join('\n'),
    formatForm(`{ "phase": "revision", "plan_revision": ${revisionForm}, "comment": "…" }`),
  ]);
}
