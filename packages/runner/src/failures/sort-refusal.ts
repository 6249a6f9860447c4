import type { ModelFailureKind } from './model-failure.ts';
import type { ErrorBody } from './read-error-body.ts';
import { translate } from './translate.ts';

/** An answer of an endpoint that is an error. */
export interface Refusal {
  /** Status of the answer, or the one that its body names. Null if there is none. */
  readonly status: number | null;
  readonly body: ErrorBody;
  /** The wait that the body asks for, in milliseconds; null if it names none. */
  readonly bodyWaitMs: number | null;
}

/** One kind, what proves it, and where that counts. */
interface Rule {
  readonly kind: ModelFailureKind;
  /** Names in fields, in lower case: these prove more than sentences. */
  readonly codes?: RegExp;
  readonly words?: RegExp;
  /** Statuses for which the words count. Default all. */
  readonly statuses?: (status: number) => boolean;
}

const isClientError = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/** A server that is away for a while says so by its status: what else it says is not the reason. */
const isNotAway = (status: number): boolean => status !== 429 && isNotAbsent(status);

const isNotAbsent = (status: number): boolean => ![502, 503, 504, 529].includes(status);

/** Names of an error that decide alone. */
const byCode: readonly Rule[] = [
  {
    kind: 'refused',
    codes:
      /^(content_filter|content_policy_violation|responsibleaipolicyviolation|moderation_blocked|data_inspection_failed|datainspectionfailed|invalid_prompt|sensitive_content_detected)$/,
  },
  {
    kind: 'context-too-long',
    codes:
      /^(context_length_exceeded|exceed_context_size_error|model_max_prompt_tokens_exceeded|string_above_max_length|request_too_large|tokens_limit_reached|context_window_exceeded|contextwindowexceedederror|1261)$/,
  },
  {
    kind: 'bad-call',
    codes: /^(tool_use_failed|output_parse_failed|json_validate_failed|malformed_function_call)$/,
  },
  {
    kind: 'no-quota',
    codes:
      /^(insufficient_quota|insufficient_balance|insufficient_credits|insufficient_funds|billing_hard_limit_reached|billing_not_active|exceeded_current_quota_error|payment_required|billing_error|creditserror|credit_balance_too_low|arrearage|monthlylimiterror|budget_exceeded|insufficient_user_quota)$/,
  },
  {
    kind: 'unauthorized',
    codes:
      /^(invalid_api_key|incorrect_api_key|api_key_invalid|missing_api_key|authentication_error|invalid_authentication|invalid_authentication_error|invalid_token|token_expired|expired_token|expiredtokenexception|unrecognizedclientexception|invalidsignatureexception|unauthenticated|unauthorized|autherror|account_deactivated|api_key_service_blocked|access_token_expired|invalid_request_error\.api_key)$/,
  },
  {
    kind: 'unknown-model',
    codes:
      /^(model_not_found|model_not_available|model_not_supported|model_decommissioned|unknown_model|invalid_model|invalid_model_error|modelnotfound|unavailable_model|unsupported_country_region_territory|modelerror|deploymentnotfound|unsupported_model|not_found_error|model_not_exist|inference_profile_not_found)$/,
  },
  {
    kind: 'not-ready',
    codes:
      /^(overloaded_error|engine_overloaded_error|model_not_ready|modelnotreadyexception|model_loading|model_overloaded|unavailable|service_unavailable|unavailable_error|serviceunavailableexception)$/,
  },
  {
    kind: 'rate-limited',
    codes:
      /^(rate_limit_exceeded|rate_limit_error|rate_limit_reached_error|rate_limited|ratelimitexceeded|ratelimitreached|too_many_requests|resource_exhausted|throttlingexception|throttling|throttling\..{1,40}|toomanyrequestsexception|limit_requests)$/,
  },
];

/** The model wrote what its own server could not parse; the answer quotes it, so that its other words prove nothing. */
const badCall =
  /failed to call a function|pars(e|ing) (the )?(tool|function)[ _-]?call|tool[ _-]call (validation|parsing) failed|error parsing tool call|(output|response) (could not|cannot|can't) be parsed|failed to parse input at pos|failed to generate (valid )?json|was not in request\.tools|unexpected tokens remaining in message header|malformed.?function.?call|parsing failed\. the model generated|XML syntax error on line|produced invalid sequence/i;

/** Sentences, where no name decides. */
const byWords: readonly Rule[] = [
  {
    kind: 'refused',
    statuses: (status) => [400, 403, 422, 451].includes(status),
    words:
      /moderation|content.?(filter|policy|management policy|exists risk)|\bflagged\b|usage policies|new_sensitive|sensitive (content|words)/i,
  },
  {
    kind: 'no-tools',
    statuses: isNotAway,
    words:
      /(does not|doesn't|do not|don't|not) support (the )?(use of )?(native )?(tools?\b|tool[ _-]?(use|calling|calls?)|functions?\b|function[ _-]?call)|(?<!parallel[ _])\btools?`?'?"?( use| calling| calls)?[`'"]? (is|are) (not|un)[ -]?supported|not supported for (function|tool)|function[ _-]?call(ing|s)? (is|are) (not|un)[ -]?(supported|enabled|available)|endpoints? found that support tool|enable-auto-tool-choice|tools? param\w{0,9} requires|tool[ _-]?(use|calling) (is )?not (available|enabled|supported)/i,
  },
  {
    kind: 'no-quota',
    statuses: isNotAbsent,
    words:
      /insufficient (account )?(balance|funds|credits?|quota)|credit balance is|(not enough|out of|no (remaining|more)|requires? more|needs? more|run out of|exhausted your|depleted your) (credits?|balance|funds|prepaid)|enable billing|billing (is|has|hard limit|account|not)|(plan|plans|check your) (and|&) billing|payment (required|method|is overdue)|(spend(ing)?|monthly|usage|budget) (limit|cap)\w{0,9} (has been |was )?(reached|exceeded)|exceeded your (current|monthly|included) (quota|budget|included)|(purchase|add) (more )?(credits|funds)|top up|budget (has been |is |was )?exceeded|(account|organi[sz]ation|team|project|workspace) .{0,20}(overdue|in arrears|suspended|deactivated|restricted|disabled|banned)|\blimit: 0\b/i,
  },
  {
    kind: 'unauthorized',
    statuses: isNotAway,
    words:
      /\bapi[ _-]?key\b.{0,60}\b(invalid|incorrect|not valid|wrong|expired|missing|required|not found|disabled|revoked|not provided|leaked|blocked)|(invalid|incorrect|wrong|expired|missing|no|revoked|malformed|unknown|(provide|pass|supply|set|enter|use) (a|an|your)( valid)?) (x-)?(api|access|auth\w{0,12}|secret|security|bearer)[ _-]?(key|token)s?\b|(access|auth\w{0,12}|security|bearer) token.{0,40}(invalid|expired|missing|not valid)|\bunauthori[sz]ed\b|not authenticated|authentication (failed|fails|required|error)|invalid (authentication|credentials)|credentials .{0,30}(invalid|missing|expired)|token (has |is )?expired/i,
  },
  {
    kind: 'not-ready',
    words:
      /model (has been |is |was |got )?(unloaded|crashed|overloaded|being loaded|loading|starting|warming|busy)|model .{0,80}(is|was|has) (\w{1,20} )?(unloaded|crashed|loading|not (yet )?(loaded|ready)|overloaded|unavailable|unreachable|down|at capacity)|(loading|load) (the )?model|channel error|\boverloaded\b|(at|over|insufficient|exceeded) capacity|no healthy upstream|provider returned error|upstream (error|connect|request)|temporarily (unavailable|rate.limited|overloaded)|(server|service|system|engine) (is )?(too |very |currently )?(busy|overloaded|shutting)|service (is )?(temporarily )?unavailable|please (try again|retry) (later|in a|shortly)|warming up|cold start|no available (server|worker|instance|backend|replica|channel)|high (demand|load|traffic)|(process|engine|worker|runner|server|backend)\w{0,12} .{0,20}(has terminated|has died|is dead|crashed|exited|no longer running|encountered an issue)|out of memory|cuda error|operation cancel{1,2}ed|context (deadline|cancel{1,2}ed)|internal (server )?error/i,
  },
  {
    kind: 'unknown-model',
    statuses: isNotAway,
    words:
      /no models? loaded|try pulling it|\bmodels?\b.{0,100}(not found|does not exist|doesn't exist|not exist|do(es)? not have access|not a valid model|is not (available|supported|recognized|allowed|accessible|a chat model|deployed)|is unknown|decommissioned|deprecated|been (removed|retired|discontinued)|not allowed)|(no such|unknown|invalid|unsupported|unrecognized|unavailable) model\b|not a valid model|no (allowed |available )?(endpoints|providers|deployments?) (found|are available|available)|deployment .{0,60}(does not exist|not found)|not a chat model|model (name|id|identifier|code)\b.{0,60}(invalid|required|n't supported|not supported)|provider not provided|\b(location|country|region|territory)\b.{0,40}not (supported|available)|not (supported|available) in your (location|country|region)/i,
  },
  {
    kind: 'rate-limited',
    words:
      /rate.?limit|too many (requests|concurrent)|per[ -](minute|second|hour|day)|throttl|requests? limit|concurren\w{1,4} (limit|requests)|\b[tr]p[md]\b|quota/i,
  },
];

/** Limits over a time pass by themselves, whatever else the answer advises. */
const limitsOverTime = /per[ _-]?(minute|min|second|hour|day)\b|rate.?limit|\b[tr]p[md]\b/i;

/** A request that is larger than all that a limit over a time allows never passes. */
function isAboveLimit(text: string): boolean {
  const [, limit, requested] =
    /\blimit:? ([\d,]{1,20})\b.{0,80}\brequested:? ~?([\d,]{1,20})/i.exec(text) ?? [];
  const isLarger = Number(requested?.replaceAll(',', '')) > Number(limit?.replaceAll(',', ''));
  return isLarger || /request (is )?too large/i.test(text);
}

/** A limit of nothing never passes: the account cannot use that model. */
const limitOfNothing = /\blimit: 0\b/;

/** Addresses of documents have words such as `rate-limits` and `billing` in them. */
const address = /https?:\/\/\S+/g;

/** Sorts an answer that is an error by what it proves. */
export function sortRefusal(refusal: Refusal): ModelFailureKind {
  const { body } = refusal;
  const status = refusal.status ?? 0;
  const text = translate(body.words.join('\n').replaceAll(address, ''));
  const named = findByCode(body.codes, status);
  const isLimited = status === 429 || named === 'rate-limited' || limitsOverTime.test(text);
  if (isLimited && isAboveLimit(text)) return 'context-too-long';
  if (status === 402) return 'no-quota';
  if (named !== null && named !== 'rate-limited') return named;
  if (isNotAway(status) && badCall.test(text)) return 'bad-call';
  if (!isLimited && isTooLong(text, status)) return 'context-too-long';
  const said = findByWords(text, status);
  if (isLimited && !limitOfNothing.test(text)) {
    const passes = said !== 'no-quota' || limitsOverTime.test(text) || refusal.bodyWaitMs !== null;
    if (passes && (status === 429 || said === null || said === 'no-quota')) return 'rate-limited';
  }
  // A server that refuses the key may still advise to try again later.
  if (status === 401 && (said === 'not-ready' || said === 'rate-limited')) return 'unauthorized';
  return said ?? sortStatus(status);
}

/** A bare status proves little: one that names key, address or server does. */
function sortStatus(status: number): ModelFailureKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'unknown-model';
  if (status === 413) return 'context-too-long';
  if (status === 429) return 'rate-limited';
  if (status >= 500 || [408, 409, 425, 499].includes(status)) return 'server-error';
  return 'unclear';
}

function findByCode(codes: readonly string[], status: number): ModelFailureKind | null {
  const rule = byCode.find((one) => codes.some((code) => one.codes?.test(code)));
  // A server that is away proves nothing about the name of a model.
  return rule === undefined || (rule.kind === 'unknown-model' && status >= 500) ? null : rule.kind;
}

function findByWords(text: string, status: number): ModelFailureKind | null {
  for (const { kind, words, statuses } of byWords) {
    if (statuses !== undefined && !statuses(status)) continue;
    if (words?.test(text)) return kind;
  }
  return null;
}

const subjects =
  /\b(prompts?|inputs?|contexts?|requests?|messages?|conversation|history|sequence|payload|body|entity|query)\b/i;

const sizes =
  /\btokens?\b|\blength|\bwindow\b|\bsize\b|\bcharacters?\b|\bbytes\b|\bcontext limit\b|maxlength|\bn_ctx\b|\bcapacity\b/i;

const excesses =
  /exceed|too (long|large|big|many)|(longer|larger|greater|more|bigger) than|overflow|over the|maximum|at most|\blimit|less than|fewer than|<=|reached|reduce the (length|size)|not (enough|fit)|\d ?(>|&gt;) ?\d|got -\d|range of input length|expected max/i;

const plainlyTooLong =
  /\b(prompt|input|context|request|messages?|conversation|payload|entity|body)\b.{0,40}\btoo (long|large|big)\b|max_(completion_)?tokens.{0,60}got -\d|reduce the length of the messages|range of input length|too many (input |prompt )?tokens\b/i;

/** Parts that no shortening of texts makes smaller. */
const ofOtherParts =
  /\b(image|picture|pdf|file|audio|video|media|attachment)s?\b(?! (and|or) text).{0,40}(exceed|too (large|big|long)|larger)/i;

const ofAnswer = /\b(output|completion|max_output|max_completion|max_new|max)[ _`]?tokens?\b`?/gi;

/**
 * Tells whether an answer refuses a request for its length: one sentence names the request, a size and that it is exceeded. Endpoints
 * have dozens of wordings for it, most of them without a code.
 */
function isTooLong(text: string, status: number): boolean {
  if (!(isClientError(status) || status === 500 || status === 0)) return false;
  if (ofOtherParts.test(text)) return false;
  if (plainlyTooLong.test(text)) return true;
  const sentences = text.replaceAll(/context (deadline|cancel{1,2}ed)/gi, '').split(/(?<=[.!?])\s|\n/);
  return sentences.some((sentence) => {
    const rest = sentence.replaceAll(ofAnswer, '');
    return subjects.test(rest) && sizes.test(rest) && excesses.test(rest);
  });
}
