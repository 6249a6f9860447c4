import type { DetectionStatistics } from '@agent/comment-detection';
import { fitCommentBody } from '@agent/platforms/comments';
import type { Outcome } from '@agent/run-store';
import type { RunStatistics } from '@agent/runner';
import {
  countProgress,
  formatActionsDone,
  formatStoppedPlan,
  type PlanningState,
} from '@agent/runner/planning';
import { formatTime, type Locale } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';

import { heldTexts } from '../held/texts.ts';
import type { Delivery } from '../run/run-ending.ts';
import { type ChangeRequestKind, formatReference } from '../run/run-facts.ts';
import type { RequestCount } from '../run/run-thread.ts';
import type { StopCause } from '../run/watch-thread.ts';
import { formatMoney } from '../spending/format-money.ts';
import type { TriggerTexts } from '../triggers/task-trigger.ts';
import { fitBetween, toWellFormedSlice } from './fit-text.ts';
import { type RunTexts, runTexts } from './texts.ts';

/** Cost of a run in millionths of the currency; `presumedMicros` is the estimated part of it. */
export interface RunCost {
  readonly micros: number;
  readonly presumedMicros: number;
}

export interface FinalReport {
  readonly status: Outcome;
  readonly reason: string | null;
  readonly finalText: string | null;
  /** The plan that the run follows; null for one without a plan. */
  readonly plan: Pick<PlanningState, 'plan' | 'tasks' | 'phase'> | null;
  readonly statistics: RunStatistics;
  readonly requests: RequestCount;
  /** Null where nothing costs anything, as by default. */
  readonly cost?: RunCost | null | undefined;
  /** Statistics of comment detection; null if it is switched off. */
  readonly detection: DetectionStatistics | null;
  readonly delivery: Delivery;
  /** Tools that a failed run tried, and how often. */
  readonly tried: readonly { readonly tool: string; readonly calls: number }[];
  /** Section on changes that a person has to allow. Default none. */
  readonly held?: string | undefined;
  /** Act on the thread that stopped the run; null if there was none. */
  readonly stopCause: StopCause | null;
  /** User who stopped or paused the run: `@login` for a comment, else a name; null if unknown. */
  readonly askedBy: string | null;
  readonly finishedAt: Date;
}

export interface FinalCommentOptions {
  readonly locale: Locale;
  /** Ways in which people begin a task. */
  readonly trigger: Readonly<Record<Locale, Pick<TriggerTexts, 'retry' | 'beginAgain'>>>;
  /** Name of the platform, e.g. `github`. */
  readonly platform: string;
  /** The platform's name for what a run opens. */
  readonly changeRequest: ChangeRequestKind;
  /** IANA name. */
  readonly timeZone: string;
  /** Name of the currency. Default `USD`. */
  readonly currency?: string | undefined;
  /** True if the run receives `/retry`. Default false. */
  readonly hearsRetry?: boolean | undefined;
  /** True where the platform says who reopens a thread. Default false. */
  readonly resumesOnReopen?: boolean | undefined;
  /** Kind of thread that the run works on. Default an issue. */
  readonly kind?: 'issue' | ChangeRequestKind | undefined;
  /** Finds the page that shows a branch; null where that is not known. Default null. */
  readonly branchUrl?: ((branch: string) => string) | null | undefined;
  /** Characters of the sections that follow it in the comment. Default 0. */
  readonly taken?: number | undefined;
}

/** Longest reason, in UTF-16 code units: an error's message may hold a whole page of somebody's server. */
const maxReasonChars = 10_000;
const maxListedTools = 50;
/** Models call tools that do not exist, by names of any length. */
const maxToolNameChars = 100;

/**
 * The one comment that a run ends with, whatever its outcome, with what it cost (RL-14). What the model said last is
 * cut to the room that the rest leaves, so that no platform cuts the rest away.
 */
export function formatFinalComment(report: FinalReport, options: FinalCommentOptions): string {
  const { finalText, reason } = report;
  const { locale } = options;
  const shortReason = reason === null ? null : fitCommentBody(reason, { maxChars: maxReasonChars, locale });
  const short = { ...report, reason: shortReason };
  if (finalText === null) return compose(short, options);
  return fitBetween(finalText, {
    locale,
    taken: options.taken,
    compose: (text) => compose({ ...short, finalText: text }, options),
  });
}

function compose(report: FinalReport, options: FinalCommentOptions): string {
  const text = runTexts[options.locale];
  const parts = [
    ...(report.status === 'needs_input' && report.held
      ? describeWait(report, { text, ...options })
      : describeOutcome(report, { text, ...options })),
    report.held ?? '',
    describeStatistics(report, { text, ...options }),
  ];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

/** Describes a run that has done its work and waits for a person to allow the rest of it. */
function describeWait(
  { finalText, delivery }: Pick<FinalReport, 'finalText' | 'delivery'>,
  options: FinalCommentOptions & { readonly text: RunTexts },
): readonly string[] {
  const pushed = delivery.commit === null ? '' : describeDelivery(delivery, options);
  return [heldTexts[options.locale].heading, finalText ?? '', pushed];
}

function describeOutcome(
  report: FinalReport,
  options: FinalCommentOptions & { readonly text: RunTexts },
): readonly string[] {
  const { text } = options;
  const trigger = options.trigger[options.locale];
  const time = formatTime(report.finishedAt, options.timeZone);
  const endedAt = `*${text.endedAt}: ${time}*`;
  const heading = text.headings[report.status];
  switch (report.status) {
    case 'completed':
    case 'answered':
    case 'nothing_to_change':
      return [
        heading,
        report.finalText ?? '',
        describeDelivery(report.delivery, options),
        `${text.whatNext} ${trigger.beginAgain(false)}`,
        endedAt,
      ];
    case 'partial': {
      const progress = report.plan === null ? null : countProgress(report.plan);
      const left = progress === null ? text.openWorkWithoutPlan : text.openWork(progress);
      const open = `${left}\n${trigger.beginAgain(false)}`;
      return [heading, report.finalText ?? '', open, describeDelivery(report.delivery, options), endedAt];
    }
    case 'failed': {
      const reason = `${text.reason} ${report.reason ?? ''}`;
      const pushed = describeUnfinished(report.delivery, options);
      const goOn = options.hearsRetry === true ? text.goOn : '';
      const ways = [goOn, trigger.retry].filter((way) => way !== '').join('\n');
      return [heading, reason, describeTried(report, text), pushed, ways, endedAt];
    }
    case 'needs_input': {
      const paused = report.askedBy === null ? text.paused : text.pausedBy(toCodeSpan(report.askedBy));
      return report.plan === null ? [paused] : [heading, paused, `*${text.pausedAt}: ${time}*`];
    }
    case 'stopped': {
      const { stopCause, askedBy, statistics, plan } = report;
      return [
        text.stopped({
          stopCause: stopCause && text.stopCauses[stopCause](options.kind ?? 'issue'),
          stoppedBy: askedBy === null ? null : toCodeSpan(askedBy),
          stoppedAt: time,
          plan: plan === null ? [] : [formatStoppedPlan(plan, options)],
          modelCalls: statistics.modelCalls,
          beginAgain:
            stopCause === 'closed' && options.resumesOnReopen === true
              ? text.reopenToResume(options.kind ?? 'issue')
              : trigger.beginAgain(stopCause === 'unassigned'),
        }),
      ];
    }
  }
}

function describeDelivery(
  { changeRequest, commit, branch, changedFiles }: Delivery,
  { text, changeRequest: kind }: Pick<FinalCommentOptions, 'changeRequest'> & { readonly text: RunTexts },
): string {
  const files = text.files(changedFiles.length);
  const link =
    changeRequest === null ? null : `[${formatReference(kind, changeRequest.number)}](${changeRequest.url})`;
  if (commit === null) return link === null ? text.unchanged : `${text.unchanged} ${text.open(kind)} ${link}`;
  if (link !== null) {
    const left = changeRequest?.isDescribed === false ? ` ${text.descriptionLeft}` : '';
    return `${text.draft(kind)} ${link}, ${files}${left}`;
  }
  return `${text.pushed} ${toCodeSpan(branch ?? '')} (\`${commit.slice(0, 10)}\`), ${files}`;
}

function describeUnfinished(
  { commit, branch, changedFiles }: Delivery,
  { text, branchUrl }: Pick<FinalCommentOptions, 'branchUrl'> & { readonly text: RunTexts },
): string {
  if (commit === null || branch === null) return '';
  const name = !branchUrl ? `\`${branch}\`` : `[\`${branch}\`](${branchUrl(branch)})`;
  return `${text.pushedUnfinished} ${name} (\`${commit.slice(0, 10)}\`), ${text.files(changedFiles.length)}`;
}

function describeTried(report: Pick<FinalReport, 'tried' | 'finalText'>, text: RunTexts): string {
  const lines = report.tried
    .slice(0, maxListedTools)
    .map(({ tool, calls }) => `- ${toCodeSpan(toWellFormedSlice(tool, maxToolNameChars))} × ${calls}`);
  const hidden = report.tried.length - lines.length;
  const more = hidden > 0 ? [text.more(hidden)] : [];
  const list =
    lines.length === 0 ? [`${text.tried} ${text.nothingTried}`] : [text.tried, '', ...lines, ...more];
  const said = report.finalText === null ? [] : ['', text.lastMessage, '', report.finalText];
  return [...list, ...said].join('\n');
}

function describeStatistics(
  { statistics, requests, detection, plan, cost = null }: FinalReport,
  {
    text,
    locale,
    platform,
    currency = 'USD',
  }: Pick<FinalCommentOptions, 'locale' | 'platform' | 'currency'> & { readonly text: RunTexts },
): string {
  return [
    text.statistics,
    '',
    `- ${text.modelCalls}: ${statistics.modelCalls}`,
    ...(plan === null ? [] : [`- ${formatActionsDone(plan, { locale })}`]),
    `- ${text.toolCalls}: ${statistics.toolCalls}`,
    `- ${text.tokens}: ${statistics.inputTokens} / ${statistics.outputTokens}${describeKinds(statistics, text)}`,
    ...(cost === null ? [] : [`- ${text.cost}: ${describeCost(cost, { text, currency })}`]),
    `- ${text.duration}: ${formatDuration(statistics.durationMs, text.durationOf)}`,
    // Requests of custom platforms are not counted.
    ...(requests.made === 0 ? [] : [`- ${describeRequests(requests, { text, platform })}`]),
    ...(detection === null ? [] : [`- ${text.detection}: ${describeDetection(detection, text)}`]),
  ].join('\n');
}

function describeDetection(detection: DetectionStatistics, text: RunTexts): string {
  const failed = detection.errors === 0 ? [] : [text.failedReads(detection.errors)];
  return [text.detected(detection), ...failed].join('; ');
}

/** Describes the kinds of tokens that the provider reports: `(30% of input from cache, 120 for reasoning)`. */
function describeKinds(
  { inputTokens, cachedInputTokens = 0, reasoningTokens = 0 }: RunStatistics,
  text: RunTexts,
): string {
  const share = Math.round((100 * cachedInputTokens) / Math.max(1, inputTokens));
  const kinds = [
    ...(cachedInputTokens === 0 ? [] : [text.cachedShare(share)]),
    ...(reasoningTokens === 0 ? [] : [text.reasoningTokens(reasoningTokens)]),
  ];
  return kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
}

function describeCost(
  { micros, presumedMicros }: RunCost,
  { text, currency }: { readonly text: RunTexts; readonly currency: string },
): string {
  const cost = formatMoney(micros, currency);
  return presumedMicros === 0 ? cost : `${cost} (${text.presumed(formatMoney(presumedMicros, currency))})`;
}

const platformNames: ReadonlyMap<string, string> = new Map([
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
]);

function describeRequests(
  { made, unchanged }: RequestCount,
  { text, platform }: { readonly text: RunTexts; readonly platform: string },
): string {
  const notModified = unchanged === 0 ? '' : ` (${text.notModified(unchanged)})`;
  return `${text.requests(platformNames.get(platform) ?? platform)}: ${made}${notModified}`;
}

function formatDuration(durationMs: number, format: RunTexts['durationOf']): string {
  const seconds = Math.round(durationMs / 1000);
  return format({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}
