import type { ControlVerb, Outcome, RunControls, RunJournal } from '@agent/run-store';
import { formatTime, type Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { ModelMessage } from 'ai';
import { formatSetUps } from '../environment/set-up-report.ts';
import { formatHeld } from '../held/format-held.ts';
import { readAllowed, readHeld } from '../held/held-record.ts';
import type { CommentSummary, DeliveredComment } from '../inbox/delivered-comments.ts';
import { readShownPlan } from '../plan/plan-mode.ts';
import { readPrePlanningCost } from '../plan/pre-planning-files.ts';
import type { Run } from '../run/run.ts';
import type { ReportedEnding } from '../run/run-ending.ts';
import { changeRequestKindOf } from '../run/run-facts.ts';
import { type SpentByRun, toFinalCost } from '../spending/run-spending.ts';
import { formatFinalComment } from './final-comment.ts';
import { type RunTexts, runTexts } from './texts.ts';

export interface FinalCommentServices {
  /** IANA name. */
  readonly timeZone: string;
  /** True if failed runs receive `/retry`. */
  readonly hearsRetry: boolean;
  readonly redactOutgoing: Redact;
  /** Name of the currency, for people. */
  readonly currency: string;
  /** Reads what a run has cost; null where nothing costs anything. */
  readonly readCost: (run: Run) => Promise<SpentByRun | null>;
  /** Requests to runs, each with the name of who asked. */
  readonly controls: Pick<RunControls, 'list'>;
  readonly now: () => number;
}

/** Composes the comment that a run ends or pauses with, without secrets. */
export type ComposeFinalComment = (run: Run, ending: ReportedEnding) => Promise<string>;

/** Creates it. */
export function createComposeFinalComment(services: FinalCommentServices): ComposeFinalComment {
  const { timeZone, hearsRetry, redactOutgoing, currency, readCost, controls, now } = services;
  return async (run, { outcome, delivery, hearing, stopCause }) => {
    const { facts, thread } = run;
    const report = {
      ...outcome,
      plan: await readShownPlan(run),
      // Before anything is cut: half a secret would not be recognized any more.
      reason: outcome.reason === null ? null : redactOutgoing(outcome.reason),
      finalText: outcome.finalText === null ? null : redactOutgoing(outcome.finalText),
      delivery,
      detection: hearing.statistics,
      requests: thread.meter.count(),
      tried: outcome.status === 'failed' ? await listTried(run) : [],
      stopCause,
      askedBy:
        findStopper(hearing) ?? (await findAsker(controls, { uuid: run.uuid, status: outcome.status })),
      cost: toFinalCost(await readCost(run)),
      held: formatHeld(await readHeld(run.state), {
        ...{ locale: facts.locale, readsComments: hearsRetry, timeZone },
        allowed: await readAllowed(run.state),
      }),
      finishedAt: new Date(now()),
    };
    const options = {
      locale: facts.locale,
      trigger: thread.platform.trigger.texts,
      platform: thread.platform.platform.name,
      changeRequest: changeRequestKindOf(thread.ports.key),
      timeZone,
      currency,
      branchUrl: toBranchUrl(run),
      hearsRetry,
      resumesOnReopen: thread.ports.history?.lastReopened !== undefined,
      kind: facts.kind,
    };
    const readUntil = hearing.readUntil === null ? null : formatTime(new Date(hearing.readUntil), timeZone);
    const after = [
      await formatSetUps(run.journal, facts),
      formatHeardComments({ ...hearing, readUntil }, facts.locale),
    ].filter((section) => section !== '');
    const taken = after.join('\n\n').length;
    return redactOutgoing([formatFinalComment(report, { ...options, taken }), ...after].join('\n\n'));
  };
}

/** Pages of branches, by the platform's name; a platform of somebody's own has pages of its own. */
const branchPages: ReadonlyMap<string, string> = new Map([
  ['github', '/tree/'],
  ['gitlab', '/-/tree/'],
]);

function toBranchUrl({ facts, thread }: Run): ((branch: string) => string) | null {
  const page = branchPages.get(thread.platform.platform.name);
  if (facts.repository === null || page === undefined) return null;
  const repository = facts.repository.cloneUrl.replace(/\.git$/, '');
  return (branch) => `${repository}${page}${branch.split('/').map(encodeURIComponent).join('/')}`;
}

async function listTried({ journal, state, logger }: Run) {
  const { tools } = await readPrePlanningCost(state, logger);
  return countToolCalls(journal, { before: tools });
}

/** The first whose stop was obeyed: the others found it stopped. */
function findStopper({ comments }: CommentSummary): string | null {
  const stop = comments.find(({ command }) => command?.name === 'stop' && command.outcome === 'obeyed');
  return stop?.author == null ? null : `@${stop.author}`;
}

const verbs: Readonly<Partial<Record<Outcome, ControlVerb>>> = { stopped: 'stop', needs_input: 'pause' };

/** Finds who asked from outside the thread for what became of a run: what was asked stays until it is over. */
async function findAsker(
  controls: Pick<RunControls, 'list'>,
  { uuid, status }: { readonly uuid: string; readonly status: Outcome },
): Promise<string | null> {
  const verb = verbs[status];
  if (verb === undefined) return null;
  const asked = await controls.list();
  return asked.find((one) => one.uuid === uuid && one.verb === verb)?.by ?? null;
}

/**
 * Counts how often a run called each tool, most used first: by what its journal says, and before it was opened by `before`.
 */
export async function countToolCalls(
  journal: Pick<RunJournal<ModelMessage>, 'read'>,
  { before = {} }: { readonly before?: Readonly<Record<string, number>> } = {},
): Promise<readonly { readonly tool: string; readonly calls: number }[]> {
  const counts = new Map(Object.entries(before));
  for await (const entry of journal.read({ facts: [] })) {
    if (entry.type !== 'message' || typeof entry.message.content === 'string') continue;
    for (const part of entry.message.content) {
      if (part.type === 'tool-call') counts.set(part.toolName, (counts.get(part.toolName) ?? 0) + 1);
    }
  }
  return [...counts].map(([tool, calls]) => ({ tool, calls })).sort((a, b) => b.calls - a.calls);
}

/** Lines of a list, and of one whose comments did not all reach the agent. */
const maxListed = 20;
const maxMissedListed = 200;

/**
 * Accounts for every comment that came while a run was under way, and says up to when the thread could be read;
 * empty when there is nothing to say. @see docs/requirements.md NX-8, B21
 */
export function formatHeardComments({ comments, readUntil }: CommentSummary, locale: Locale): string {
  const text = runTexts[locale];
  const lines = listMissedFirst(comments).map((comment) => describe(comment, text.heard));
  const atLeast = comments.filter(wasMissed).length;
  const list = lines.length === 0 ? [] : [joinLines(lines, { more: text.more, atLeast })];
  const unread = readUntil === null ? [] : [text.heard.unread(readUntil)];
  return list.length + unread.length === 0 ? '' : [text.heard.heading, ...list, ...unread].join('\n\n');
}

/**
 * Adds what came too late to the final comment of a run that heard no more of it; null where each of these comments is named
 * already as it is to be. One that the report names already has its line changed: no comment has two.
 */
export function addLateComments(
  finalComment: string,
  late: readonly ReportedComment[],
  locale: Locale,
): string | null {
  const { heard, more } = runTexts[locale];
  const lines = finalComment.split('\n');
  const taken = new Set<number>();
  const added: string[] = [];
  for (const comment of late) {
    const line = describe(comment, heard);
    const before = describe({ ...comment, kept: false }, heard);
    const at = lines.findIndex((one, index) => !taken.has(index) && (one === before || one === line));
    if (at === -1) {
      added.push(line);
      continue;
    }
    taken.add(at);
    lines[at] = line;
  }
  const named = lines.join('\n');
  if (added.length === 0) return named === finalComment ? null : named;
  const heading = lines.includes(heard.heading) ? [] : [heard.heading];
  return [named, ...heading, joinLines(added, { more, atLeast: maxListed })].join('\n\n');
}

/** A comment of a report; `kept`: it arrived too late and is delivered to the next run. */
type ReportedComment = DeliveredComment & { readonly kept?: boolean };

/** A long list begins with the comments of which the agent may not know the text; the rest is as it was. */
function listMissedFirst(comments: readonly ReportedComment[]): readonly ReportedComment[] {
  if (comments.length <= maxListed) return comments;
  return [...comments.filter(wasMissed), ...comments.filter((comment) => !wasMissed(comment))];
}

function wasMissed({ delivered, isListed = false }: ReportedComment): boolean {
  return !delivered || isListed;
}

/** `atLeast`: number of lines that are shown although there are more than 20. */
function joinLines(
  lines: readonly string[],
  { more, atLeast }: Pick<RunTexts, 'more'> & { readonly atLeast: number },
): string {
  const shown = Math.max(maxListed, Math.min(atLeast, maxMissedListed));
  const hidden = lines.length - shown;
  return [...lines.slice(0, shown), ...(hidden > 0 ? [more(hidden)] : [])].join('\n');
}

function describe(
  {
    id,
    kind,
    part,
    author,
    createdAt,
    url,
    command,
    delivered,
    isListed = false,
    kept = false,
  }: ReportedComment,
  text: RunTexts['heard'],
): string {
  const isCheck = author === null && id.startsWith('check-');
  const nobody = isCheck ? text.check.who : text.ghost;
  // A code span does not notify the user.
  const who = author === null ? nobody : `\`@${author}\``;
  // Unknown for a comment that was deleted before it was read.
  const when = createdAt === '' || part === 'thread' ? '' : `, ${toLink(formatTime(createdAt), url)}`;
  const commanded = command === null ? [] : [text.command(command.name, describeOutcome(command, text))];
  // An applied command needs no delivery to the agent.
  const isSettled = command?.outcome === 'obeyed';
  const sent = isListed ? text.listed : text.delivered;
  const told = delivered ? sent : text.undelivered;
  const accounted = isSettled ? [] : [kept ? text.kept : told];
  const said = isCheck ? text.check.what : text.kinds[kind];
  const what = part === 'thread' ? text.threadText : said;
  return `- ${who}${when}: ${[[what, ...accounted].join(text.separator), ...commanded].join(text.clause)}`;
}

function describeOutcome(
  { name, outcome }: NonNullable<ReportedComment['command']>,
  text: RunTexts['heard'],
): string {
  if (outcome !== 'unknown') return text.outcomes[outcome];
  if (name === 'budget') return text.noBudget;
  if (name === 'watch' || name === 'unwatch') return text.noWatch;
  if (name === 'allow') return text.nothingToAllow;
  return name === 'approve' ? text.nothingToApprove : text.outcomes.unknown;
}

function toLink(label: string, url: string | null): string {
  return url !== null && /^https?:\/\/[^\s()<>[\]]+$/.test(url) ? `[${label}](${url})` : label;
}
