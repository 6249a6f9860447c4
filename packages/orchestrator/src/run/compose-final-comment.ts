import type { CommentSummary } from '../inbox/comment-summary.ts';
import { readPrePlanningCost } from '../pre-plan/pre-planning-files.ts';
import { changeRequestKindOf } from './change-request-words.ts';
import { countToolCalls } from './count-tool-calls.ts';
import { formatFinalComment } from './final-comment.ts';
import { formatHeardComments } from './format-heard-comments.ts';
import { formatTime } from './format-time.ts';
import type { ActiveRun, RunParts } from './run.ts';
import type { RunEnding } from './run-ending.ts';

/** The comment that a run ends or pauses with, without secrets. */
export async function composeFinalComment(
  parts: RunParts,
  run: ActiveRun,
  { outcome, delivery, hearing }: Omit<RunEnding, 'guard'>,
): Promise<string> {
  const { time_zone: timeZone } = parts.config;
  const report = {
    ...outcome,
    // Before anything is cut: half a secret would not be recognised any more.
    reason: outcome.reason === null ? null : parts.redactOutgoing(outcome.reason),
    finalText: outcome.finalText === null ? null : parts.redactOutgoing(outcome.finalText),
    delivery,
    detection: hearing.statistics,
    requests: run.meter.count(),
    tried: outcome.status === 'failed' ? await listTried(run) : [],
    unassigned: run.control.isUnassigned(),
    stoppedBy: findStopper(hearing),
    finishedAt: new Date(parts.now()),
  };
  const options = {
    locale: run.facts.locale,
    trigger: run.platform.trigger.texts,
    changeRequest: changeRequestKindOf(run.key),
    timeZone,
    branchUrl: toBranchUrl(run),
    hearsRetry: parts.config.comment_detection.enabled,
  };
  const readUntil = hearing.readUntil === null ? null : formatTime(new Date(hearing.readUntil), timeZone);
  const sections = [
    formatFinalComment(report, options),
    formatHeardComments({ ...hearing, readUntil }, run.facts.locale),
  ];
  return parts.redactOutgoing(sections.filter((section) => section !== '').join('\n\n'));
}

/** Pages of branches, by the platform's name; a platform of somebody's own has pages of its own. */
const branchPages: ReadonlyMap<string, string> = new Map([
  ['github', '/tree/'],
  ['gitlab', '/-/tree/'],
]);

function toBranchUrl({ facts, platform }: ActiveRun): ((branch: string) => string) | null {
  const page = branchPages.get(platform.platform.name);
  if (facts.repository === null || page === undefined) return null;
  const repository = facts.repository.cloneUrl.replace(/\.git$/, '');
  return (branch) => `${repository}${page}${branch.split('/').map(encodeURIComponent).join('/')}`;
}

async function listTried({ journal, state, logger }: ActiveRun) {
  const { tools } = await readPrePlanningCost(state, logger);
  return countToolCalls(journal, { before: tools });
}

/** The first whose stop was obeyed: the others found it stopped. */
function findStopper({ comments }: CommentSummary): string | null {
  const stop = comments.find(({ command }) => command?.name === 'stop' && command.outcome === 'obeyed');
  return stop?.author ?? null;
}
