import type {
  InformationGap,
  PrePlanningConfig,
  PrePlanningEvent,
  PrePlanningManager,
  PrePlanningState,
  WrapText,
} from '@agent/pre-planning';
import { estimateTokens, type Locale, mapTexts } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { PreparationStage } from '../board/board-event.ts';
import { type RunTexts, runTexts } from '../report/texts.ts';
import type { Run } from '../run/run.ts';
import type { TextGuard } from '../thread/text-guard.ts';

/** A run, as far as its thread is told of it. */
export interface NoticedRun extends Pick<Run, 'uuid' | 'logger'> {
  readonly thread: { readonly writer: Pick<Run['thread']['writer'], 'post'> };
}

export interface Notice {
  readonly event: PrePlanningEvent;
  /** Number of comments that were understood. */
  readonly comments: number;
  readonly redactOutgoing: Redact;
}

/**
 * Tells the thread what the phase has to say, each thing once: a crash that came before it was written down has it
 * found again by its topic. The library has taken the secrets out
 * of what it quotes, before it changed a sign of it; here the whole passes once more, as everything that leaves.
 */
export async function postNotice(
  { uuid, thread }: NoticedRun,
  { event, comments, redactOutgoing }: Notice,
): Promise<void> {
  if (event.notice === null) return;
  const topic = `run:${uuid}:pre-planning:${nameNotice(event, comments)}`;
  await thread.writer.post({ topic, body: redactOutgoing(event.notice) });
}

/** An understanding is told anew when it takes in more comments. */
function nameNotice(event: PrePlanningEvent, comments: number): string {
  if (event.type === 'understanding-end') return `${event.type}:${comments}`;
  return event.type === 'assumption-made' ? `${event.type}:${event.assumption.label}` : event.type;
}

/** Cause of an early end: it failed on the way, or used up what it may spend. */
export type CutShortCause = keyof RunTexts['prePlanningCutShort'];

export interface ToldRun extends NoticedRun {
  readonly facts: Pick<Run['facts'], 'locale'>;
}

/**
 * Tells the thread, once, that nothing more comes of what was announced, where it would have been told of the end.
 */
export async function postCutShort(
  { uuid, thread, facts }: ToldRun,
  {
    config,
    cause,
  }: { readonly config: Pick<PrePlanningConfig, 'notification'>; readonly cause: CutShortCause },
): Promise<void> {
  if (!config.notification.notify_on_collection_complete) return;
  const topic = `run:${uuid}:pre-planning:ended-early`;
  await thread.writer.post({ topic, body: runTexts[facts.locale].prePlanningCutShort[cause] });
}

/** Formats an event for the log: which one it is and how far the phase came with it, nothing that was said or found out. */
export function toEventFields(event: PrePlanningEvent): Readonly<Record<string, unknown>> {
  const { type } = event;
  if (type === 'collection-progress') return { event: type, done: event.done, total: event.total };
  if (type === 'assumption-made') return { event: type, assumption: event.assumption.label };
  return { event: type };
}

/** Converts the state to the stage that is shown to whoever looks on; null when the phase is over. */
export function toPrePlanningStage({
  current_subphase: subphase,
  collection_plan: plan,
  collection_results: results,
}: PrePlanningState): PreparationStage | null {
  if (subphase === 'complete') return null;
  return { subphase, done: results.length, total: plan?.collection_order.length ?? 0 };
}

export interface PrePlanningResultOptions {
  readonly guard: Pick<TextGuard, 'wrap'>;
  /** Size of the model's window, in tokens. */
  readonly contextLength: number;
  readonly hideKnownSecrets: Redact;
}

/**
 * Formats what a run found out for its instructions; empty where nothing was understood. It may hold words
 * of anybody: they stand in envelopes, as information. What tools gave is shown as it is, as in the run's own steps:
 * the rules by which a page hides what it does not show would take code away. @see seed 004 §7.2
 */
export async function formatPrePlanningResult(
  manager: Pick<PrePlanningManager, 'getState' | 'getResult'>,
  { guard, contextLength, hideKnownSecrets }: PrePlanningResultOptions,
): Promise<string> {
  const { understanding_result: understanding, collection_plan: needs } = manager.getState();
  if (understanding === null) return '';
  const { formatPlanningBlock } = await import('@agent/pre-planning');
  const { pre_planning_result: result } = manager.getResult();
  // Before anything is cut: half of a secret is none that could be known.
  const shown = mapTexts(result, hideKnownSecrets);
  const options = { wrap: encloseText(guard), needs: mapTexts(needs, hideKnownSecrets) };
  return fitTokens(toFoundOutTokens(contextLength), (maxChars) =>
    formatPlanningBlock(shown, { maxChars, ...options }),
  );
}

/** Shares of the model's window for the result of pre-planning: the usual one, and the largest one of small windows. */
const foundOutShare = { usual: 0.2, largest: 0.35 };
/** In tokens: with less, the envelopes leave no room for what was collected. */
const leastFoundOut = 2_500;

function toFoundOutTokens(contextLength: number): number {
  const wanted = Math.max(leastFoundOut, contextLength * foundOutShare.usual);
  return Math.floor(Math.min(wanted, contextLength * foundOutShare.largest));
}

/** The conclusions need this many characters. */
const leastChars = 2_000;

/** Formats a text with as many characters as have so many tokens. */
function fitTokens(maxTokens: number, format: (maxChars: number) => string): string {
  let maxChars = Math.max(leastChars, 4 * maxTokens);
  let text = format(maxChars);
  for (let tokens = estimateTokens(text); tokens > maxTokens && maxChars > leastChars; ) {
    maxChars = Math.max(leastChars, Math.floor((0.95 * maxChars * maxTokens) / tokens));
    text = format(maxChars);
    tokens = estimateTokens(text);
  }
  return text;
}

/** For people and the agent alike. */
const reasons: Readonly<Record<Locale, string>> = {
  ja: '準備に使える分を使い切りました',
  en: 'pre-planning used up its share of the limits of the run',
};

/**
 * The state of a phase that ends here: what is neither collected nor assumed is a gap, and says why. For a phase that
 * is at its end nothing changes.
 */
export function toCutShort(state: PrePlanningState, locale: Locale): PrePlanningState {
  const { collection_plan: plan, collection_results: results, information_gaps: gaps } = state;
  const had = results.filter(({ status }) => status !== 'failed');
  const decided = new Set([...had, ...gaps].map(({ info_id: id }) => id));
  const open = (plan?.required_information ?? []).filter(({ id }) => !decided.has(id));
  const left = open.map(
    ({ id, description, purpose, fallback_strategy: fallback }): InformationGap => ({
      info_id: id,
      description: description || id,
      impact: purpose || fallback,
      reason: reasons[locale],
    }),
  );
  return { ...state, information_gaps: [...gaps, ...left], current_subphase: 'complete' };
}

/**
 * Puts a text into an envelope of the run, under its name. It is not cleaned here: what people wrote on threads is
 * clean where it is read, and code is no page.
 */
export function encloseText({ wrap }: Pick<TextGuard, 'wrap'>): WrapText {
  return (text, { what, author, isTrusted }) => {
    const enclosed = wrap(text, { author, authority: isTrusted ? 'trusted' : 'untrusted' });
    return `${what.replace(/\s+/g, ' ')}:\n${enclosed || '(nothing visible)'}`;
  };
}
