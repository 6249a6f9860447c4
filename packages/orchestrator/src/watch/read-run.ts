import { outcomes, type RecentRun } from '@agent/run-store';
import type { WaitsFor } from '@agent/runner';
import { type Locale, mapTexts } from '@agent/text';
import { z } from 'zod';
import { formatReference } from '../run/run-facts.ts';
import type { AuditEntry } from '../state/audit-log.ts';
import type { AssumptionView } from './assumptions.ts';
import { type RunEntry, toEndedEntry } from './board-row.ts';
import type { CommentPassage } from './comment-passages.ts';
import { type HeldItemView, listHeldItems } from './held-items.ts';
import { type PlanView, toPlanView } from './plan-view.ts';
import { type BoardRow, type ShowOptions, showRow } from './read-board.ts';
import type { RunControl } from './run-actions.ts';
import type { CostPoint, RunAbout, RunDigest, TimelinePart } from './run-digest.ts';
import { type ReadLine, type TimelineEntry, toText } from './timeline-entry.ts';
import type { FailedStep, TimelineFilter } from './timeline-filter.ts';

/** One run with all that its record says. */
export interface RunView {
  readonly row: BoardRow;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Milliseconds from its start to its end, or to now, without its pauses. */
  readonly elapsedMs: number;
  /** Its pause; null while it is not paused and waits for nothing. */
  readonly pause: PauseView | null;
  /** Changes that wait for permission. */
  readonly held: readonly HeldItemView[];
  /** Most steps of a run; null if it is unknown. */
  readonly maxSteps: number | null;
  readonly facts: readonly RunFactView[];
  /** Reason and words with which it ended; null while it has not. */
  readonly outcome: { readonly reason: string | null; readonly text: string | null } | null;
  readonly comments: readonly CommentPassage[];
  readonly assumptions: readonly AssumptionView[];
  readonly plan: PlanView | null;
  readonly costs: readonly CostPoint[];
  readonly currency: string | null;
  /** Controls that make sense for it now. */
  readonly controls: readonly RunControl[];
  /** Step at which it failed; null for a run that did not. */
  readonly failure: FailedStep | null;
  /** Filter of the timeline; null for all entries. */
  readonly show: TimelineFilter | null;
  /** Number of entries that each filter shows. */
  readonly filtered: Readonly<Record<TimelineFilter, number>>;
  /** Part of the timeline, oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** Number of entries before that part, and after it. */
  readonly before: number;
  readonly after: number;
}

/** Pause of a run. */
export interface PauseView {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** User who paused it; null if it is unknown, or if it waits by itself. */
  readonly by: string | null;
  readonly waitsFor: WaitsFor['kind'] | null;
}

/** Fact about a run by name, such as model, branch, request. */
export interface RunFactView {
  readonly name: string;
  readonly value: string;
  readonly url: string | null;
}

/** Parts of a view that do not stand in the record. */
export interface RunViewOptions extends ShowOptions {
  readonly part: TimelinePart;
  /** Acts of users on the run, the latest first. */
  readonly acts: readonly AuditEntry[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly maxSteps: number | null;
  /** Language of the words about held changes. */
  readonly locale: Locale;
  readonly textLimit: number;
  readonly currency: string | null;
  readonly controls: readonly RunControl[];
}

/** Shows a run, and a part of its timeline. */
export async function showRun(
  digest: RunDigest,
  { entry, ...options }: RunViewOptions & { readonly entry: RunEntry },
): Promise<RunView> {
  const { redact, part, textLimit, currency, controls, acts, now, maxSteps, locale } = options;
  const { opened, ended, held, pauses } = digest.about;
  const { pausedAt, pausedMs } = pauses;
  const plan = toPlanView(digest.plan);
  const points = digest.costs();
  const last = points.at(-1);
  const row = showRow(entry, options);
  const startedAt = opened?.at ?? entry.since ?? 0;
  const known = entry.uuid === null ? undefined : options.costs.get(entry.uuid);
  const costMicros = known ?? last?.costMicros ?? row.costMicros;
  const isVerified = plan?.verifications.at(-1)?.passed === true;
  return {
    row: { ...row, tokens: last?.tokens ?? row.tokens, costMicros },
    startedAt,
    endedAt: ended?.at ?? null,
    elapsedMs: Math.max(0, (ended?.at ?? pausedAt ?? now) - startedAt - pausedMs),
    pause: toPause(entry, redact),
    held: entry.live?.waitsFor?.kind === 'held' ? listHeldItems(held?.data.value, { locale, redact }) : [],
    maxSteps,
    facts: [...listFacts(digest.about, entry.threadKey), ...listActors(acts)].map(({ value, ...fact }) => ({
      ...fact,
      value: redact(value),
    })),
    outcome: ended && readOutcome(ended, redact),
    comments: digest.comments.list().map((one) => redactPassage(one, { redact, textLimit })),
    assumptions: digest.assumptions.list({ isVerified }).map((one) => mapTexts(one, redact)),
    plan: plan && mapTexts(plan, redact),
    costs: withCallsBeside(points, { costMicros, at: ended?.at ?? now }),
    ...{ currency, controls },
    failure: await digest.readFailure({ redact, textLimit }),
    show: part.show ?? null,
    filtered: digest.countFiltered(),
    ...(await digest.readTimeline(part, { redact, textLimit })),
  };
}

function toPause({ live, state, since }: RunEntry, redact: (text: string) => string): PauseView | null {
  const isPaused = state === 'paused' || state === 'needs_input' || state === 'in_review';
  if (live === null || since === null || !isPaused) return null;
  const { pausedBy, waitsFor } = live;
  return { at: since, by: pausedBy && redact(pausedBy), waitsFor: waitsFor?.kind ?? null };
}

/** Adds what the record does not say: calls beside the conversation, such as that for the summary at the end. */
function withCallsBeside(
  points: readonly CostPoint[],
  { costMicros, at }: { readonly costMicros: number | null; readonly at: number },
): readonly CostPoint[] {
  const last = points.at(-1);
  if (last === undefined || costMicros === null || costMicros <= last.costMicros) return points;
  return [...points, { ...last, at: Math.max(at, last.at), costMicros }];
}

const openedSchema = z.object({
  hostname: z.string().optional(),
  user: z.string().nullish(),
  config: z.looseObject({ model: z.string().optional(), llm_provider: z.string().optional() }).default({}),
  inherited_from_uuid: z.string().nullish(),
  extra: z
    .looseObject({
      branch: z.string().nullish(),
      url: z.string().nullish(),
      retry_of: z.string().nullish(),
      handover: z.object({ by: z.object({ login: z.string() }) }).nullish(),
    })
    .default({}),
});
const endedSchema = z.object({
  outcome: z.looseObject({
    reason: z.string().nullish(),
    final_text: z.string().nullish(),
    details: z
      .looseObject({
        branch: z.string().nullish(),
        commit: z.string().nullish(),
        change_request: z.object({ number: z.number(), url: z.string() }).nullish(),
      })
      .nullish()
      .catch(null),
  }),
});

function listFacts({ opened, ended, session }: RunAbout, threadKey: string): readonly RunFactView[] {
  const {
    hostname,
    user,
    config,
    inherited_from_uuid: inherited,
    extra,
  } = openedSchema.safeParse(opened?.data).data ?? openedSchema.parse({});
  const details = endedSchema.safeParse(ended?.data).data?.outcome.details;
  const request = details?.change_request;
  const requestKind = threadKey.startsWith('gitlab_') ? 'merge request' : 'pull request';
  const agent = session?.data.agent as { readonly name?: unknown } | null | undefined;
  const facts: readonly (readonly [string, string | null | undefined, (string | undefined)?])[] = [
    ['model', config.model],
    ['provider', config.llm_provider],
    ['agent', agent === null || agent === undefined ? null : toText(agent.name)],
    ['branch', details?.branch ?? extra.branch],
    ['commit', details?.commit],
    [requestKind, request && formatReference(requestKind, request.number), request?.url],
    ['opened by', user],
    ['requested by', extra.handover?.by.login],
    ['host', hostname],
    ['inherited from', inherited],
    ['retry of', extra.retry_of],
  ];
  return facts.flatMap(([name, value, url = null]) =>
    value === null || value === undefined || value === '' ? [] : [{ name, value, url: toWebUrl(url) }],
  );
}

const actNames = [
  ['paused by', 'pause'],
  ['resumed by', 'resume'],
  ['stopped by', 'stop'],
  ['retried by', 'retry'],
] as const;

/** Lists who did each act last. */
function listActors(acts: readonly AuditEntry[]): readonly RunFactView[] {
  const applied = acts.filter(({ outcome, actor }) => outcome === 'accepted' && actor !== '');
  return actNames.flatMap(([name, control]) => {
    const act = applied.find(({ action }) => action === control);
    return act === undefined ? [] : { name, value: act.actor, url: null };
  });
}

/** Addresses that a browser opens, and nothing else. */
function toWebUrl(url: string | null): string | null {
  return url !== null && /^https?:\/\//.test(url) ? url : null;
}

function readOutcome(
  { data }: ReadLine,
  redact: (text: string) => string,
): { readonly reason: string | null; readonly text: string | null } | null {
  const outcome = endedSchema.safeParse(data).data?.outcome;
  if (outcome === undefined) return null;
  const { reason = null, final_text: text = null } = outcome;
  return { reason: reason && redact(reason), text: text && redact(text) };
}

function redactPassage(
  passage: CommentPassage,
  { redact, textLimit }: { readonly redact: (text: string) => string; readonly textLimit: number },
): CommentPassage {
  const { body, url } = passage;
  return { ...passage, body: body === null ? null : redact(body).slice(0, textLimit), url: toWebUrl(url) };
}

const recentSchema = z.object({
  uuid: z.string(),
  task_key_text: z.string(),
  host: z.string(),
  created_at: z.string(),
  user: z.string().nullable().default(null),
  inheritance_depth: z.number().default(0),
  extra: z.looseObject({ title: z.string().nullish(), url: z.string().nullish() }).default({}),
});
const statusSchema = z.object({
  outcome: z.object({ status: z.enum(outcomes), reason: z.string().nullish() }),
});

/** Makes the row of a run that ended of its record alone; null where the record does not say what it is. */
export function toEntryOf({ opened, ended }: RunAbout): RunEntry | null {
  const run = recentSchema.safeParse(opened?.data).data;
  if (run === undefined) return null;
  const outcome = statusSchema.safeParse(ended?.data).data?.outcome;
  const recent: RecentRun = {
    ...{ uuid: run.uuid, taskKeyText: run.task_key_text, host: run.host },
    ...{ status: outcome?.status ?? null, reason: outcome?.reason ?? null, user: run.user },
    ...{ title: run.extra.title ?? null, number: null, url: run.extra.url ?? null },
    createdAt: run.created_at,
    finishedAt: ended === null ? null : new Date(ended.at).toISOString(),
    inheritanceDepth: run.inheritance_depth,
    inheritedTokens: 0,
  };
  return toEndedEntry(recent);
}
