import discordKeys from './fixtures/discord-keys.json' with { type: 'json' };
import keys from './fixtures/known-keys.json' with { type: 'json' };
import type { Service } from './known-routes.ts';

const keysOf: Readonly<Record<Service, ReadonlySet<string>>> = {
  github: new Set(keys.github),
  gitlab: new Set(keys.gitlab),
  discord: new Set(discordKeys),
  model: new Set(keys.model),
  other: new Set(),
};

/** Checks for a field that the vendors of a service document. Any other key can be a name of the user's own. */
export function isDocumentedKey(service: Service): (key: string) => boolean {
  return (key) => keysOf[service].has(key);
}

/** Checks for a field of any service. */
export function isKnownKey(key: string): boolean {
  return Object.values(keysOf).some((known) => known.has(key));
}

/** Fields whose values are documented words. A value outside its list is recorded as a text. */
const documented: Readonly<Record<string, string>> = {
  state:
    'open closed opened reopened merged locked all active blocked inactive queued pending created waiting_for_resource preparing waiting running scheduled manual skipped success failed failure canceling canceled cancelled error approved unapproved APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING OPEN CLOSED MERGED loaded not-loaded',
  state_reason: 'completed not_planned reopened duplicate',
  status:
    'queued in_progress completed waiting requested pending added removed modified renamed copied changed unchanged diverged ahead behind identical created preparing waiting_for_resource running success failed canceling canceled skipped manual scheduled incomplete failure cancelled can_be_merged',
  conclusion: 'success failure neutral cancelled skipped timed_out action_required stale startup_failure',
  type: 'User Bot Organization Mannequin file dir symlink submodule blob tree commit function custom message text input_text output_text input_image image_url refusal reasoning reasoning_text summary_text thinking redacted_thinking tool_use tool_result function_call function_call_output item_reference auto none required any json_schema json_object message_start message_delta message_stop content_block_start content_block_delta content_block_stop text_delta input_json_delta thinking_delta signature_delta ping error invalid_request_error authentication_error permission_error not_found_error rate_limit_error api_error overloaded_error server_error insufficient_quota tokens requests response.created response.queued response.in_progress response.completed response.failed response.incomplete response.output_item.added response.output_item.done response.content_part.added response.content_part.done response.output_text.delta response.output_text.done response.output_text.annotation.added response.refusal.delta response.refusal.done response.function_call_arguments.delta response.function_call_arguments.done response.reasoning_summary_part.added response.reasoning_summary_part.done response.reasoning_summary_text.delta response.reasoning_summary_text.done response.reasoning_text.delta response.reasoning_text.done NOT_FOUND FORBIDDEN INSUFFICIENT_SCOPES RATE_LIMITED UNPROCESSABLE DiffNote DiscussionNote ISSUE MERGE_REQUEST INCIDENT TASK llm vlm embeddings model',
  __typename:
    'User Bot Organization Mannequin Issue PullRequest LabeledEvent AssignedEvent RenamedTitleEvent ReopenedEvent',
  role: 'system developer user assistant tool function',
  finish_reason: 'stop length tool_calls content_filter function_call error',
  stop_reason: 'end_turn max_tokens stop_sequence tool_use pause_turn refusal model_context_window_exceeded',
  object: 'chat.completion chat.completion.chunk response list model text_completion embedding',
  tool_choice: 'auto none required',
  author_association:
    'COLLABORATOR CONTRIBUTOR FIRST_TIMER FIRST_TIME_CONTRIBUTOR MANNEQUIN MEMBER NONE OWNER',
  permission: 'admin maintain write triage read none',
  role_name: 'admin maintain write triage read none',
  repository_selection: 'all selected',
  mergeable_state: 'behind blocked clean dirty draft has_hooks unknown unstable',
  merge_status: 'unchecked checking can_be_merged cannot_be_merged cannot_be_merged_recheck',
  detailed_merge_status:
    'approvals_syncing blocked_status checking ci_must_pass ci_still_running commits_status conflict discussions_not_resolved draft_status external_status_checks jira_association_missing locked_lfs_files locked_paths merge_request_blocked merge_time mergeable need_rebase not_approved not_open policies_denied preparing requested_changes security_policy_violations status_checks_must_pass title_regex unchecked',
  visibility: 'public private internal',
  content: '+1 -1 laugh confused heart hooray rocket eyes',
  side: 'LEFT RIGHT',
  start_side: 'LEFT RIGHT',
  subject_type: 'line file',
  event: 'APPROVE REQUEST_CHANGES COMMENT push pull_request',
  action: 'add remove close reopen merge mark',
  noteable_type: 'Issue MergeRequest Commit Snippet Epic',
  position_type: 'text image file',
  state_event: 'close reopen',
  reasoning_effort: 'none minimal low medium high xhigh',
  effort: 'none minimal low medium high xhigh',
  encoding: 'base64 utf-8 text none',
};

const documentedValues = new Map(
  Object.entries(documented).map(([key, words]) => [key, new Set(words.split(' '))]),
);

/** Describes a text without quoting it: a documented word of its field (`=open`), the format of a time, or `string`. */
export function toTextKind(text: string, key: string): string {
  if (documentedValues.get(key)?.has(text) === true) return `=${text}`;
  if (!/(?:_at|At|date|Date|_on)$/.test(key)) return 'string';
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return 'day';
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?<parts>\.\d{1,9})?(?<zone>Z|[+-]\d\d:?\d\d)$/.exec(text);
  if (time === null) return 'string';
  return `time${time.groups?.parts === undefined ? '' : '-with-parts'}${time.groups?.zone === 'Z' ? '' : '-with-zone'}`;
}

/** Kinds of values that a shape can contain. */
export function isKind(kind: string): boolean {
  if (kind.startsWith('=')) return [...documentedValues.values()].some((words) => words.has(kind.slice(1)));
  return plainKinds.has(kind);
}

const plainKinds = new Set([
  ...['null', 'boolean', 'number', 'string', 'array', 'object', 'absent', 'day', 'deeper'],
  ...['', '-with-parts', '-with-zone', '-with-parts-with-zone'].map((suffix) => `time${suffix}`),
  // Bodies that are not JSON.
  ...['empty', 'events', 'text', 'html', 'other', 'broken', 'unread'],
]);

/** Fields whose objects contain names of the user's own: their keys are never recorded. */
export const opaqueKeys: ReadonlySet<string> = new Set([
  ...['parameters', 'input_schema', 'inputSchema', 'schema', 'properties', 'metadata', 'arguments', 'input'],
  ...[
    'logit_bias',
    'payload',
    'client_payload',
    'inputs',
    'variables',
    'env',
    'headers',
    'custom_attributes',
  ],
  ...['chat_template_kwargs', 'files', 'labels', 'config', 'environment', 'extra'],
]);
