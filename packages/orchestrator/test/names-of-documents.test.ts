import { CommentDetectionManager } from '@agent/comment-detection';
import { ContextInheritanceManager } from '@agent/context-inheritance';
import {
  AssumptionMaker,
  InformationCollector,
  PrePlanningManager,
  RequestUnderstandingProcessor,
} from '@agent/pre-planning';
import { PlanningHistoryStore } from '@agent/run-store';
import { PlanningCoordinator } from '@agent/runner/planning';
import { LmStudioClient } from '@agent/runner/reply';
import { ThreadContextBuilder, TranscriptFormatter } from '@agent/thread-context';
import { expect, it } from 'vitest';

const classes = {
  CommentDetectionManager,
  ContextInheritanceManager,
  PrePlanningManager,
  RequestUnderstandingProcessor,
  InformationCollector,
  AssumptionMaker,
  PlanningCoordinator,
  PlanningHistoryStore,
  ThreadContextBuilder,
  TranscriptFormatter,
  LmStudioClient,
};

/** Members of these classes as the documents write them. */
const members: Readonly<Record<keyof typeof classes, string>> = {
  CommentDetectionManager:
    'enabled last_comment_ids last_check_time bot_username detected_count initialize check_for_new_comments format_comment_message add_to_context is_bot_comment get_statistics',
  ContextInheritanceManager: 'find_previous_contexts get_inheritance_context create_inherited_prompt',
  PrePlanningManager:
    'execute execute_understanding execute_collection_planning execute_collection make_assumptions get_result',
  RequestUnderstandingProcessor: 'analyze_request check_understanding_confidence',
  InformationCollector: 'execute_collection retry_failed_items get_collection_status',
  AssumptionMaker: 'make_assumptions validate_assumptions',
  PlanningCoordinator:
    'execute_with_planning _execute_pre_planning_phase _check_and_add_new_comments _load_inherited_planning_context _build_planning_prompt_with_inheritance _evaluate_previous_plan_applicability _merge_with_previous_learnings',
  PlanningHistoryStore: 'has_plan get_latest_plan get_past_executions_for_issue',
  ThreadContextBuilder: 'build',
  TranscriptFormatter: 'toTranscript',
  LmStudioClient: 'createResponse extractOutputText',
};

const toCamelCase = (name: string): string =>
  name.replace(/^_/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

it.each(Object.entries(classes))(
  '%s has the name and, in camelCase, the members of the documents [X10]',
  (name, known) => {
    expect(known.name).toBe(name);
    const named = members[name as keyof typeof classes].split(' ').map(toCamelCase);
    expect(Object.getOwnPropertyNames(known.prototype)).toEqual(expect.arrayContaining(named));
  },
);
