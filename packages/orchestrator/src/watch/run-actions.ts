import { type CommentWriter, parseTaskKey, type TaskKey } from '@agent/platforms';
import type { ControlVerb, RunControls } from '@agent/run-store';
import { toCodeSpan } from '@agent/text/outgoing';
import type { RunLogger } from '../host/ports.ts';
import type { Budgets } from '../spending/budgets.ts';
import type { RunEntry } from './board-row.ts';
import type { RunProjection } from './run-projection.ts';
import type { WatchTexts } from './texts.ts';

/** Act of a person on a run. A plan is approved on its thread alone. */
export type RunControl = 'pause' | 'resume' | 'stop' | 'retry' | 'settle' | 'approve' | 'budget';

/** Request of a person. */
export interface ActRequest {
  readonly uuid: string;
  readonly control: RunControl;
  /** Amount of a budget in millionths; null for other controls. */
  readonly amountMicros: number | null;
  /** Person who asks, as the audit log names them. */
  readonly actor: string;
}

/** Answer to a request. `reason` is in words for people: why it was refused, or what became of it. */
export type ActAnswer =
  | { readonly accepted: true; readonly reason?: string | undefined }
  | { readonly accepted: false; readonly reason: string };

/** State of a run, as far as acts on it go. */
export interface ActedRun {
  readonly entry: RunEntry;
  /** True where something that follows from its end is not done. */
  readonly isOpen: boolean;
  /** True for the last run of its thread, where none is at work. */
  readonly isLast: boolean;
}

/** Lists the controls that make sense for a run now. */
export function listControls(
  { entry, isOpen, isLast }: ActedRun,
  { hasMoney }: { readonly hasMoney: boolean },
): readonly RunControl[] {
  const { state, status } = entry;
  const budget: readonly RunControl[] = hasMoney ? ['budget'] : [];
  if (state === 'ended' || status !== null) {
    const retry: readonly RunControl[] = isLast && status === 'failed' ? ['retry', ...budget] : [];
    return isOpen ? [...retry, 'settle'] : retry;
  }
  if (state === 'paused' || state === 'needs_input' || state === 'in_review')
    return ['resume', 'stop', ...budget];
  return ['pause', 'stop', ...budget];
}

/** Tells whether a run is the last one of its thread, and none is at work there. */
export function isLastOfThread(projection: RunProjection, { id, threadKey, host }: RunEntry): boolean {
  const others = projection.listThread(threadKey).filter((one) => one.host === host && one.uuid !== null);
  const isBusy = others.some((one) => one.id !== id && one.state !== 'ended' && one.status === null);
  const [latest] = others.toSorted((one, other) => (other.since ?? 0) - (one.since ?? 0));
  return !isBusy && (latest === undefined || latest.id === id);
}

/** Sources of acts. */
export interface ActOptions {
  readonly controls: Pick<RunControls, 'request' | 'read'>;
  readonly budgets: Pick<Budgets, 'write'>;
  readonly hasMoney: boolean;
  readonly texts: WatchTexts;
}

/** Asks something of a run. It is carried out by the process that works on it, or that works next. */
export async function actOnRun(
  run: ActedRun | null,
  { control, amountMicros, actor }: ActRequest,
  { controls, budgets, hasMoney, texts }: ActOptions,
): Promise<ActAnswer> {
  if (run === null) return refused(texts.refused.unknown);
  const { entry } = run;
  if (!listControls(run, { hasMoney }).includes(control))
    return refused(explain(run, { control, hasMoney, texts }));
  if (control === 'budget') {
    if (amountMicros === null || !Number.isSafeInteger(amountMicros) || amountMicros < 0)
      return refused(texts.refused.noAmount);
    await budgets.write({ host: entry.host, taskKeyText: entry.threadKey }, amountMicros);
    return { accepted: true };
  }
  const verb = control as ControlVerb;
  await controls.request(entry.id, verb, { by: actor });
  return { accepted: true };
}

/** Opens what writes on a thread; null where its platform is not connected. */
export type OpenThreadWriter = (host: string, key: TaskKey) => Pick<CommentWriter, 'ensureComment'> | null;

/**
 * Says on the thread of a run who acted on it from outside, where the run itself does not: who stopped or paused it stands in its own
 * comment. Whoever acts is not kept waiting for it, and the act holds where the
 * platform takes no comment now: the audit log has it.
 */
export async function tellAct(
  { id, host, threadKey }: Pick<RunEntry, 'id' | 'host' | 'threadKey'>,
  { control, actor }: Pick<ActRequest, 'control' | 'actor'>,
  {
    openWriter,
    texts,
    at,
    logger,
  }: {
    readonly openWriter: OpenThreadWriter;
    readonly texts: WatchTexts;
    /** Milliseconds since 1970. */
    readonly at: number;
    readonly logger: Pick<RunLogger, 'warn'>;
  },
): Promise<void> {
  const { [control]: format }: Partial<Record<RunControl, (name: string) => string>> = texts.acted;
  if (format === undefined) return;
  try {
    const body = format(toCodeSpan(actor));
    const writer = openWriter(host, parseTaskKey(threadKey));
    await writer?.ensureComment({ topic: `run:${id}:${control}:${at}`, body });
  } catch (err) {
    logger.warn({ err, run: id, control }, 'failed to post comment about run control');
  }
}

function refused(reason: string): ActAnswer {
  return { accepted: false, reason };
}

function explain(
  { entry, isOpen }: ActedRun,
  {
    control,
    hasMoney,
    texts,
  }: { readonly control: RunControl; readonly hasMoney: boolean; readonly texts: WatchTexts },
): string {
  const { refused: says } = texts;
  if (control === 'approve') return says.byThread;
  if (control === 'retry') return says.notFailed;
  if (control === 'settle') return isOpen ? says.running : says.settled;
  if (control === 'budget' && !hasMoney) return says.noMoney;
  if (entry.state === 'ended' || entry.status !== null) return says.ended;
  if (control === 'resume') return entry.state === 'queued' ? says.queued : says.running;
  return says.paused;
}
